/**
 * One run, from above: opens its policy at the proxy, has the sandbox run the code, and closes it, which yields the
 * ledger. Whatever happens in between, an outcome comes back in bounded time; this function does not throw.
 */
import { RpcTarget } from "cloudflare:workers";

import type { LedgerEntry } from "../contract/ledger.ts";
import { Outcome } from "../contract/outcome.ts";
import type { LogLine, OpenedRun, RunControl, RunObserver } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { toPlain } from "./plain.ts";

/** Requests one run may send. */
const MAX_REQUESTS = 1_000;

/** How long after the deadline the sandbox may still answer before it is taken for dead, in milliseconds. */
const GRACE_MS = 1_500;

export interface RunInput {
  readonly code: string;
  readonly principal: string;
  /** Null means every active API. */
  readonly apis: readonly string[] | null;
  readonly readOnly: boolean;
  readonly timeoutMs: number;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  readonly onRequest: (entry: LedgerEntry) => void;
  readonly onProgress: (text: string) => void;
}

/** What came of a run. `ms` is wall time from opening to the outcome. */
export interface RunReport {
  readonly runId: string;
  readonly outcome: Outcome;
  readonly ledger: readonly LedgerEntry[];
  readonly ms: number;
}

/** The proxy's callback: tells of each request as it goes out. */
class Observer extends RpcTarget implements RunObserver {
  readonly #input: RunInput;
  constructor(input: RunInput) {
    super();
    this.#input = input;
  }
  onRequest(entry: LedgerEntry): void {
    this.#input.onRequest(entry);
  }
}

/** The sandbox's callback: collects logs as they leave, and tells when the run is over. */
class Control extends RpcTarget implements RunControl {
  readonly logs: LogLine[] = [];
  readonly #input: RunInput;
  readonly #ended: Promise<void>;
  constructor(input: RunInput, ended: Promise<void>) {
    super();
    this.#input = input;
    this.#ended = ended;
  }
  ended(): Promise<void> {
    return this.#ended;
  }
  onLogs(lines: readonly LogLine[]): void {
    this.logs.push(...lines);
  }
  onProgress(text: string): void {
    this.#input.onProgress(text);
  }
}

/** Runs code for a principal under a policy. */
export async function executeCode(env: Env, input: RunInput): Promise<RunReport> {
  const runId = crypto.randomUUID();
  const startedMs = Date.now();
  const ended = Promise.withResolvers<void>();
  const control = new Control(input, ended.promise);
  const policy = {
    principal: input.principal,
    apis: input.apis === null ? null : [...input.apis],
    readOnly: input.readOnly,
    limits: { maxRequests: MAX_REQUESTS },
  };
  const opened = await toPlain(env.OUTBOUND_PROXY.open(runId, policy, new Observer(input)));
  const end = (): void => ended.resolve();
  input.signal.addEventListener("abort", end, { once: true });
  const outcome = await runInSandbox(env, input, runId, opened, control);
  input.signal.removeEventListener("abort", end);
  // Until this settles, upstream requests of the run stay open.
  end();
  const { ledger } = await toPlain(env.OUTBOUND_PROXY.close(runId));
  return { runId, outcome, ledger, ms: Date.now() - startedMs };
}

async function runInSandbox(
  env: Env,
  input: RunInput,
  runId: string,
  opened: OpenedRun,
  control: Control,
): Promise<Outcome> {
  const { code, timeoutMs } = input;
  const backstop = Promise.withResolvers<Outcome>();
  const timer = setTimeout(
    () => backstop.resolve({ kind: "timed_out", timeoutMs, logs: control.logs }),
    timeoutMs + GRACE_MS,
  );
  const request = { runId, code, timeoutMs, credentials: [...opened.credentials], debug: opened.debug };
  try {
    const outcome = Outcome.parse(await Promise.race([toPlain(env.SANDBOX.run(request, control)), backstop.promise]));
    return { ...outcome, logs: [...control.logs, ...outcome.logs] };
  } catch {
    return { kind: "sandbox_restarted", logs: control.logs };
  } finally {
    clearTimeout(timer);
  }
}

/**
 * One run, from above: opens its policy at the proxy, has the sandbox run the code, and closes it, which yields the
 * ledger. Whatever happens in between, an outcome comes back in bounded time; this function does not throw.
 */
import { RpcTarget } from "cloudflare:workers";

import type { LedgerEntry } from "../contract/ledger.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { OpenedRun, RunObserver, SandboxRun } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { toPlain } from "./plain.ts";
import { Control, runInSandbox } from "./sandbox-call.ts";

/** Requests one run may send. */
const MAX_REQUESTS = 1_000;

export interface RunInput {
  /** A UUID; see `RunId`. */
  readonly runId: string;
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
  /** Answers a call of the code to its owner; see `RunControl.call`. */
  readonly call: (name: string, argument: string) => Promise<string>;
}

/** What came of a run. `ms` is wall time from opening to the outcome. */
export interface RunReport {
  readonly runId: string;
  readonly outcome: Outcome;
  /** Null when the proxy did not answer with it: then it is not known what went out. */
  readonly ledger: readonly LedgerEntry[] | null;
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

/** Runs code for a principal under a policy. */
export async function executeCode(env: Env, input: RunInput): Promise<RunReport> {
  const { runId } = input;
  const startedMs = Date.now();
  const ended = Promise.withResolvers<void>();
  const control = new Control({ onProgress: input.onProgress, call: input.call, ended: ended.promise });
  const policy = {
    principal: input.principal,
    apis: input.apis === null ? null : [...input.apis],
    readOnly: input.readOnly,
    limits: { maxRequests: MAX_REQUESTS },
  };
  const opened = await orNull(env.OUTBOUND_PROXY.open(runId, policy, new Observer(input)));
  if (opened === null) {
    return { runId, outcome: { kind: "not_started", logs: [] }, ledger: [], ms: Date.now() - startedMs };
  }
  const end = (): void => ended.resolve();
  input.signal.addEventListener("abort", end, { once: true });
  const request = { runId, code: input.code, timeoutMs: input.timeoutMs, ...toRunParts(opened) };
  const outcome = await runInSandbox(env, request, control);
  input.signal.removeEventListener("abort", end);
  // Until this settles, upstream requests of the run stay open.
  end();
  const closed = await orNull(env.OUTBOUND_PROXY.close(runId));
  return { runId, outcome, ledger: closed?.ledger ?? null, ms: Date.now() - startedMs };
}

/** A call to the proxy, or null when it failed: its text is for the proxy's own log. */
async function orNull<T extends object>(call: Promise<T>): Promise<T | null> {
  try {
    return await toPlain(call);
  } catch {
    return null;
  }
}

function toRunParts({ credentials, debug }: OpenedRun): Pick<SandboxRun, "credentials" | "debug"> {
  return { credentials: [...credentials], debug };
}

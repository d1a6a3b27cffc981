/**
 * One run of a block, from above: in a run that is open at the proxy, the sandbox runs the code. Whatever happens in
 * between, an outcome comes back in bounded time; this function does not throw.
 */
import type { LedgerEntry } from "../contract/ledger.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { Env } from "../env.ts";
import { withOpenRun, type RunRights } from "./open-run.ts";
import { Control, runInSandbox } from "./sandbox-call.ts";

export interface RunInput extends RunRights {
  readonly code: string;
  readonly timeoutMs: number;
  readonly cpuLimitMs: number;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
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

/** Runs code for a principal under a policy. */
export async function executeCode(env: Env, input: RunInput): Promise<RunReport> {
  const { runId, code, timeoutMs, signal } = input;
  const { outcome, ledger, ms } = await withOpenRun(env, input, async ({ credentials, debug }) => {
    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    signal.addEventListener("abort", end, { once: true });
    const control = new Control({ onProgress: input.onProgress, call: input.call, ended: ended.promise });
    const limits = { cpuMs: input.cpuLimitMs, subRequests: input.maxRequests };
    const request = { runId, code, timeoutMs, credentials: [...credentials], debug, limits };
    const result = await runInSandbox(env, request, control);
    signal.removeEventListener("abort", end);
    // Until this settles, upstream requests of the run stay open.
    end();
    return result;
  });
  return { runId, outcome: outcome ?? { kind: "not_started", logs: [] }, ledger, ms };
}

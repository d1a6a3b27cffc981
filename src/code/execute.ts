/**
 * What is done in the run of a block: the sandbox runs the code, whose calls are answered. Whatever happens, an outcome
 * comes back in bounded time; this function does not throw.
 */
import type { Outcome } from "../contract/outcome.ts";
import type { IsolateLimits, OpenedRun } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { aborted } from "./aborted.ts";
import { answerHostCall, type CallingRun, type HostCalls } from "./host-calls.ts";
import { runInSandbox } from "./sandbox-call.ts";

export interface Block {
  readonly code: string;
  readonly hostCalls: HostCalls;
  readonly limits: IsolateLimits;
}

/** Runs a block in a run that is open. It ends early when `run.signal` aborts. */
export function executeBlock(env: Env, block: Block, opened: OpenedRun, run: CallingRun): Promise<Outcome> {
  const { runId, timeoutMs, signal, context } = run;
  const parts = {
    onProgress: context.onProgress,
    call: (...call: [string, string]) => answerHostCall(block.hostCalls, run, call),
    ended: aborted(signal),
  };
  const { code, limits } = block;
  const request = { runId, code, timeoutMs, credentials: [...opened.credentials], debug: opened.debug, limits };
  return runInSandbox(env, request, parts);
}

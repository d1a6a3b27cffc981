/**
 * What is done in the run of a block: the sandbox runs the code, whose calls are answered. Whatever happens, an outcome
 * comes back in bounded time; this function does not throw.
 */
import type { ModuleSource } from "../contract/modules.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { IsolateLimits, OpenedRun } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { aborted } from "./aborted.ts";
import { answerHostCall, type CallingRun, type HostCalls } from "./host-calls.ts";
import { runInSandbox } from "./sandbox-call.ts";

export interface Block {
  readonly code: string;
  readonly file: string | undefined;
  readonly input: string | undefined;
  readonly hostCalls: HostCalls;
  readonly modules: ModuleSource["modules"];
  readonly limits: IsolateLimits;
}

/** Runs a block in a run that is open. It ends early when `run.signal` aborts. */
export function executeBlock(env: Env, block: Block, opened: OpenedRun, run: CallingRun): Promise<Outcome> {
  const { runId, timeoutMs, signal, context } = run;
  const parts = {
    onProgress: context.onProgress,
    call: (...call: [string, string]) => answerHostCall(block.hostCalls, run, call),
    modules: block.modules,
    ended: aborted(signal),
  };
  const { code, file, input, limits } = block;
  const { debug } = opened;
  const http = context.http?.mode;
  const request = { runId, code, file, input, http, timeoutMs, credentials: [...opened.credentials], debug, limits };
  return runInSandbox(env, request, parts);
}

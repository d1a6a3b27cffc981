/**
 * The runs of one principal: the one way from a tool to a run, whatever started it. It narrows what a run may reach to
 * what its caller may, and answers the calls of its code.
 */
import { narrowApis, type Auth } from "../auth/auth.ts";
import { readSettings } from "../contract/settings.ts";
import type { Env } from "../env.ts";
import { executeCode, type RunInput, type RunReport } from "./execute.ts";
import { answerHostCall, type CallingRun, type HostCalls } from "./host-calls.ts";

/** What a tool asks for. `apis` narrows what the caller may reach, and never widens it. */
export type RunRequest = Omit<RunInput, "runId" | "principal" | "maxRequests" | "cpuLimitMs" | "call">;

/** Requests one run may send. */
const MAX_REQUESTS = 1_000;

export interface RunsParts {
  readonly env: Env;
  readonly hostCalls: HostCalls;
}

export class Runs {
  readonly #parts: RunsParts;

  constructor(parts: RunsParts) {
    this.#parts = parts;
  }

  /** Runs code for a caller. Never rejects for what the code does. */
  execute(auth: Auth, request: RunRequest): Promise<RunReport> {
    const { env, hostCalls } = this.#parts;
    const { readOnly, signal } = request;
    const apis = narrowApis(auth.apis, request.apis);
    const run: CallingRun = { runId: crypto.randomUUID(), auth, readOnly, apis, signal };
    return executeCode(env, {
      ...request,
      runId: run.runId,
      principal: auth.principal,
      apis,
      maxRequests: MAX_REQUESTS,
      cpuLimitMs: readSettings({ ...env }).settings.CPU_LIMIT_MS,
      call: (...call) => answerHostCall(hostCalls, run, call),
    });
  }
}

/**
 * The policies of runs: all that an isolate remembers of any, each under its run's id. A policy never changes, so it is
 * asked for once. Having it opens nothing: a request leaves when `Run` has entered it, and a run that enters none is
 * forgotten, so that its further requests cost one question each.
 */
import { RunPolicy } from "../src/contract/run.ts";
import type { PolicyResult, Run } from "./run.ts";

/** Policies that an isolate remembers, the newest. */
const MAX_REMEMBERED = 100;

const policies = new Map<string, RunPolicy>();

/** The policy of a run, or why it may make no further request. */
export async function readPolicy(runId: string, run: DurableObjectStub<Run>): Promise<PolicyResult> {
  const known = policies.get(runId);
  if (known !== undefined) return { ok: true, policy: known };
  const answer = await run.policy();
  if (!answer.ok) return answer;
  const policy = RunPolicy.parse(answer.policy);
  const [oldest] = policies.keys();
  if (policies.size >= MAX_REMEMBERED && oldest !== undefined) policies.delete(oldest);
  policies.set(runId, policy);
  return { ok: true, policy };
}

/** Asks anew the next time. */
export function forgetPolicy(runId: string): void {
  policies.delete(runId);
}

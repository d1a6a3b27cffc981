/**
 * The policies of runs: all that an isolate remembers of any, each under its run's id. A policy never changes, so it is
 * asked for once. Having it opens nothing: a request leaves when `Run` has entered it, and a run that is closed enters
 * none.
 */
import { RunPolicy } from "../src/contract/run.ts";
import type { Run } from "./run.ts";

/** Policies that an isolate remembers, the newest. */
const MAX_REMEMBERED = 100;

const policies = new Map<string, RunPolicy>();

/** The policy of a run; null when it is not open. */
export async function readPolicy(runId: string, run: DurableObjectStub<Run>): Promise<RunPolicy | null> {
  const known = policies.get(runId);
  if (known !== undefined) return known;
  using answer = await run.policy();
  if (answer === null) return null;
  const policy = RunPolicy.parse(answer);
  const [oldest] = policies.keys();
  if (policies.size >= MAX_REMEMBERED && oldest !== undefined) policies.delete(oldest);
  policies.set(runId, policy);
  return policy;
}

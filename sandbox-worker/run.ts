/**
 * One run: compile, load a fresh isolate, race it against its deadline and its owner, say how it ended. Returning ends
 * the isolate and its upstream requests; nothing else does.
 */
import type { Outcome } from "../src/contract/outcome.ts";
import type { RunControl, SandboxRun } from "../src/contract/run.ts";
import { Claim } from "./claim.ts";
import { compile } from "./compile/compile.ts";
import { toIsolate } from "./isolate.ts";

export interface RunParts {
  readonly control: RunControl;
  readonly loader: WorkerLoader;
  readonly outbound: Fetcher;
}

interface Evaluator extends Rpc.WorkerEntrypointBranded {
  evaluate(): Promise<string>;
}

/** Runs one block to its outcome. */
export async function runBlock(run: SandboxRun, { control, loader, outbound }: RunParts): Promise<Outcome> {
  const compiled = compile(run.code);
  if (!compiled.ok) return { kind: "not_compilable", message: compiled.message, position: null, logs: [] };
  const isolate = loader.load(toIsolate({ code: compiled.code, credentials: run.credentials, outbound }));
  const answer = (isolate.getEntrypoint() as unknown as Evaluator)
    .evaluate()
    .then(toOutcome, (error: unknown): Outcome => ({
      kind: "ended_by_platform",
      message: error instanceof Error ? error.message : String(error),
      logs: [],
    }));
  let timer: number | null = null;
  const deadline = new Promise<Outcome>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "timed_out", timeoutMs: run.timeoutMs, logs: [] }), run.timeoutMs);
  });
  const ended = control.ended().then((): Outcome => ({ kind: "cancelled", logs: [] }));
  try {
    return await Promise.race([answer, deadline, ended]);
  } finally {
    clearTimeout(timer);
  }
}

function toOutcome(text: string): Outcome {
  const claim = Claim.parse(JSON.parse(text));
  if (claim.kind === "threw") return { kind: "threw", message: claim.message, position: null, logs: claim.logs };
  const value = claim.text === undefined ? null : { text: claim.text, media: claim.media };
  return { kind: "completed", value, logs: claim.logs };
}

/**
 * One run: compile, load a fresh isolate, race it against its deadline and its owner, say how it ended. Returning ends
 * the isolate and its upstream requests; nothing else does.
 */
import type { Outcome } from "../src/contract/outcome.ts";
import type { IsolateLimits, LogLine, RunControl, SandboxRun } from "../src/contract/run.ts";
import { link, loadFrom } from "./compile/link.ts";
import { fromAnswer, fromRejection } from "./ending.ts";
import { IsolateHost } from "./host.ts";
import { toIsolate } from "./isolate.ts";
import { createLogFilter, createTranslate } from "./logs.ts";

/** How long an owner that does not answer may hold up an outcome by its acknowledgement of logs. */
const MAX_DELIVERY_MS = 500;

const DEFAULT_LIMITS: IsolateLimits = { cpuMs: 10_000, subRequests: 1_000 };

export interface RunParts {
  readonly control: RunControl;
  readonly loader: WorkerLoader;
  readonly outbound: Fetcher;
  /** Whether the code asks for the time itself; see `compile/guard.ts`. */
  readonly isGuarded: boolean;
}

/** The harness as the loader's stub offers it; what it answers is parsed before it is used. */
interface Harness {
  evaluate(host: IsolateHost, timeoutMs: number, skill: Pick<SandboxRun, "input" | "http">): Promise<unknown>;
}

/** Runs one block to its outcome. The outcome's logs are those that did not leave through `control.onLogs`. */
export async function runBlock(run: SandboxRun, { control, loader, outbound, isGuarded }: RunParts): Promise<Outcome> {
  const { timeoutMs } = run;
  const { cpuMs, subRequests } = run.limits ?? DEFAULT_LIMITS;
  // A block that computes all the time needs as much processor time as it takes, and no more.
  const limits = { cpuMs: Math.min(timeoutMs, cpuMs), subRequests };
  // On its way while the code is compiled.
  const begun = Promise.resolve(control.begun()).then(
    () => true,
    () => false,
  );
  const load = loadFrom(control);
  const compiled = await link(run.code, { credentials: run.credentials, isGuarded, file: run.file, load });
  if (!compiled.ok) {
    const { message, position } = compiled;
    return { kind: "not_compilable", message, position, logs: [] };
  }
  if (!(await begun)) return { kind: "cancelled", logs: [] };
  const translate = createTranslate(compiled);
  const readLogs = createLogFilter(translate);
  const host = new IsolateHost({ control, readLogs });

  const evaluate = async (): Promise<unknown> => {
    const { code, modules } = compiled;
    const parts = { code, modules, credentials: run.credentials, limits, outbound };
    // The loader's stub is typed for any Worker; this one is ours.
    const harness = loader.load(toIsolate(parts)).getEntrypoint() as unknown as Harness;
    return harness.evaluate(host, timeoutMs, { input: run.input, http: run.http });
  };
  const startedMs = Date.now();
  const timedOut = (logs: LogLine[]): Outcome => ({ kind: "timed_out", timeoutMs, logs });
  const answer = evaluate()
    .then(
      (claimed) => fromAnswer(claimed, { code: compiled, translate, readLogs }),
      (error: unknown) => fromRejection(error, compiled, { timeoutMs, cpuLimitMs: limits.cpuMs }),
    )
    // A loop of the code may have held up the deadline's timer: the clock decides, and the last lines come along.
    .then((outcome) => (Date.now() - startedMs < timeoutMs ? outcome : timedOut(outcome.logs)));
  // An owner that is gone has ended the run as well: nobody waits for it.
  const cancel = (): Outcome => ({ kind: "cancelled", logs: [] });
  const ended = Promise.resolve(control.ended()).then(cancel, cancel);
  const outcome = await within(timeoutMs, [answer, ended], () => timedOut([]));
  await within(MAX_DELIVERY_MS, [IsolateHost.close(host)], () => undefined);
  return outcome;
}

/** The first of the promises to settle, or `late()` after `ms` milliseconds. */
async function within<T>(ms: number, promises: readonly Promise<T>[], late: () => T): Promise<T> {
  let timer: number | null = null;
  const deadline = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), ms);
  });
  try {
    return await Promise.race([...promises, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * The call to the sandbox, from outside its process: whatever becomes of that process, an outcome comes back in bounded
 * time. A run that had not begun when the process was lost is run again; one that had begun never is, for what it has
 * sent cannot be taken back.
 */
import { RpcTarget } from "cloudflare:workers";
import { z } from "zod";

import type { ModuleAnswer, ModuleRequest, ModuleSource } from "../contract/modules.ts";
import { Outcome } from "../contract/outcome.ts";
import type { LogLine, RunControl, SandboxRun } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { toPlain } from "./plain.ts";

/** How long after its deadline a run has an answer at the latest, whatever the sandbox does, in milliseconds. */
const GRACE_MS = 1_000;

/** How long after its deadline a run may be without one until somebody looks whether the sandbox lives. */
const OVERDUE_MS = 200;

/** A sandbox that was replaced is found after a moment. */
const RETRY_MS = 50;

export interface ControlParts {
  readonly onProgress: (text: string) => void;
  /** Answers a call of the code; see `RunControl.call`. */
  readonly call: (name: string, argument: string) => Promise<string>;
  /** Gives the saved files that the code imports. */
  readonly modules: ModuleSource["modules"];
  /** Settles when the run is to end, or its outcome is known. */
  readonly ended: Promise<void>;
}

/** The sandbox's callback in one attempt: collects logs as they leave, answers calls, and tells when the run is over. */
class Control extends RpcTarget implements RunControl {
  readonly #parts: ControlParts;
  readonly #logs: LogLine[];
  #hasBegun = false;
  #isGivenUp = false;

  constructor(parts: ControlParts, logs: LogLine[]) {
    super();
    this.#parts = parts;
    this.#logs = logs;
  }

  /** Whether the sandbox has taken up the run. It says so, and waits for the answer, before the first line of code. */
  static hasBegun(control: Control): boolean {
    return control.#hasBegun;
  }
  /** From now on this attempt may not begin: the run is over, or was begun elsewhere. */
  static giveUp(control: Control): void {
    control.#isGivenUp = true;
  }

  begun(): void {
    if (this.#isGivenUp) throw new Error("This run is not waited for any more.");
    this.#hasBegun = true;
  }
  ended(): Promise<void> {
    return this.#parts.ended;
  }
  onLogs(lines: readonly LogLine[]): void {
    this.#logs.push(...lines);
  }
  onProgress(text: string): void {
    this.#parts.onProgress(text);
  }
  call(name: string, argument: string): Promise<string> {
    return this.#parts.call(name, argument);
  }
  modules(requests: readonly ModuleRequest[]): Promise<readonly ModuleAnswer[]> {
    return this.#parts.modules(requests);
  }
}

/** Runs a block in the sandbox. Never rejects. */
export async function runInSandbox(env: Env, request: SandboxRun, parts: ControlParts): Promise<Outcome> {
  const { timeoutMs } = request;
  const logs: LogLine[] = [];
  const overdue = after(timeoutMs + OVERDUE_MS);
  const due = after(timeoutMs + GRACE_MS);
  try {
    for (;;) {
      const control = new Control(parts, logs);
      const outcome = await attempt(env, request, { control, overdue, due });
      Control.giveUp(control);
      if (outcome !== null) return { ...outcome, logs: [...logs, ...outcome.logs] };
      if (due.isOver()) return { kind: "sandbox_busy", logs: [] };
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  } finally {
    overdue.cancel();
    due.cancel();
  }
}

interface Attempt {
  readonly control: Control;
  readonly overdue: Alarm;
  readonly due: Alarm;
}

/** One try; null when the run has not begun, and will not begin in this one. */
async function attempt(env: Env, request: SandboxRun, { control, overdue, due }: Attempt): Promise<Outcome | null> {
  const { timeoutMs } = request;
  /** What became of a run whose process is gone, or does not answer. */
  const lost = (): Outcome | null => {
    if (!Control.hasBegun(control)) return null;
    return overdue.isOver() ? { kind: "timed_out", timeoutMs, logs: [] } : { kind: "sandbox_restarted", logs: [] };
  };
  const running = toPlain(env.SANDBOX.run(request, control)).then(Outcome.parse, lost).catch(lost);
  const first = await Promise.race([running, overdue.promise.then(() => "overdue" as const)]);
  if (first !== "overdue") return first;
  // The sandbox keeps deadlines itself: one that does not has stopped, and would keep the next run waiting as well.
  const replaced = isReplaced(env).then((isGone) => (isGone ? lost() : running));
  return Promise.race([running, replaced, due.promise.then(lost)]);
}

const Supervision = z.object({ isReplaced: z.boolean() });

/** Has the local supervisor look after the sandbox. Without one, the platform does. */
async function isReplaced({ SUPERVISOR }: Env): Promise<boolean> {
  if (SUPERVISOR === undefined) return false;
  try {
    const response = await SUPERVISOR.fetch("http://supervisor/check", { method: "POST" });
    return Supervision.parse(await response.json()).isReplaced;
  } catch {
    return false;
  }
}

interface Alarm {
  readonly promise: Promise<void>;
  isOver(): boolean;
  cancel(): void;
}

function after(ms: number): Alarm {
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    resolve();
  }, ms);
  return { promise, isOver: () => isOver, cancel: () => clearTimeout(timer) };
}

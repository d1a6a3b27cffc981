/**
 * The call to the sandbox, from outside its process: whatever becomes of that process, an outcome comes back in bounded
 * time. A run that had not begun when the process was lost is run again; one that had begun never is, for what it has
 * sent cannot be taken back.
 */
import { RpcTarget } from "cloudflare:workers";
import { z } from "zod";

import { Outcome } from "../contract/outcome.ts";
import type { LogLine, RunControl, SandboxRun } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { toPlain } from "./plain.ts";

/** How long after the deadline the sandbox may still answer before it is taken for dead, in milliseconds. */
const GRACE_MS = 1_000;

/** How long a run may take to begin before somebody looks whether the sandbox lives, in milliseconds. */
const BEGIN_MS = 1_000;

/** A sandbox that was replaced is found after a moment. A run that cannot begin is given up after this long. */
const MAX_BEGIN_MS = 10_000;
const RETRY_MS = 50;

export interface ControlParts {
  readonly onProgress: (text: string) => void;
  /** Answers a call of the code; see `RunControl.call`. */
  readonly call: (name: string, argument: string) => Promise<string>;
  /** Settles when the run is to end, or its outcome is known. */
  readonly ended: Promise<void>;
}

/** The sandbox's callback: collects logs as they leave, answers calls, and tells when the run is over. */
export class Control extends RpcTarget implements RunControl {
  readonly logs: LogLine[] = [];
  /** Whether the sandbox has taken up the run. It says so, and waits for the answer, before the first line of code. */
  hasBegun = false;
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    super();
    this.#parts = parts;
  }
  begun(): void {
    this.hasBegun = true;
  }
  ended(): Promise<void> {
    return this.#parts.ended;
  }
  onLogs(lines: readonly LogLine[]): void {
    this.logs.push(...lines);
  }
  onProgress(text: string): void {
    this.#parts.onProgress(text);
  }
  call(name: string, argument: string): Promise<string> {
    return this.#parts.call(name, argument);
  }
}

/** Runs a block in the sandbox. Never rejects. */
export async function runInSandbox(env: Env, request: SandboxRun, control: Control): Promise<Outcome> {
  const startedMs = Date.now();
  for (;;) {
    const outcome = await attempt(env, request, control);
    if (outcome !== null) return { ...outcome, logs: [...control.logs, ...outcome.logs] };
    if (Date.now() - startedMs > MAX_BEGIN_MS) return { kind: "sandbox_restarted", logs: [] };
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
}

/** One try; null when the sandbox's process was lost before the run had begun. */
async function attempt(env: Env, request: SandboxRun, control: Control): Promise<Outcome | null> {
  const { timeoutMs } = request;
  const lost = (): Outcome | null => (control.hasBegun ? { kind: "sandbox_restarted", logs: [] } : null);
  const running = toPlain(env.SANDBOX.run(request, control)).then(Outcome.parse, lost).catch(lost);
  const backstop = after(timeoutMs + GRACE_MS, (): Outcome => ({ kind: "timed_out", timeoutMs, logs: [] }));
  const beginning = after(BEGIN_MS, () => "late" as const);
  try {
    const first = await Promise.race([running, backstop.promise, beginning.promise]);
    if (first !== "late") return first;
    // Only a process that is gone for certain may be left: a slow one would run the block as well.
    if (!control.hasBegun && (await isReplaced(env))) return null;
    return await Promise.race([running, backstop.promise]);
  } finally {
    if (backstop.isOver()) void isReplaced(env);
    backstop.cancel();
    beginning.cancel();
  }
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

interface Alarm<T> {
  readonly promise: Promise<T>;
  isOver(): boolean;
  cancel(): void;
}

function after<T>(ms: number, value: () => T): Alarm<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  let isOver = false;
  const timer = setTimeout(() => {
    isOver = true;
    resolve(value());
  }, ms);
  return { promise, isOver: () => isOver, cancel: () => clearTimeout(timer) };
}

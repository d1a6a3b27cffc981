/**
 * What a block may ask of the server by name, through `import { … } from "codeforge"`: a table of handlers. Arguments
 * come from the model's code and are parsed by each handler; what goes back is JSON.
 */
import type { Auth } from "../auth/auth.ts";
import type { HostAnswer } from "../contract/run.ts";
import type { RunContext } from "./run-context.ts";

/** The run that calls: who it belongs to, and what it may do. A handler gives it nothing beyond that. */
export interface CallingRun {
  readonly runId: string;
  readonly auth: Auth;
  readonly readOnly: boolean;
  /** The APIs the run may reach; null means every active one. */
  readonly apis: readonly string[] | null;
  /** Aborted when the run is over, whatever ended it. */
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  /** Epoch milliseconds by which it is over. */
  readonly deadlineMs: number;
  /** The run that started it; null for one that a tool started. */
  readonly parent: string | null;
  /** 0 for a run that a tool started, 1 for one that such a run started, and so on. */
  readonly depth: number;
  /** Who is told of its progress and its requests. */
  readonly context: RunContext;
}

/** Answers one call with a value that JSON can carry. Throws `HostCallError` for what the code is to be told. */
export type HostCall = (argument: unknown, run: CallingRun) => Promise<unknown>;

/** Handlers by name, such as `results.read`. */
export type HostCalls = Readonly<Record<string, HostCall>>;

/** A refusal, in words for the author of the code. */
export class HostCallError extends Error {
  override readonly name = "HostCallError";
}

/** Answers one call as `RunControl.call` does: a JSON text, a `HostAnswer`. Never rejects. */
export async function answerHostCall(
  calls: HostCalls,
  run: CallingRun,
  [name, argument]: readonly [name: string, argument: string],
): Promise<string> {
  const handler = Object.hasOwn(calls, name) ? calls[name] : undefined;
  if (handler === undefined) return toText({ ok: false, message: `this server knows no ${JSON.stringify(name)}` });
  try {
    return toText({ ok: true, value: (await handler(JSON.parse(argument), run)) ?? null });
  } catch (error) {
    if (error instanceof HostCallError) return toText({ ok: false, message: error.message });
    console.error(`unexpected: ${name}: ${error instanceof Error ? error.name : typeof error}`);
    return toText({ ok: false, message: `${name} failed on the server; its log says where` });
  }
}

function toText(answer: HostAnswer): string {
  return JSON.stringify(answer);
}

/**
 * How a run ended, as seen from outside the isolate: what its answer claims, or what the runtime says when no answer
 * came. An error with `remote` was thrown inside the isolate, where the code could have made it.
 */
import type { Outcome, RenderedValue } from "../src/contract/outcome.ts";
import type { LogLine } from "../src/contract/run.ts";
import { isTooLarge, parseClaim, type Completed } from "./claim.ts";
import type { Program } from "./compile/link.ts";
import type { Translate } from "./logs.ts";

const STACK_FRAME = /^[ \t]+at .*?\(?((?:code|skill\d+)\.js):(\d+):(\d+)\)?$/m;

/** What turns an isolate's words into the user's own. */
export interface Reading {
  readonly code: Pick<Program, "locate">;
  readonly translate: Translate;
  /** Lets through the lines that the run may still log. */
  readLogs(lines: readonly LogLine[]): LogLine[];
}

/** The outcome that the isolate's answer claims; its logs are the ones that had not left before. */
export function fromAnswer(answer: unknown, { code, translate, readLogs }: Reading): Outcome {
  const claim = parseClaim(answer);
  if (claim === null) {
    return {
      kind: "ended_by_platform",
      message: "the code damaged the environment it ran in; its answer cannot be read",
      logs: [],
    };
  }
  const logs = readLogs(claim.logs);
  if (claim.kind === "threw") {
    const frame = STACK_FRAME.exec(claim.stack);
    const position = frame === null ? null : code.locate(Number(frame[2]), Number(frame[3]), frame[1]);
    return { kind: "threw", message: translate(claim.message), position, logs };
  }
  if (isTooLarge(claim)) return { kind: "result_too_large", logs };
  return { kind: "completed", value: toValue(claim, translate), logs };
}

function toValue({ text, json, media }: Completed, translate: Translate): RenderedValue | null {
  if (json !== undefined) return { json, media };
  return text === undefined ? null : { text: translate(text).toWellFormed(), media };
}

/** The limits under which a run was loaded, in milliseconds. */
export interface TimeLimits {
  readonly timeoutMs: number;
  readonly cpuLimitMs: number;
}

/** The outcome when the call into the isolate failed, by what the runtime says. */
export function fromRejection(error: unknown, code: Pick<Program, "locate">, limits: TimeLimits): Outcome {
  const message = error instanceof Error ? error.message : String(error);
  const isRemote = error instanceof Error && "remote" in error && error.remote === true;
  if (isRemote) {
    if (message.startsWith("Serialized RPC arguments or return values are limited"))
      return { kind: "result_too_large", logs: [] };
    return { kind: "threw", message, position: null, logs: [] };
  }
  if (message.includes("code had hung")) return { kind: "hung", logs: [] };
  if (message.includes("process.exit(")) return { kind: "exited", logs: [] };
  if (/exceeded (?:its )?memory|memory limit/i.test(message)) return { kind: "out_of_memory", logs: [] };
  if (/CPU (?:time )?limit/i.test(message)) return { kind: "timed_out", ...limits, logs: [] };
  const start = /^Failed to start Worker:\s*(?:Uncaught )?([^]*?)\s+at ((?:code|skill\d+)\.js):(\d+):(\d+)/.exec(
    message,
  );
  if (start !== null) {
    const [, reason = "", module, line, column] = start;
    const position = code.locate(Number(line), Number(column), module);
    return { kind: "not_compilable", message: reason, position, logs: [] };
  }
  return { kind: "ended_by_platform", message, logs: [] };
}

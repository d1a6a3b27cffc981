/**
 * How a run ended, as seen from outside the isolate: what its answer claims, or what the runtime says when no answer
 * came. An error with `remote` was thrown inside the isolate, where the code could have made it.
 */
import type { Outcome, RenderedValue } from "../src/contract/outcome.ts";
import { isTooLarge, parseClaim, type Completed } from "./claim.ts";
import type { Compiled } from "./compile/compile.ts";

type Runnable = Extract<Compiled, { ok: true }>;

const STACK_FRAME = /^\s+at .*?\(?code\.js:(\d+):(\d+)\)?$/m;
const PLACE = /\(code\.js:(\d+):(\d+)\)/g;
/** Places turned into the user's own in one text; a text with more of them is no text of ours. */
const MAX_PLACES = 1_000;

/** The outcome that the isolate's answer claims; its logs are the ones that had not left before. */
export function fromAnswer(answer: unknown, code: Runnable): Outcome {
  const claim = parseClaim(answer);
  if (claim === null) {
    return {
      kind: "ended_by_platform",
      message: "the code damaged the environment it ran in; its answer cannot be read",
      logs: [],
    };
  }
  const logs = claim.logs.map(({ level, text }) => ({ level, text: withOwnPlaces(text, code) }));
  if (claim.kind === "threw") {
    const frame = STACK_FRAME.exec(claim.stack);
    const position = frame === null ? null : code.locate(Number(frame[1]), Number(frame[2]));
    return { kind: "threw", message: withOwnPlaces(claim.message, code), position, logs };
  }
  if (isTooLarge(claim)) return { kind: "result_too_large", logs };
  return { kind: "completed", value: toValue(claim, code), logs };
}

function toValue({ text, json, media }: Completed, code: Runnable): RenderedValue | null {
  if (json !== undefined) return { text: json, json, media };
  return text === undefined ? null : { text: withOwnPlaces(text, code).toWellFormed(), media };
}

/** The outcome when the call into the isolate failed, by what the runtime says. */
export function fromRejection(error: unknown, code: Runnable, timeoutMs: number): Outcome {
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
  if (/CPU (?:time )?limit/i.test(message)) return { kind: "timed_out", timeoutMs, logs: [] };
  const start = /^Failed to start Worker:\s*(?:Uncaught )?([^]*?)\s+at code\.js:(\d+):(\d+)/.exec(message);
  if (start !== null) {
    const [, reason = "", line, column] = start;
    return { kind: "not_compilable", message: reason, position: code.locate(Number(line), Number(column)), logs: [] };
  }
  return { kind: "ended_by_platform", message, logs: [] };
}

/** Rewrites the places that the harness notes, `(code.js:5:11)`, as lines of the user's own text. */
export function withOwnPlaces(text: string, code: Runnable): string {
  let count = 0;
  return text.replace(PLACE, (place, line: string, column: string) => {
    if (++count > MAX_PLACES) return place;
    const own = code.locate(Number(line), Number(column));
    return `(line ${own.line}:${own.column})`;
  });
}

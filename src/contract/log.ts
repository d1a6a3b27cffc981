/**
 * The log line: `[ISO-8601 UTC] [tag] key=value …`. The tag set is closed and every value from outside is JSON-quoted
 * with control characters gone, so that no value can start a line, open a tag or move a terminal's cursor.
 */

export const LOG_TAGS = ["req", "inject", "restrict", "redact", "sanitize", "sandbox", "skill", "debug"] as const;
export type LogTag = (typeof LOG_TAGS)[number];

/** Numbers, booleans and null are written bare; strings are quoted; lists are joined inside one pair of quotes. */
export type LogFields = Readonly<Record<string, string | number | boolean | null | readonly string[] | undefined>>;

/** Longest line, in characters; what is beyond it is cut and marked with `…`. */
export const MAX_LOG_LINE = 2_048;

/**
 * Formats one line. `event` is a word of ours (`create`, `>>>`), never input.
 * @example formatLog(0, "req", "", { method: "GET" }) // [1970-01-01T00:00:00.000Z] [req] method="GET"
 */
export function formatLog(nowMs: number, tag: LogTag, event: string, fields: LogFields): string {
  const parts = [`[${new Date(nowMs).toISOString()}] [${tag}]`];
  if (event !== "") parts.push(event);
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) parts.push(`${key}=${quote(value)}`);
  const line = parts.join(" ");
  return line.length <= MAX_LOG_LINE ? line : `${line.slice(0, MAX_LOG_LINE - 2)}…"`;
}

function quote(value: string | number | boolean | null | readonly string[]): string {
  if (typeof value === "string") return JSON.stringify(value).replace(UNPRINTABLE, toEscape);
  if (typeof value === "object" && value !== null) return quote(value.join(","));
  return String(value);
}

/** What JSON leaves as it is and a terminal or a line reader may act on: DEL and C1, line separators, bidi controls. */
// oxlint-disable-next-line no-control-regex -- these are the characters to be escaped
const UNPRINTABLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Positions in the user's own text. Offsets are UTF-16 code units from 0; lines and columns are counted from 1, as an
 * editor shows them, in the text as it arrived: prose and fences round the code included.
 */
import type { Position } from "../../src/contract/outcome.ts";

export interface LineColumn {
  readonly line: number;
  readonly column: number;
}

/** Widest part of a line that a frame shows. */
const MAX_FRAME_WIDTH = 120;

/** The line and column of an offset. */
export function toLineColumn(text: string, offset: number): LineColumn {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: offset - lineStart + 1 };
}

/** The offset of a line and column; a column beyond its line stays on it. */
export function toOffset(text: string, { line, column }: LineColumn): number {
  let start = 0;
  for (let count = 1; count < line; count++) {
    const next = text.indexOf("\n", start);
    if (next === -1) return text.length;
    start = next + 1;
  }
  const end = text.indexOf("\n", start);
  return Math.min(start + column - 1, end === -1 ? text.length : end);
}

/** A position with the line it is on and a caret under its column. */
export function toPosition(text: string, offset: number, file?: string): Position {
  const { line, column } = toLineColumn(text, offset);
  const full = (text.split("\n")[line - 1] ?? "").replace(/\r$/, "");
  const from = column > MAX_FRAME_WIDTH ? column - MAX_FRAME_WIDTH / 2 : 0;
  const shown = full.slice(from, from + MAX_FRAME_WIDTH);
  const indent = shown.slice(0, Math.max(0, column - 1 - from)).replace(/[^\t]/g, " ");
  const gutter = " ".repeat(String(line).length);
  const frame = `${line} | ${shown}\n${gutter} | ${indent}^`;
  return { ...(file === undefined ? {} : { file }), line, column, frame };
}

/** One segment of a source map: where a column of the generated line comes from. */
export interface Segment {
  readonly column: number;
  readonly sourceLine: number;
  readonly sourceColumn: number;
}

/** The place in the source of a generated column (from 0), by the nearest segment at or before it. */
export function trace(segments: readonly Segment[], column: number): LineColumn | null {
  const segment = segments.findLast((candidate) => candidate.column <= column) ?? segments[0];
  return segment === undefined ? null : { line: segment.sourceLine + 1, column: segment.sourceColumn + 1 };
}

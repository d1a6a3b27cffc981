/**
 * Two things that read as a value at the end of a block and are a syntax error there: an object literal, and a function
 * without a name. Both become what they look like once they stand in parentheses.
 */
import { insert, type Source } from "./source.ts";

const CANDIDATE = /^[ \t]*(?=\{|(?:async[ \t]+)?function\b[ \t*]*\()/gm;
const MAX_CANDIDATES = 5;
const MAX_ENDS = 4;
/** Each attempt is a pass over the whole text; a block this long does not end in a bare value. */
const MAX_LENGTH = 100_000;

/** The source with its last value in parentheses, in every way that may be meant, the shortest first. */
export function* repairs(source: Source): Generator<Source> {
  const { text } = source;
  if (text.length > MAX_LENGTH) return;
  const starts = [...text.matchAll(CANDIDATE)].map((match) => match.index + match[0].length);
  const ends = possibleEnds(text);
  for (const start of starts.toReversed().slice(0, MAX_CANDIDATES)) {
    for (const end of ends) {
      if (end <= start) continue;
      yield insert(source, [
        { at: start, character: "(" },
        { at: end, character: ")" },
      ]);
    }
  }
}

/** Where the code may end, taking what looks like trailing comments off one by one. */
function possibleEnds(text: string): number[] {
  const ends = [trimmedEnd(text, text.length)];
  while (ends.length < MAX_ENDS) {
    const end = ends.at(-1) ?? 0;
    const lineStart = text.lastIndexOf("\n", end - 1) + 1;
    const isBlock = text.endsWith("*/", end);
    const opening = isBlock ? text.lastIndexOf("/*", end) : text.lastIndexOf("//", end);
    if (opening === -1 || (!isBlock && opening < lineStart)) break;
    ends.push(trimmedEnd(text, opening));
  }
  return ends;
}

function trimmedEnd(text: string, from: number): number {
  let end = from;
  while (end > 0 && /[\s;]/.test(text.charAt(end - 1))) end -= 1;
  return end;
}

/**
 * Two things that read as a value at the end of a block and are a syntax error there: an object literal, and a function
 * without a name. Both become what they look like once they stand in parentheses.
 */
import { insert, type Source } from "./source.ts";

const CANDIDATE = /^[ \t]*(?=\{|(?:async[ \t]+)?function\b[ \t]*\*?[ \t]*\()/gm;
const TRAILERS = [/[\s;]*$/, /(?:[\s;]|\/\/[^\n]*|\/\*[^]*?\*\/)*$/];
const MAX_CANDIDATES = 5;

/** The source with its last value in parentheses, in every way that may be meant, the shortest first. */
export function* repairs(source: Source): Generator<Source> {
  const { text } = source;
  const starts = [...text.matchAll(CANDIDATE)].map((match) => match.index + match[0].length);
  const ends = new Set(TRAILERS.map((trailer) => trailer.exec(text)?.index ?? text.length));
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

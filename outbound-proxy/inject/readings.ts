/**
 * Texts as their receiver reads them, with the way back to what is written: a name is looked for in the decoded text,
 * and the raw text is what is edited, so that nothing but the name changes.
 */

/** A raw text, its decoded form, and where in the raw text each decoded position lies. */
export interface Reading {
  readonly raw: string;
  readonly text: string;
  toRaw(position: number): number;
}

/** A text that is written as it is read. */
export function readPlain(raw: string): Reading {
  return { raw, text: raw, toRaw: (position) => position };
}

/**
 * A percent-encoded text. Escapes beyond ASCII each read as one U+FFFD: they can be no part of a name, and that is all
 * that is asked of them.
 */
export function readPercent(raw: string): Reading {
  return readEscapes(raw, /%([0-9a-f]{2})/gi, ([, hex = ""]) => {
    const code = parseInt(hex, 16);
    return code < 0x80 ? String.fromCharCode(code) : "\ufffd";
  });
}

const JSON_ESCAPES = new Map(Object.entries({ b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" }));

/** The inside of a JSON string. */
export function readJson(raw: string): Reading {
  return readEscapes(raw, /\\(?:u([0-9a-f]{4})|([^u]))/gi, ([, code, letter = ""]) =>
    code === undefined ? (JSON_ESCAPES.get(letter) ?? letter) : String.fromCharCode(parseInt(code, 16)),
  );
}

/** Reads escapes that each stand for one character. */
function readEscapes(raw: string, escapes: RegExp, decode: (match: RegExpExecArray) => string): Reading {
  let text = "";
  let done = 0;
  /** For each escape: the position after it, in the decoded text and in the raw one. */
  const ends: number[] = [];
  const rawEnds: number[] = [];
  for (const match of raw.matchAll(escapes)) {
    text += raw.slice(done, match.index) + decode(match);
    done = match.index + match[0].length;
    ends.push(text.length);
    rawEnds.push(done);
  }
  if (ends.length === 0) return readPlain(raw);
  return {
    raw,
    text: text + raw.slice(done),
    toRaw: (position) => {
      const last = countUpTo(ends, position) - 1;
      return position - (ends[last] ?? 0) + (rawEnds[last] ?? 0);
    },
  };
}

/** How many of the ascending numbers are at most `limit`. */
function countUpTo(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] ?? 0) <= limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

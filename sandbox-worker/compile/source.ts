/**
 * Finds the code in what a model sent: a byte order mark, a `#!` line, prose and Markdown fences are overwritten with
 * spaces, so that every character that stays keeps its line and column.
 */

/** The text to compile. `toOriginal` takes an offset in `text` to the text as it arrived. */
export interface Source {
  readonly text: string;
  readonly original: string;
  toOriginal(offset: number): number;
}

const FENCE = /^[ \t]*(`{3,})([^\n`]*)$/gm;

/** Languages of fences that hold the code; a fence without a language is taken too. */
const LANGUAGES = new Set(["", "ts", "typescript", "js", "javascript", "mts", "mjs", "tsx", "jsx", "deno", "node"]);

/** The whole text as code, without its byte order mark and `#!` line. */
export function toSource(original: string): Source {
  const text = original.replace(/^\uFEFF/, " ").replace(/^\s?#!.*/, blank);
  return { text, original, toOriginal: (offset) => offset };
}

/** The code inside the Markdown fences of the text, or null when it has none. A fence left open runs to the end. */
export function fromFences(source: Source): Source | null {
  const { text } = source;
  let code = "";
  let end = 0;
  let open: { marker: string; wanted: boolean } | null = null;
  let found = false;
  for (const match of text.matchAll(FENCE)) {
    const [line, marker = "", info = ""] = match;
    const language = info.trim().split(/\s/)[0] ?? "";
    const isClosing: boolean = open !== null && language === "" && marker.startsWith(open.marker);
    if (open !== null && !isClosing) continue;
    const part = text.slice(end, match.index);
    code += (open?.wanted === true ? part : blank(part)) + blank(line);
    end = match.index + line.length;
    open = isClosing ? null : { marker, wanted: LANGUAGES.has(language.toLowerCase()) };
    found ||= open?.wanted === true;
  }
  const rest = text.slice(end);
  return found ? { ...source, text: code + (open?.wanted === true ? rest : blank(rest)) } : null;
}

/** The source with one character inserted at each of the offsets; what is reported about them points at the next one. */
export function insert(source: Source, insertions: readonly { at: number; character: string }[]): Source {
  let text = "";
  let end = 0;
  for (const { at, character } of insertions) {
    text += source.text.slice(end, at) + character;
    end = at;
  }
  return {
    ...source,
    text: text + source.text.slice(end),
    toOriginal: (offset) =>
      source.toOriginal(offset - insertions.filter(({ at }, index) => at + index < offset).length),
  };
}

function blank(text: string): string {
  return text.replace(/[^\r\n]/g, " ");
}

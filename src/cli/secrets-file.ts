/**
 * `.dev.vars`: reading it exactly as wrangler does, and setting one value in it while every other byte stays as it was.
 * The format has no escape for quotes, so whether a text can be written is found out by reading the result back.
 */

/** The grammar of `dotenv` 16, which wrangler reads the file with (no `$` expansion): name, then an optional value. */
const ENTRY =
  /^\s*(?:export\s+)?([\w.-]+)(?:\s*=\s*?|:\s+?)(\s*'(?:\\'|[^'])*'|\s*"(?:\\"|[^"])*"|\s*`(?:\\`|[^`])*`|[^#\r\n]+)?\s*(?:#.*)?$/dgm;

/** Every name in the text of a `.dev.vars` file with its value; of a name given twice, the last value. */
export function parseVars(text: string): Map<string, string> {
  return new Map(entriesOf(text).map(({ name, value }) => [name, value]));
}

/**
 * The text with `name` set to `value`: its last entry changed in place, or a line added at the end. Undefined if the
 * format cannot hold the value there (all three kinds of quotes together with `#` or a line break).
 */
export function setVar(text: string, name: string, value: string): string | undefined {
  const wanted = parseVars(text).set(name, value);
  return renderings(value)
    .map((rendering) => place(text, name, rendering))
    .find((candidate) => sameVars(parseVars(candidate), wanted));
}

interface Entry {
  readonly name: string;
  readonly value: string;
  /** Where the value as written begins and ends, white space round it left out. */
  readonly start: number;
  readonly end: number;
}

function entriesOf(text: string): Entry[] {
  return [...text.matchAll(ENTRY)].map((match) => {
    const [, name = "", written = ""] = match;
    const leading = written.length - written.trimStart().length;
    const nameEnd = match.indices?.[1]?.[1] ?? 0;
    const start = (match.indices?.[2]?.[0] ?? nameEnd + separatorLength(text.slice(nameEnd))) + leading;
    return { name, value: readValue(written.trim()), start, end: start + written.trim().length };
  });
}

function separatorLength(text: string): number {
  return /^(?:\s*=|:[ \t]?)/.exec(text)?.[0].length ?? 0;
}

function readValue(written: string): string {
  const text = written.replace(/\r\n?/g, "\n");
  const inner = text.replace(/^(['"`])([\s\S]*)\1$/gm, "$2");
  return text.startsWith('"') ? inner.replace(/\\n/g, "\n").replace(/\\r/g, "\r") : inner;
}

/** The ways to write a value, the one that is easiest to read first. */
function renderings(value: string): string[] {
  const plain = /^[\w./:+@=-]+$/.test(value) ? [value] : [];
  const escaped = value.replace(/\n/g, "\\n").replace(/\r/g, "\\r");
  return [...plain, `'${value}'`, `"${value}"`, `\`${value}\``, `"${escaped}"`, value];
}

function place(text: string, name: string, rendering: string): string {
  const entry = entriesOf(text).findLast((entry) => entry.name === name);
  if (entry !== undefined) return text.slice(0, entry.start) + rendering + text.slice(entry.end);
  const lineBreak = text.includes("\r\n") ? "\r\n" : "\n";
  const before = text === "" || text.endsWith("\n") ? text : text + lineBreak;
  return `${before}${name}=${rendering}${lineBreak}`;
}

function sameVars(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([name, value]) => b.get(name) === value);
}

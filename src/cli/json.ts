/**
 * Reads JSON that people write. An error says where and what is usual there; it never shows the text, which may hold a
 * pasted secret (the messages of `JSON.parse` quote it).
 */

export type JsonResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly message: string };

/** Parses strict JSON; a byte order mark at its start is ignored. */
export function parseJson(text: string): JsonResult {
  const source = text.replace(/^\uFEFF/, "");
  try {
    const value: unknown = JSON.parse(source);
    return { ok: true, value };
  } catch {
    const offset = errorOffset(source);
    const before = source.slice(0, offset).split("\n");
    const where = `line ${before.length}, column ${(before.at(-1) ?? "").length + 1}`;
    return { ok: false, message: `not valid JSON at ${where}: ${hint(source, offset)}` };
  }
}

function hint(text: string, offset: number): string {
  const next = text.charAt(offset);
  if (next === "") return "it ends too early; a bracket or a quote is not closed";
  if (next === "/" || next === "#") return "comments are not possible in this file";
  if (next === "'") return 'use double quotes (")';
  if (/[}\]]/.test(next) && /,\s*$/.test(text.slice(0, offset))) return "remove the comma before this bracket";
  if (next === '"' && tokenAt(text, offset) === "") {
    return "this string is not closed on its line, or holds a backslash that JSON does not know";
  }
  if (next === '"' && /["\]}\w]\s*$/.test(text.slice(0, offset))) return "a comma may be missing before this";
  return "this is not expected here";
}

const TOKEN =
  /[{}[\],:]|"(?:[^"\\\n\r\t]|\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

function tokenAt(text: string, offset: number): string {
  TOKEN.lastIndex = offset;
  return TOKEN.exec(text)?.[0] ?? "";
}

/** The offset of the first token that cannot stand where it does; the text's length if it only ends too early. */
function errorOffset(text: string): number {
  let at = 0;
  const peek = (): string => {
    while (/[ \t\r\n]/.test(text.charAt(at))) at++;
    return tokenAt(text, at);
  };
  const take = (accept: RegExp): boolean => {
    const token = peek();
    if (!accept.test(token)) return false;
    at += token.length;
    return true;
  };
  const list = (close: RegExp, item: () => boolean): boolean => {
    if (take(close)) return true;
    do if (!item()) return false;
    while (take(/^,$/));
    return take(close);
  };
  const value = (): boolean => {
    if (take(/^\{$/)) return list(/^\}$/, () => take(/^"/) && take(/^:$/) && value());
    if (take(/^\[$/)) return list(/^\]$/, value);
    return take(/^["\-\dtfn]/);
  };
  if (value()) peek();
  return at;
}

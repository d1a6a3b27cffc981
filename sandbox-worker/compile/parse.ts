/**
 * TypeScript to JavaScript to a syntax tree. What the stripper would delete in silence (`namespace`) or cannot read
 * (JSX) is refused by name. Stripping keeps every line where it is; columns are traced back on demand.
 */
import { parse as parseJavaScript, type Program } from "acorn";
import { transform, type Transform } from "sucrase";

import { toLineColumn, toOffset, trace, type Segment } from "./positions.ts";
import { decodeMappings } from "./sourcemap.ts";

/** Something wrong with the code, at an offset of the text it was found in. */
export interface Issue {
  readonly message: string;
  readonly offset: number;
}

export interface Parsed {
  /** The JavaScript, line by line where the TypeScript was. */
  readonly javascript: string;
  readonly program: Program;
  /** Takes an offset in the JavaScript to the TypeScript. */
  toTypeScript(offset: number): number;
}

export type ParseResult =
  | { readonly ok: true; readonly parsed: Parsed }
  | { readonly ok: false; readonly issue: Issue };

/** Parses TypeScript as a module in which `return` and `await` may stand at the top. */
export function parse(typescript: string): ParseResult {
  const stripped = strip(typescript);
  if (!stripped.ok) return { ok: false, issue: jsxIssue(typescript) ?? stripped.issue };
  const namespace = findNamespace(typescript);
  if (namespace !== null) return { ok: false, issue: namespace };

  const { javascript } = stripped;
  let map: Segment[][] | undefined;
  const toTypeScript = (offset: number): number => {
    map ??= mapStripped(typescript, "typescript");
    return traceStripped(map, typescript, javascript, offset);
  };
  const tree = parseStripped(javascript);
  if (tree.ok) return { ok: true, parsed: { javascript, program: tree.program, toTypeScript } };
  return { ok: false, issue: { ...tree.issue, offset: toTypeScript(tree.issue.offset) } };
}

function strip(typescript: string): { ok: true; javascript: string } | { ok: false; issue: Issue } {
  try {
    return { ok: true, javascript: transform(typescript, options("typescript")).code };
  } catch (error) {
    return { ok: false, issue: toIssue(error) };
  }
}

function parseStripped(javascript: string): { ok: true; program: Program } | { ok: false; issue: Issue } {
  try {
    const program = parseJavaScript(javascript, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
    return { ok: true, program };
  } catch (error) {
    const issue = toIssue(error);
    if (javascript[issue.offset] !== "@") return { ok: false, issue };
    return { ok: false, issue: { ...issue, message: "Decorators cannot run here: write the plain class or function" } };
  }
}

function options(...transforms: Transform[]) {
  return { transforms, disableESTransforms: true, keepUnusedImports: true, production: true };
}

/**
 * Both parsers throw a SyntaxError with `pos`, and end its message with the position, which is said elsewhere.
 * @throws what is no syntax error, such as the RangeError of a stack that was too small
 */
function toIssue(error: unknown): Issue {
  if (!(error instanceof SyntaxError)) throw error;
  const offset = "pos" in error && typeof error.pos === "number" ? error.pos : 0;
  return { message: error.message.replace(/ \(\d+:\d+\)$/, ""), offset };
}

function mapStripped(typescript: string, ...transforms: Transform[]): Segment[][] {
  const sourceMapOptions = { compiledFilename: "code.js" };
  const { sourceMap } = transform(typescript, { ...options(...transforms), filePath: "code.ts", sourceMapOptions });
  return decodeMappings(sourceMap?.mappings ?? "");
}

function traceStripped(map: Segment[][], typescript: string, javascript: string, offset: number): number {
  const { line, column } = toLineColumn(javascript, offset);
  return toOffset(typescript, trace(map[line - 1] ?? [], column - 1) ?? { line, column });
}

const NAMESPACE = /(declare\s+)?\b(namespace|module)\s+[\w$.]+\s*\{/g;

/** Words that are broken one by one to find the first that is code; each costs a pass over the text. */
const MAX_SUSPECTS = 20;

/** A `namespace` with a body, which the stripper deletes. Breaking the word tells code from a comment or a string. */
function findNamespace(typescript: string): Issue | null {
  const suspects: { keyword: string; offset: number }[] = [];
  for (const match of typescript.matchAll(NAMESPACE)) {
    const [text, declare, keyword = ""] = match;
    if (declare === undefined) suspects.push({ keyword, offset: match.index + text.indexOf(keyword) });
  }
  const isCode = (words: typeof suspects): boolean => words.length > 0 && !strip(withBroken(typescript, words)).ok;
  if (!isCode(suspects)) return null;
  const found = suspects.slice(0, MAX_SUSPECTS).find((suspect) => isCode([suspect])) ?? suspects[0];
  if (found === undefined) return null;
  const message = `"${found.keyword}" cannot run here: write plain functions, or an object that holds them`;
  return { message, offset: found.offset };
}

function withBroken(text: string, words: readonly { keyword: string; offset: number }[]): string {
  let broken = "";
  let end = 0;
  for (const { keyword, offset } of words) {
    broken += text.slice(end, offset) + "%".repeat(keyword.length);
    end = offset + keyword.length;
  }
  return broken + text.slice(end);
}

/** Whether the text would have been readable with JSX in it, and where the JSX begins. */
function jsxIssue(typescript: string): Issue | null {
  if (!/<[A-Za-z>]/.test(typescript)) return null;
  try {
    const { code } = transform(typescript, options("typescript", "jsx"));
    const element = code.indexOf("React.createElement");
    if (element === -1) return null;
    const offset = traceStripped(mapStripped(typescript, "typescript", "jsx"), typescript, code, element);
    return { message: "JSX cannot run here: return data or a string", offset };
  } catch {
    return null;
  }
}

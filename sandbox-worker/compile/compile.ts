/**
 * Turns what a model wrote into an ES module whose default export runs it. Takes a script with top-level `await` and
 * `return`, a trailing expression, a default export, bare functions, a fenced block with prose round it; refuses what
 * cannot run, at its own line and column. Pure.
 */
import type { Program } from "acorn";
import { simple } from "acorn-walk";

import type { Position } from "../../src/contract/outcome.ts";
import { findHabits } from "./habits.ts";
import { findImportIssues, type Links } from "./imports.ts";
import { parse, type Issue, type Parsed } from "./parse.ts";
import { toPosition } from "./positions.ts";
import { repairs } from "./repair.ts";
import { findExports, findReturn, findSaved, type SavedImport } from "./saved.ts";
import { fromFences, toSource, type Source } from "./source.ts";
import { toModule, wrap } from "./wrap.ts";

/** A block that can run, or a file that can be imported. */
export interface Runnable {
  readonly ok: true;
  /** An ES module. That of a block has an async function as its default export, which takes the input of a skill. */
  readonly code: string;
  /** Takes a line and column of `code`, counted from 1, to the text as it arrived. */
  locate(line: number, column: number): Position;
}

/** Why code cannot run. */
export interface Uncompilable {
  readonly ok: false;
  readonly message: string;
  readonly position: Position | null;
}

/** The compiled block, or why there is none. */
export type Compiled = Runnable | Uncompilable;

export interface CompileOptions {
  /** Names that must not be written as variables. */
  readonly credentials?: readonly string[];
  /** Whether loops and functions ask for the time; see `guard.ts`. */
  readonly isGuarded?: boolean;
  /** The id of the file, which may import its neighbours; absent for a block that is in none. */
  readonly file?: string | undefined;
  /** Whether it is a file that others import, and stays a module. */
  readonly isModule?: boolean;
}

/** Code that was read, and can be made into a module once the files that it imports are known. */
export interface Prepared {
  readonly ok: true;
  readonly imports: readonly SavedImport[];
  /** The names that it exports; null when they cannot be told. */
  readonly exports: ReadonlySet<string> | null;
  /** Makes the module. */
  link(links: Links): Runnable;
  /** Takes an offset of one of its imports to the text as it arrived. */
  locate(offset: number): Position;
}

/** Compiles one block that imports no saved files. */
export function compile(original: string, options: CompileOptions = {}): Compiled {
  const prepared = prepare(original, options);
  if (!prepared.ok) return prepared;
  const [first] = prepared.imports;
  if (first === undefined) return prepared.link(new Map());
  const message = `${JSON.stringify(first.specifier)} cannot be imported here: no saved files are at hand`;
  return { ok: false, message, position: prepared.locate(first.offset) };
}

/** Reads a block, or a file. */
export function prepare(original: string, options: CompileOptions = {}): Prepared | Uncompilable {
  try {
    return prepareText(original, options);
  } catch (error) {
    // The walk over the tree is recursive; what is nested beyond its stack is nothing that a model writes.
    if (error instanceof RangeError) return { ok: false, message: "the code is nested too deeply", position: null };
    throw error;
  }
}

function prepareText(original: string, options: CompileOptions): Prepared | Uncompilable {
  const { credentials = [], isGuarded = true, file, isModule = false } = options;
  const source = toSource(original);
  const refuse = ({ message, offset }: Issue, { toOriginal }: Source): Uncompilable => ({
    ok: false,
    message,
    position: toPosition(original, toOriginal(offset), file),
  });
  if (source.text.trim() === "") return { ok: false, message: "the code is empty", position: null };
  const read = isModule ? readSource(source) : readBlock(source);
  if (!read.ok) return refuse(read.issue, read.source);

  const { parsed } = read;
  const { program, javascript } = parsed;
  const inSkill = file !== undefined;
  const returned = isModule ? findReturn(program) : null;
  const issues = [
    ...(returned === null ? [] : [returned]),
    ...findImportIssues(program, javascript, inSkill),
    ...findHabits(program, new Set(credentials)),
  ];
  const [first] = issues.sort((a, b) => a.offset - b.offset);
  if (first !== undefined) return refuse({ ...first, offset: parsed.toTypeScript(first.offset) }, read.source);

  const locate = (offset: number): Position =>
    toPosition(original, read.source.toOriginal(parsed.toTypeScript(offset)), file);
  return {
    ok: true,
    // Most blocks import none, and need no walk over their tree to find that out.
    imports: inSkill || javascript.includes("skills/") ? findSaved(program, javascript, inSkill) : [],
    exports: isModule ? findExports(program) : null,
    locate,
    link: (links) => {
      const { text, toJavaScript } = (isModule ? toModule : wrap)(program, javascript, { isGuarded, links });
      return { ok: true, code: text, locate: (line, column) => locate(toJavaScript({ line, column })) };
    },
  };
}

type Read = { ok: true; source: Source; parsed: Parsed } | { ok: false; source: Source; issue: Issue };

/** The first reading of the text that parses: as it is, its fences, its last value in parentheses. */
function readBlock(source: Source): Read {
  const asIs = readSource(source);
  if (asIs.ok && !hasFence(asIs.parsed.program)) return asIs;
  const fenced = fromFences(source);
  const best = fenced === null ? asIs : readSource(fenced);
  if (best.ok) return best;
  for (const repaired of repairs(best.source)) {
    const attempt = readSource(repaired);
    if (attempt.ok) return attempt;
  }
  return best;
}

/** A Markdown fence is valid JavaScript by accident: three templates, each the tag of the next. Nobody means that. */
function hasFence(program: Program): boolean {
  let found = false;
  simple(program, {
    TaggedTemplateExpression: ({ tag }) => {
      found ||= tag.type === "TemplateLiteral" || tag.type === "TaggedTemplateExpression";
    },
  });
  return found;
}

function readSource(source: Source): Read {
  const result = parse(source.text);
  return result.ok ? { ok: true, source, parsed: result.parsed } : { ok: false, source, issue: result.issue };
}

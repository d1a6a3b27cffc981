/**
 * Turns what a model wrote into an ES module whose default export runs it. Takes a script with top-level `await` and
 * `return`, a trailing expression, a default export, bare functions, a fenced block with prose round it; refuses what
 * cannot run, at its own line and column. Pure.
 */
import type { Program } from "acorn";
import { simple } from "acorn-walk";

import type { Position } from "../../src/contract/outcome.ts";
import { findHabits } from "./habits.ts";
import { findImportIssues } from "./imports.ts";
import { parse, type Issue, type Parsed } from "./parse.ts";
import { toPosition } from "./positions.ts";
import { repairs } from "./repair.ts";
import { fromFences, toSource, type Source } from "./source.ts";
import { wrap } from "./wrap.ts";

/** A block that can run. */
export interface Runnable {
  readonly ok: true;
  /** An ES module; its default export is an async function without parameters. */
  readonly code: string;
  /** Takes a line and column of `code`, counted from 1, to the text as it arrived. */
  locate(line: number, column: number): Position;
}

/** The compiled block, or why there is none. */
export type Compiled = Runnable | { readonly ok: false; readonly message: string; readonly position: Position | null };

export interface CompileOptions {
  /** Names that must not be written as variables. */
  readonly credentials?: readonly string[];
  /** Whether loops and functions ask for the time; see `guard.ts`. */
  readonly isGuarded?: boolean;
}

/** Compiles one block. */
export function compile(original: string, options: CompileOptions = {}): Compiled {
  try {
    return compileText(original, options);
  } catch (error) {
    // The walk over the tree is recursive; what is nested beyond its stack is nothing that a model writes.
    if (error instanceof RangeError) return { ok: false, message: "the code is nested too deeply", position: null };
    throw error;
  }
}

function compileText(original: string, { credentials = [], isGuarded = true }: CompileOptions): Compiled {
  const source = toSource(original);
  if (source.text.trim() === "") return { ok: false, message: "the code is empty", position: null };
  const read = readBlock(source);
  if (!read.ok) return refuse(read.source, read.issue);

  const { parsed } = read;
  const { program, javascript } = parsed;
  const issues = [...findImportIssues(program, javascript), ...findHabits(program, new Set(credentials))];
  const [first] = issues.sort((a, b) => a.offset - b.offset);
  if (first !== undefined) return refuse(read.source, { ...first, offset: parsed.toTypeScript(first.offset) });

  const { text, toJavaScript } = wrap(program, javascript, isGuarded);
  return {
    ok: true,
    code: text,
    locate: (line, column) => {
      const offset = parsed.toTypeScript(toJavaScript({ line, column }));
      return toPosition(original, read.source.toOriginal(offset));
    },
  };
}

type Read = { ok: true; source: Source; parsed: Parsed } | { ok: false; source: Source; issue: Issue };

/** The first reading of the text that parses: as it is, its fences, its last value in parentheses. */
function readBlock(source: Source): Read {
  const asIs = read(source);
  if (asIs.ok && !hasFence(asIs.parsed.program)) return asIs;
  const fenced = fromFences(source);
  const best = fenced === null ? asIs : read(fenced);
  if (best.ok) return best;
  for (const repaired of repairs(best.source)) {
    const attempt = read(repaired);
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

function read(source: Source): Read {
  const result = parse(source.text);
  return result.ok ? { ok: true, source, parsed: result.parsed } : { ok: false, source, issue: result.issue };
}

function refuse(source: Source, { message, offset }: Issue): Compiled {
  return { ok: false, message, position: toPosition(source.original, source.toOriginal(offset)) };
}

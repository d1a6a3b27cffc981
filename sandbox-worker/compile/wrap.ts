/**
 * Makes a module of the block: its statements become the body of one async function, the module's default export, line
 * by line where they were; its imports follow the function; its exports become plain declarations.
 */
import type { ExportDefaultDeclaration, Program } from "acorn";
import { MagicString } from "magic-string";

import { findEndings, isCalled, type Ending } from "./ending.ts";
import { guard } from "./guard.ts";
import { findMainChecks } from "./habits.ts";
import { blank, linkImports, moveImports, nameOf, type Links } from "./imports.ts";
import { toOffset, type LineColumn, type Segment } from "./positions.ts";

/** A block as a module. */
export interface Wrapped {
  readonly text: string;
  /** Takes a line and column of `text`, counted from 1, to an offset of the JavaScript that was wrapped. */
  toJavaScript(place: LineColumn): number;
}

export interface WrapOptions {
  /** Whether it is guarded against running for ever. */
  readonly isGuarded: boolean;
  readonly links: Links;
}

/** Wraps a block. */
export function wrap(program: Program, javascript: string, { isGuarded, links }: WrapOptions): Wrapped {
  const code = new MagicString(javascript);
  const imports = moveImports(program, javascript, code, links);
  for (const node of findMainChecks(program)) code.overwrite(node.start, node.end, "true");
  const guardImport = isGuarded ? guard(program, javascript, code) : "";
  const exported = plainExports(program, code, javascript);
  const endings = exported === null ? findEndings(program, javascript) : [];
  for (const ending of endings) apply(ending, code);
  if (exported !== null)
    code.append(`\nreturn typeof ${exported} === "function" ? await ${exported}(${INPUT}) : await ${exported};`);
  code.prepend("export default async function () { ");
  code.append("\n}\n");
  const body = code.toString();
  const bodyLines = body.split("\n").length - 1;
  const toJavaScript = createTrace(code, javascript);
  return {
    text: body + [...imports.map(({ line }) => line), guardImport].join("\n"),
    toJavaScript: (place) => imports[place.line - bodyLines - 1]?.offset ?? toJavaScript(place),
  };
}

/** What a block is called with: the input of a skill, nothing for any other. */
const INPUT = "arguments[0]";

/** Makes a module of a file that others import: it stays one, and its imports lead to what they mean. */
export function toModule(program: Program, javascript: string, { isGuarded, links }: WrapOptions): Wrapped {
  const code = new MagicString(javascript);
  linkImports(program, javascript, code, links);
  for (const node of findMainChecks(program)) code.overwrite(node.start, node.end, "false");
  const guardImport = isGuarded ? guard(program, javascript, code) : "";
  return { text: `${code.toString()}\n${guardImport}\n`, toJavaScript: createTrace(code, javascript) };
}

function createTrace(code: MagicString, javascript: string): Wrapped["toJavaScript"] {
  // Most runs never ask where something is; the others may ask often.
  let mappings: Segment[][] | undefined;
  return ({ line, column }) => {
    mappings ??= toSegments(code);
    const segments = mappings[line - 1] ?? [];
    // Every character of the block has a segment; a column without one is in text of ours, put before what it is about.
    const segment = segments.find((candidate) => candidate.column >= column - 1) ?? segments.at(-1);
    if (segment === undefined) return javascript.length;
    return toOffset(javascript, { line: segment.sourceLine + 1, column: segment.sourceColumn + 1 });
  };
}

function toSegments(code: MagicString): Segment[][] {
  return code
    .generateDecodedMap({ hires: true })
    .mappings.map((line) =>
      line.map(([column, , sourceLine = 0, sourceColumn = 0]) => ({ column, sourceLine, sourceColumn })),
    );
}

function apply(ending: Ending, code: MagicString): void {
  if (ending.kind === "expression") {
    blank(code, ending.statement, ending.start);
    code.appendRight(ending.start, "return await (");
    code.appendLeft(ending.end, ending.call ? `)(${INPUT});` : ");");
  } else if (ending.kind === "names") {
    const [only] = ending.names;
    const value = ending.names.length === 1 ? only : `{ ${ending.names.join(", ")} }`;
    code.appendLeft(ending.at, `; return ${value};`);
  } else {
    code.append(`\nreturn await ${ending.name}(${INPUT});`);
  }
}

/** Takes `export` off every declaration and returns the name of the default export that is to be called, if any. */
function plainExports(program: Program, code: MagicString, javascript: string): string | null {
  let exported: string | null = null;
  for (const node of program.body) {
    if (node.type === "ExportNamedDeclaration" && !node.source) {
      blank(code, node.start, node.declaration?.start ?? node.end);
      const named = node.specifiers.find((specifier) => nameOf(specifier.exported) === "default");
      if (named) exported = nameOf(named.local);
    }
    if (node.type === "ExportDefaultDeclaration") exported = plainDefault(node, code, javascript);
  }
  return exported !== null && !isCalled(program, exported) ? exported : null;
}

function plainDefault(node: ExportDefaultDeclaration, code: MagicString, javascript: string): string {
  const { declaration } = node;
  const isDeclaration = declaration.type === "FunctionDeclaration" || declaration.type === "ClassDeclaration";
  if (isDeclaration && declaration.id) {
    blank(code, node.start, declaration.start);
    return declaration.id.name;
  }
  if (declaration.type === "Identifier") {
    blank(code, node.start, node.end);
    return declaration.name;
  }
  let name = "main";
  while (javascript.includes(name)) name += "_";
  code.overwrite(
    node.start,
    declaration.start,
    javascript.slice(node.start, declaration.start).replace(/^export\s+default/, `const ${name} =`),
  );
  code.appendLeft(node.end, ";");
  return name;
}

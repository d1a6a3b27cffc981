/**
 * The imports of a block. Whatever cannot be imported is an error at its own place; the rest leaves the block and is
 * written again after it, one line each, since the block becomes a function and its lines must stay where they are.
 */
import type { ExportNamedDeclaration, ImportDeclaration, Literal, Program } from "acorn";
import { simple } from "acorn-walk";
import type { MagicString } from "magic-string";

import { explainSpecifier, isSaved, OWN_MODULES, resolveSpecifier } from "./importable.ts";
import type { Issue } from "./parse.ts";

/** Everything wrong with the block's imports and re-exports. */
export function findImportIssues(program: Program, javascript: string, inSkill: boolean): Issue[] {
  const issues: Issue[] = [];
  const check = (specifier: unknown, offset: number): void => {
    if (typeof specifier !== "string" || resolveSpecifier(specifier) !== null || isSaved(specifier, inSkill)) return;
    issues.push({ message: explainSpecifier(specifier), offset });
  };
  simple(program, {
    ImportDeclaration: (node) => {
      if (!isTypesOnly(node, javascript)) check(node.source.value, node.source.start);
      issues.push(...findUnknownNames(node));
    },
    ExportAllDeclaration: (node) => check(node.source.value, node.source.start),
    ExportNamedDeclaration: (node) => {
      if (node.source && !isTypesOnly(node, javascript)) check(node.source.value, node.source.start);
    },
    ImportExpression: (node) => {
      if (node.source.type === "Literal") check(node.source.value, node.source.start);
      else issues.push({ message: 'import() takes a literal here, such as import("node:crypto")', offset: node.start });
    },
  });
  return issues;
}

/** `import { type A } from "x"`, of which the stripper leaves the braces: nothing is loaded, so anything may stand there. */
export function isTypesOnly(node: ImportDeclaration | ExportNamedDeclaration, javascript: string): boolean {
  return node.specifiers.length === 0 && javascript.slice(node.start, node.source?.start).includes("{");
}

/** Names our own modules do not have would otherwise fail at a line the user never wrote. */
function findUnknownNames(node: ImportDeclaration): Issue[] {
  const module = String(node.source.value);
  const exports = Object.hasOwn(OWN_MODULES, module) ? (OWN_MODULES[module] ?? []) : null;
  if (exports === null) return [];
  const known = exports.join(", ");
  return node.specifiers.flatMap((specifier) => {
    if (specifier.type === "ImportNamespaceSpecifier") return [];
    const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "default";
    if (exports.includes(name)) return [];
    const message = `"${module}" has no ${name === "default" ? "default export" : name}: write import { ${known} } from "${module}"`;
    return [{ message, offset: specifier.start }];
  });
}

/** An import as one line of module text, and where its specifier was written. */
export interface MovedImport {
  readonly line: string;
  readonly offset: number;
}

/** The modules of saved files in the isolate, by the specifier that means them. */
export type Links = ReadonlyMap<string, string>;

/** Takes the imports out of the block and returns them in their order. */
export function moveImports(program: Program, javascript: string, code: MagicString, links: Links): MovedImport[] {
  const moved: MovedImport[] = [];
  for (const node of program.body) {
    if (node.type === "ImportDeclaration") {
      if (!isTypesOnly(node, javascript)) moved.push({ line: toImport(node, links), offset: node.source.start });
      blank(code, node.start, node.end);
    } else if (node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && node.source)) {
      blank(code, node.start, node.end);
    }
  }
  linkExpressions(program, code, links);
  return moved;
}

/** Has the imports and re-exports of a module, which stay where they are, lead to what they mean in the isolate. */
export function linkImports(program: Program, javascript: string, code: MagicString, links: Links): void {
  for (const node of program.body) {
    if (node.type === "ImportDeclaration" || node.type === "ExportNamedDeclaration") {
      if (node.source && isTypesOnly(node, javascript)) blank(code, node.start, node.end);
      else if (node.source) linkLiteral(node.source, code, links);
    }
    if (node.type === "ExportAllDeclaration") linkLiteral(node.source, code, links);
  }
  linkExpressions(program, code, links);
}

function linkExpressions(program: Program, code: MagicString, links: Links): void {
  simple(program, {
    ImportExpression: ({ source }) => {
      if (source.type === "Literal") linkLiteral(source, code, links);
    },
  });
}

function linkLiteral(source: Literal, code: MagicString, links: Links): void {
  const specifier = String(source.value);
  const resolved = links.get(specifier) ?? resolveSpecifier(specifier);
  if (resolved !== null) code.overwrite(source.start, source.end, JSON.stringify(resolved));
}

function toImport(node: ImportDeclaration, links: Links): string {
  const named: string[] = [];
  const parts: string[] = [];
  for (const specifier of node.specifiers) {
    const local = specifier.local.name;
    if (specifier.type === "ImportDefaultSpecifier") parts.push(local);
    else if (specifier.type === "ImportNamespaceSpecifier") parts.push(`* as ${local}`);
    else named.push(`${JSON.stringify(nameOf(specifier.imported))} as ${local}`);
  }
  if (named.length > 0) parts.push(`{ ${named.join(", ")} }`);
  const specifier = String(node.source.value);
  const from = JSON.stringify(links.get(specifier) ?? resolveSpecifier(specifier) ?? specifier);
  return parts.length > 0 ? `import ${parts.join(", ")} from ${from};` : `import ${from};`;
}

/** The name in an import or export specifier, which may be an identifier or a string. */
export function nameOf(node: { type: string; name?: string; value?: unknown }): string {
  return node.type === "Identifier" ? (node.name ?? "") : String(node.value);
}

/** Removes text and keeps its line breaks. */
export function blank(code: MagicString, start: number, end: number): void {
  if (end > start) code.overwrite(start, end, code.original.slice(start, end).replace(/[^\r\n]+/g, " "));
}

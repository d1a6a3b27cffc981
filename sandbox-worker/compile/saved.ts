/** The imports of saved files in a block or a file, and the names that a file exports. */
import type { Program } from "acorn";
import { simple } from "acorn-walk";

import { boundNames } from "./ending.ts";
import { isSaved } from "./importable.ts";
import { isTypesOnly, nameOf } from "./imports.ts";
import type { Issue } from "./parse.ts";

/** One import of a saved file. */
export interface SavedImport {
  readonly specifier: string;
  /** Where the specifier is written. */
  readonly offset: number;
  /** The names that it takes out of the file, each where it is written. */
  readonly names: readonly { readonly name: string; readonly offset: number }[];
}

/** Every import and re-export of a saved file that is left when types are gone. */
export function findSaved(program: Program, javascript: string, inSkill: boolean): SavedImport[] {
  const found: SavedImport[] = [];
  const add = (source: { value?: unknown; start: number }, names: SavedImport["names"]): void => {
    const specifier = String(source.value);
    if (isSaved(specifier, inSkill)) found.push({ specifier, offset: source.start, names });
  };
  simple(program, {
    ImportDeclaration: (node) => {
      if (isTypesOnly(node, javascript)) return;
      const names = node.specifiers.flatMap((specifier) => {
        if (specifier.type === "ImportNamespaceSpecifier") return [];
        const name = specifier.type === "ImportSpecifier" ? nameOf(specifier.imported) : "default";
        return [{ name, offset: specifier.start }];
      });
      add(node.source, names);
    },
    ExportAllDeclaration: (node) => add(node.source, []),
    ExportNamedDeclaration: (node) => {
      if (!node.source || isTypesOnly(node, javascript)) return;
      add(
        node.source,
        node.specifiers.map(({ local, start }) => ({ name: nameOf(local), offset: start })),
      );
    },
    ImportExpression: ({ source }) => {
      if (source.type === "Literal") add(source, []);
    },
  });
  return found;
}

/** The names that a file exports, or null when it passes on those of another. */
export function findExports(program: Program): ReadonlySet<string> | null {
  const names = new Set<string>();
  for (const node of program.body) {
    if (node.type === "ExportAllDeclaration" && !node.exported) return null;
    if (node.type === "ExportAllDeclaration" && node.exported) names.add(nameOf(node.exported));
    if (node.type === "ExportDefaultDeclaration") names.add("default");
    if (node.type !== "ExportNamedDeclaration") continue;
    for (const { exported } of node.specifiers) names.add(nameOf(exported));
    const { declaration } = node;
    if (declaration?.type === "VariableDeclaration")
      for (const { id } of declaration.declarations) for (const name of boundNames(id)) names.add(name);
    else if (declaration?.id) names.add(declaration.id.name);
  }
  return names;
}

/** A `return` at the top of a file: a block may have one, a module has none. */
export function findReturn(program: Program): Issue | null {
  const statement = firstReturn(program.body);
  if (statement === null) return null;
  const message = "a file that is imported cannot return at its top: export functions, and return in them";
  return { message, offset: statement.start };
}

interface Part {
  readonly type: string;
  readonly start: number;
}

/** Looks into everything but functions and classes, where a `return` is at home. */
function firstReturn(part: unknown): Part | null {
  if (Array.isArray(part)) {
    for (const child of part) {
      const found = firstReturn(child);
      if (found !== null) return found;
    }
    return null;
  }
  if (!isPart(part) || /Function|Class/.test(part.type)) return null;
  return part.type === "ReturnStatement" ? part : firstReturn(Object.values(part));
}

function isPart(value: unknown): value is Part {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

/**
 * Makes a module of the block: its statements become the body of one async function, the module's default export, line
 * by line where they were; its imports follow the function; its exports become plain declarations.
 */
import type { ExportDefaultDeclaration, Program } from "acorn";
import { MagicString } from "magic-string";

import { findEndings, isCalled, type Ending } from "./ending.ts";
import { findMainChecks } from "./habits.ts";
import { blank, moveImports, nameOf } from "./imports.ts";

/** The module's text, with the memory of where each character came from. */
export function wrap(program: Program, javascript: string): MagicString {
  const code = new MagicString(javascript);
  const imports = moveImports(program, code);
  for (const node of findMainChecks(program)) code.overwrite(node.start, node.end, "true");
  const exported = plainExports(program, code, javascript);
  const endings = exported === null ? findEndings(program, javascript) : [];
  for (const ending of endings) apply(ending, code);
  if (exported !== null)
    code.append(`\nreturn typeof ${exported} === "function" ? await ${exported}() : await ${exported};`);
  code.prepend("export default async function () { ");
  code.append(`\n}\n${imports}`);
  return code;
}

function apply(ending: Ending, code: MagicString): void {
  if (ending.kind === "expression") {
    code.appendRight(ending.start, "return await (");
    code.appendLeft(ending.end, ending.call ? ")();" : ");");
  } else if (ending.kind === "names") {
    const [only] = ending.names;
    const value = ending.names.length === 1 ? only : `{ ${ending.names.join(", ")} }`;
    code.appendLeft(ending.at, `; return ${value};`);
  } else {
    code.append(`\nreturn await ${ending.name}();`);
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

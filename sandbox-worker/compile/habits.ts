/**
 * Habits from other runtimes that would fail here in a way that explains nothing. Each is an error at its place that
 * says what to write instead. A name that the block declares itself is its own affair.
 */
import type { MemberExpression, Node, Program } from "acorn";
import { full, simple } from "acorn-walk";

import { explainSpecifier, resolveSpecifier } from "./importable.ts";
import type { Issue } from "./parse.ts";

const INSTEAD: Readonly<Record<string, string>> = {
  "Bun.file": 'use node:fs (only /tmp can be written): import fs from "node:fs"',
  "Bun.serve": "a block answers by returning a value; nothing can listen here",
  "Bun.sleep": "write await new Promise((resolve) => setTimeout(resolve, ms))",
  "Bun.write": 'use node:fs (only /tmp can be written): import fs from "node:fs"',
  "Deno.args": "a block takes no arguments: write the values into the code",
  "Deno.connect": "sockets do not exist here: use fetch()",
  "Deno.exit": "use return",
  "Deno.listen": "a block answers by returning a value; nothing can listen here",
  "Deno.readFile": 'use node:fs (only /tmp can be written): import fs from "node:fs"',
  "Deno.readTextFile": 'use node:fs (only /tmp can be written): import fs from "node:fs"',
  "Deno.serve": "a block answers by returning a value; nothing can listen here",
  "Deno.writeFile": 'use node:fs (only /tmp can be written): import fs from "node:fs"',
  "Deno.writeTextFile": 'use node:fs (only /tmp can be written): import fs from "node:fs"',
};

/** Classes whose connections the proxy refuses. */
const SOCKETS = ["WebSocket", "WebSocketStream"];

/** Every habit found in the block, given the credential names it may write. */
export function findHabits(program: Program, credentials: ReadonlySet<string>): Issue[] {
  const declared = findDeclared(program);
  const isGlobal = (node: Node, name: string): boolean =>
    node.type === "Identifier" && (node as { name?: string }).name === name && !declared.has(name);
  const issues: Issue[] = [];
  simple(program, {
    Identifier: (node) => {
      if (credentials.has(node.name) && !declared.has(node.name)) {
        const message = `${node.name} is not a variable: write the name as a string, "${node.name}", and the value is put in on its way out`;
        issues.push({ message, offset: node.start });
      }
    },
    CallExpression: (node) => {
      if (!isGlobal(node.callee, "require")) return;
      const [argument] = node.arguments;
      const specifier = argument?.type === "Literal" ? String(argument.value) : null;
      issues.push({ message: requireMessage(specifier), offset: node.start });
    },
    NewExpression: (node) => {
      const name = SOCKETS.find((socket) => isGlobal(node.callee, socket));
      if (name === undefined) return;
      issues.push({
        message: `${name} does not leave this sandbox: ask again with fetch() instead`,
        offset: node.start,
      });
    },
    MemberExpression: (node) => {
      const message = memberMessage(node, isGlobal, credentials);
      if (message !== null) issues.push({ message, offset: node.start });
    },
    ExportDefaultDeclaration: ({ declaration }) => {
      if (declaration.type !== "ObjectExpression") return;
      const isWorker = declaration.properties.some(
        (property) =>
          property.type === "Property" && property.key.type === "Identifier" && property.key.name === "fetch",
      );
      const message = "this runs one block of code, not a Worker: write the statements and return the answer";
      if (isWorker) issues.push({ message, offset: declaration.start });
    },
  });
  return issues;
}

type IsGlobal = (node: Node, name: string) => boolean;

function memberMessage(node: MemberExpression, isGlobal: IsGlobal, credentials: ReadonlySet<string>): string | null {
  const property = propertyName(node);
  for (const runtime of ["Deno", "Bun"]) {
    if (!isGlobal(node.object, runtime) || property === "env") continue;
    const name = `${runtime}.${property ?? "…"}`;
    return `${name} does not exist here: ${INSTEAD[name] ?? "use fetch() and the web platform, or a Node built-in"}`;
  }
  const isExports =
    (isGlobal(node.object, "module") && property === "exports") ||
    (isGlobal(node.object, "exports") && property !== null);
  if (isExports) return "this is not a CommonJS module: write return <value>, or export default";
  if (property !== null && credentials.has(property) && isEnvironment(node.object, isGlobal)) {
    return `write the name as a string, "${property}", and the value is put in on its way out`;
  }
  return null;
}

/** `env.NAME` of a Worker and `import.meta.env.NAME` of a bundler; `process.env`, `Deno.env` and `Bun.env` exist. */
function isEnvironment(node: Node, isGlobal: IsGlobal): boolean {
  if (isGlobal(node, "env")) return true;
  return node.type === "MemberExpression" && isMetaProperty(node as MemberExpression, "env");
}

function isMetaProperty(node: MemberExpression, name: string): boolean {
  return node.object.type === "MetaProperty" && propertyName(node) === name;
}

function requireMessage(specifier: string | null): string {
  const resolved = specifier === null ? null : resolveSpecifier(specifier);
  if (resolved !== null) {
    const local = resolved.replace(/^node:/, "").replace(/\W+(\w)/g, (_, letter: string) => letter.toUpperCase());
    return `require() does not exist here: write import * as ${local} from "${resolved}"`;
  }
  return `require() does not exist here: ${explainSpecifier(specifier ?? "")}`;
}

function propertyName({ property, computed }: MemberExpression): string | null {
  if (property.type === "Identifier" && !computed) return property.name;
  return property.type === "Literal" ? String(property.value) : null;
}

/** Every name that the block binds anywhere; generous, since a false alarm would be worse than a late error. */
function findDeclared(program: Program): Set<string> {
  const names = new Set<string>();
  full(program, (node, _state, type) => {
    // The walker's name for an identifier that is bound; it is no node type of its own.
    if (type === "VariablePattern" && "name" in node) names.add(String(node.name));
  });
  simple(program, {
    ImportDeclaration: ({ specifiers }) => {
      for (const { local } of specifiers) names.add(local.name);
    },
  });
  return names;
}

/** Where the block asks whether it is the main module (`import.meta.main`), which here it is. */
export function findMainChecks(program: Program): Node[] {
  const found: Node[] = [];
  simple(program, {
    MemberExpression: (node) => {
      if (isMetaProperty(node, "main")) found.push(node);
    },
  });
  return found;
}

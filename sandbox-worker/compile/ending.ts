/**
 * What a block answers with, decided on its syntax tree: what it returns, its default export (called when it is a
 * function), the value of its last expression or declaration, or what its one uncalled function returns.
 */
import {
  parseExpressionAt,
  type ModuleDeclaration,
  type Pattern,
  type Program,
  type Statement,
  type VariableDeclaration,
} from "acorn";
import { full, simple } from "acorn-walk";

/** Where `return` has to be put so that the block answers. Offsets are of the JavaScript that was parsed. */
export type Ending =
  /** The text from `start` to `end` is the answer, in a statement that begins at `statement`; `call`: what it returns is. */
  | {
      readonly kind: "expression";
      readonly statement: number;
      readonly start: number;
      readonly end: number;
      readonly call: boolean;
    }
  /** The answer is in names bound before `at`. */
  | { readonly kind: "names"; readonly at: number; readonly names: readonly string[] }
  /** The answer is what calling this name at the end of the block returns. */
  | { readonly kind: "call"; readonly name: string };

type Item = Statement | ModuleDeclaration;

/** Finds the ways the block ends; more than one when it ends in branches, none when nothing is its value. */
export function findEndings(program: Program, javascript: string): Ending[] {
  // Functions are hoisted, so those after the last statement do not make it any less the last.
  const last = program.body.findLast((node) => !isInert(node) && node.type !== "FunctionDeclaration");
  const endings = last === undefined ? [] : endingsOf(last, javascript);
  if (endings.length > 0) return endings;
  const entry = findEntry(program);
  return entry === null ? [] : [{ kind: "call", name: entry }];
}

/** Whether the block calls a function of this name itself, outside the functions that it only declares. */
export function isCalled(program: Program, name: string): boolean {
  let called = false;
  for (const node of program.body) {
    if (node.type === "FunctionDeclaration" || node.type === "ExportDefaultDeclaration") continue;
    if (node.type === "VariableDeclaration" && node.declarations.every(({ init }) => isFunction(init))) continue;
    simple(node, {
      CallExpression: ({ callee }) => {
        called ||= callee.type === "Identifier" && callee.name === name;
      },
    });
  }
  return called;
}

function endingsOf(node: Item, javascript: string): Ending[] {
  switch (node.type) {
    case "ExpressionStatement": {
      const { expression } = node;
      // `void main();` is written to quieten a linter; what it starts is still to be waited for.
      const isVoid = expression.type === "UnaryExpression" && expression.operator === "void";
      const start = isVoid && expression.argument.type === "CallExpression" ? expression.argument.start : node.start;
      const end = javascript[node.end - 1] === ";" ? node.end - 1 : node.end;
      return [{ kind: "expression", statement: node.start, start, end, call: isFunction(expression) }];
    }
    case "VariableDeclaration": {
      const declarator = node.declarations.at(-1);
      if (declarator === undefined || isFunction(declarator.init)) return [];
      return [{ kind: "names", at: node.end, names: boundNames(declarator.id) }];
    }
    case "ExportNamedDeclaration":
      return node.declaration ? endingsOf(node.declaration, javascript) : [];
    case "BlockStatement":
      if (isObjectLiteral(node, javascript)) {
        return [{ kind: "expression", statement: node.start, start: node.start, end: node.end, call: false }];
      }
      return nested(node, javascript);
    case "TryStatement":
      return [...nested(node.block, javascript), ...(node.handler ? nested(node.handler.body, javascript) : [])];
    case "IfStatement":
      return [...nested(node.consequent, javascript), ...(node.alternate ? nested(node.alternate, javascript) : [])];
    default:
      return [];
  }
}

/** Inside a branch only a plain value counts: an assignment or a call there is done for its effect. */
function nested(node: Statement, javascript: string): Ending[] {
  const last = node.type === "BlockStatement" ? node.body.findLast((item) => !isInert(item)) : node;
  if (last === undefined) return [];
  if (last.type !== "ExpressionStatement")
    return last.type === "VariableDeclaration" ? [] : endingsOf(last, javascript);
  const isEffect = ["AssignmentExpression", "UpdateExpression", "CallExpression"].includes(last.expression.type);
  return isEffect ? [] : endingsOf(last, javascript);
}

function isInert(node: Item): boolean {
  if (node.type === "ExportNamedDeclaration")
    return !node.declaration || node.declaration.type === "FunctionDeclaration";
  return node.type === "EmptyStatement" || node.type === "ImportDeclaration" || node.type === "ExportAllDeclaration";
}

function isFunction(node: { readonly type: string } | null | undefined): boolean {
  return node?.type === "ArrowFunctionExpression" || node?.type === "FunctionExpression";
}

/** `{ total, open }` and `{ total: 1 }` read as blocks with labels and nothing else in them. */
function isObjectLiteral(node: Statement, javascript: string): boolean {
  if (node.type !== "BlockStatement" || node.body.length !== 1) return false;
  const [only] = node.body;
  if (only?.type !== "LabeledStatement" && only?.type !== "ExpressionStatement") return false;
  try {
    const expression = parseExpressionAt(javascript, node.start, {
      ecmaVersion: "latest",
      allowAwaitOutsideFunction: true,
    });
    return expression.type === "ObjectExpression" && expression.end === node.end;
  } catch {
    return false;
  }
}

/** The function to call in a block that only declares: `main` or its like, else the last one nobody refers to. */
function findEntry(program: Program): string | null {
  const names: string[] = [];
  for (const item of program.body) {
    const node = item.type === "ExportNamedDeclaration" ? item.declaration : item;
    if (!node || (isInert(item) && node === item)) continue;
    if (node.type === "FunctionDeclaration") names.push(node.id?.name ?? "");
    else if (node.type === "VariableDeclaration") names.push(...functionNames(node));
    else if (node.type !== "ClassDeclaration") return null;
  }
  const wellKnown = ["main", "run", "handler", "execute"].find((name) => names.includes(name));
  if (wellKnown !== undefined) return wellKnown;
  const used = new Set<string>();
  simple(program, { Identifier: ({ name }) => used.add(name) });
  return names.findLast((name) => !used.has(name)) ?? null;
}

function functionNames(node: VariableDeclaration): string[] {
  return node.declarations.flatMap(({ id, init }) => (id.type === "Identifier" && isFunction(init) ? [id.name] : []));
}

/** The names that a binding pattern binds, in order. */
export function boundNames(pattern: Pattern): string[] {
  if (pattern.type === "Identifier") return [pattern.name];
  const names: string[] = [];
  full(pattern, (node, _state, type) => {
    if (type === "VariablePattern" && "name" in node) names.push(String(node.name));
  });
  return names;
}

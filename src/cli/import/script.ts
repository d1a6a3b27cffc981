/** A script of the container edition as a syntax tree in which one can go up as well as down. */
import { parse, type Node } from "acorn";
import { fullAncestor } from "acorn-walk";
import { transform } from "sucrase";

/** A node of any kind, as its members are looked at by name. */
export type AnyNode = Node & Record<string, unknown>;

export interface Script {
  /** JavaScript, line by line where the script was. */
  readonly text: string;
  readonly root: AnyNode;
  /** Every node with text in it, in the order of the text. */
  readonly strings: readonly AnyNode[];
  /** Every `a.b` and `a["b"]`. */
  readonly members: readonly AnyNode[];
  parentOf(node: AnyNode): AnyNode | undefined;
  /** Every place where a name is read. Scopes are not told apart: a name that is declared twice has the uses of both. */
  readonly references: ReadonlyMap<string, readonly AnyNode[]>;
  /** What a name is first given: an expression, or a function. */
  readonly initials: ReadonlyMap<string, AnyNode>;
}

/** Whether a value is a node. */
export function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
}

/** Parses TypeScript or JavaScript; null for what neither is. */
export function readScript(source: string): Script | null {
  try {
    const { code } = transform(source, {
      transforms: ["typescript"],
      disableESTransforms: true,
      keepUnusedImports: true,
    });
    const root = parse(code, {
      ecmaVersion: "latest",
      sourceType: "module",
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      allowHashBang: true,
    });
    return index(code, root as unknown as AnyNode);
  } catch {
    return null;
  }
}

function index(text: string, root: AnyNode): Script {
  const parents = new Map<AnyNode, AnyNode>();
  const strings: AnyNode[] = [];
  const members: AnyNode[] = [];
  const references = new Map<string, AnyNode[]>();
  const initials = new Map<string, AnyNode>();
  fullAncestor(root, (plain, _, ancestors) => {
    const node = plain as AnyNode;
    const parent = (ancestors as readonly Node[]).at(-2) as AnyNode | undefined;
    if (parent !== undefined && parent !== node) parents.set(node, parent);
    if ((node.type === "Literal" && typeof node["value"] === "string") || node.type === "TemplateElement")
      strings.push(node);
    if (node.type === "MemberExpression") members.push(node);
    if (node.type === "Identifier" && typeof node["name"] === "string") {
      references.set(node["name"], [...(references.get(node["name"]) ?? []), node]);
    }
    const declared = declaration(node);
    if (declared !== null && !initials.has(declared.name)) initials.set(declared.name, declared.value);
  });
  strings.sort((a, b) => a.start - b.start);
  return { text, root, strings, members, references, initials, parentOf: (node) => parents.get(node) };
}

function declaration(node: AnyNode): { readonly name: string; readonly value: AnyNode } | null {
  const id = node["id"];
  if (!isNode(id) || id.type !== "Identifier" || typeof id["name"] !== "string") return null;
  if (node.type === "FunctionDeclaration") return { name: id["name"], value: node };
  const value = node["init"];
  return node.type === "VariableDeclarator" && isNode(value) ? { name: id["name"], value } : null;
}

/** The text of a literal key or name: `{ key: … }`, `{ "key": … }`, `x.key`, `x["key"]`; null if it is computed. */
export function keyText(node: unknown, isComputed: boolean): string | null {
  if (!isNode(node)) return null;
  if (node.type === "Identifier") return isComputed ? null : String(node["name"]);
  return node.type === "Literal" && typeof node["value"] === "string" ? node["value"] : null;
}

/**
 * Finds a name as a word of its own. Before a name in capitals a small letter may stand, as in Telegram's `/botNAME/`.
 */
export function wordPattern(name: string): RegExp {
  const before = /^[A-Z]/.test(name) ? "[A-Z0-9_]" : "[A-Za-z0-9_]";
  const escaped = name.replaceAll(/[^A-Za-z0-9_]/g, String.raw`\$&`);
  return new RegExp(`(?<!${before})${escaped}(?![A-Za-z0-9_])`, "g");
}

/** What a string expression will say, as far as the script says it: unknown parts become a mark. */
import { isNode, keyText, type AnyNode, type Script } from "./script.ts";

/** Stands for a part that is not known before the script runs. */
export const UNKNOWN = "\u0000";

/** How far constants are followed. */
const MAX_DEPTH = 8;

/** A node whose text is known otherwise, such as a parameter into which a name was passed. */
export interface Known {
  readonly node: AnyNode;
  readonly text: string;
}

/** The text of a literal, a template, a concatenation or a constant that is one of these. */
export function flatten(script: Script, node: unknown, known: Known | null = null, depth = 0): string {
  if (!isNode(node) || depth > MAX_DEPTH) return UNKNOWN;
  if (node === known?.node) return known.text;
  const inner = (part: unknown): string => flatten(script, part, known, depth + 1);
  switch (node.type) {
    case "Literal":
      return typeof node["value"] === "string" ? node["value"] : UNKNOWN;
    case "TemplateElement":
      return (node["value"] as { cooked?: string }).cooked ?? "";
    case "TemplateLiteral": {
      const quasis = node["quasis"] as AnyNode[];
      const expressions = node["expressions"] as AnyNode[];
      return quasis.map((quasi, at) => inner(quasi) + (at < expressions.length ? inner(expressions[at]) : "")).join("");
    }
    case "BinaryExpression":
      return node["operator"] === "+" ? inner(node["left"]) + inner(node["right"]) : UNKNOWN;
    case "Identifier": {
      const value = script.initials.get(String(node["name"]));
      return value === undefined ? UNKNOWN : inner(value);
    }
    case "MemberExpression":
      return environmentName(node) ?? UNKNOWN;
    case "NewExpression": {
      const [url, base] = node["arguments"] as AnyNode[];
      if (keyText(node["callee"], false) !== "URL") return UNKNOWN;
      const path = inner(url);
      return base === undefined || /^https?:/.test(path)
        ? path
        : `${inner(base).replace(/\/$/, "")}/${path.replace(/^\//, "")}`;
    }
    case "CallExpression": {
      const called = node["callee"];
      if (keyText(called, false) === "encodeURIComponent") return inner((node["arguments"] as AnyNode[])[0]);
      return environmentName(node) ?? UNKNOWN;
    }
    default:
      return UNKNOWN;
  }
}

/** `NAME` of `process.env.NAME`, `process.env["NAME"]` or `Deno.env.get("NAME")`; else null. */
export function environmentName(node: AnyNode): string | null {
  if (node.type === "CallExpression") {
    const callee = node["callee"];
    if (!isNode(callee) || dotted(callee) !== "Deno.env.get") return null;
    return keyText((node["arguments"] as AnyNode[])[0], true);
  }
  if (node.type !== "MemberExpression" || dotted(node["object"]) !== "process.env") return null;
  return keyText(node["property"], node["computed"] === true);
}

/** `a.b.c` of a chain of plain members; else an empty text. */
function dotted(node: unknown): string {
  if (!isNode(node)) return "";
  if (node.type === "Identifier") return String(node["name"]);
  if (node.type !== "MemberExpression" || node["computed"] === true) return "";
  const object = dotted(node["object"]);
  const property = keyText(node["property"], false);
  return object === "" || property === null ? "" : `${object}.${property}`;
}

/** The host with its port of the URL that an expression builds, or null if the script does not say it. */
export function hostOf(script: Script, node: unknown): string | null {
  const match = /^https?:\/\/([^/?#\0]+)(?=[/?#]|$)/.exec(flatten(script, node));
  return match?.[1]?.toLowerCase() ?? null;
}

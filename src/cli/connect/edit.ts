/**
 * Puts one entry into a client's configuration and keeps everything else in it, comments included; beside the entry,
 * white space may be laid out anew. What cannot be read is not touched.
 */
import { isDeepStrictEqual } from "node:util";

import { applyEdits, modify, parse, type ParseError } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";

import type { Target } from "./clients.ts";

export type EditResult =
  | { readonly ok: true; readonly text: string }
  /** `reason` says what is in the way, and never repeats the file. */
  | { readonly ok: false; readonly reason: string };

const FORMATTING = { formattingOptions: { insertSpaces: true, tabSize: 2, eol: "\n" } };

/** The text with the entry in it, in the place of one of the same name. */
export function putEntry(text: string, target: Target): EditResult {
  return target.format === "json" ? putJson(text, target) : putToml(text, target);
}

/** The entry alone, as it would stand in an empty file. */
export function entryText(target: Target): string {
  const result = putEntry("", target);
  if (!result.ok) throw new Error(result.reason);
  return result.text;
}

function putJson(text: string, { path, entry, inputs }: Target): EditResult {
  const errors: ParseError[] = [];
  const source = text.trim() === "" ? "{}\n" : text.replace(/^\uFEFF/, "");
  const root: unknown = parse(source, errors, { allowTrailingComma: true });
  if (errors.length > 0) return { ok: false, reason: "it is not valid JSON" };
  const blocked = firstNonObject(root, path.slice(0, -1));
  if (blocked !== null) return { ok: false, reason: `${blocked} in it is no object` };
  let edited = applyEdits(source, modify(source, [...path], entry, FORMATTING));
  if (inputs !== undefined) {
    const list = (root as { inputs?: unknown }).inputs ?? [];
    if (!Array.isArray(list)) return { ok: false, reason: "inputs in it is no list" };
    const index = list.findIndex((item: unknown) => isObject(item) && item["id"] === inputs["id"]);
    const at = index === -1 ? list.length : index;
    edited = applyEdits(
      edited,
      modify(edited, ["inputs", at], inputs, { ...FORMATTING, isArrayInsertion: index === -1 }),
    );
  }
  return { ok: true, text: edited };
}

/** The first member on the way that is there and is no object; the root is called "the top level". */
function firstNonObject(root: unknown, path: readonly string[]): string | null {
  if (!isObject(root)) return "the top level";
  let value = root;
  for (const key of path) {
    const next: unknown = value[key];
    if (next === undefined) return null;
    if (!isObject(next)) return key;
    value = next;
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * A table is replaced from its head to the next head, or added at the end. Whether that is right is found out by reading
 * the result back: nothing else may have changed.
 */
function putToml(text: string, { path, entry }: Target): EditResult {
  const before = readToml(text);
  if (before === null) return { ok: false, reason: "it is not valid TOML" };
  const head = `[${path.join(".")}]`;
  const table = [head, ...Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`), ""].join(
    "\n",
  );
  const lines = text.split("\n");
  const start = lines.findIndex((line) => line.replace(/#.*$/, "").trim() === head);
  const next = lines.findIndex((line, index) => index > start && /^\s*\[/.test(line));
  const kept = start === -1 ? text.trimEnd() : lines.slice(0, start).join("\n").trimEnd();
  const rest = start === -1 || next === -1 ? "" : `\n${lines.slice(next).join("\n")}`;
  const edited = `${kept === "" ? "" : `${kept}\n\n`}${table}${rest}`;
  const after = readToml(edited);
  if (after === null || !isSame(after, withEntry(before, path, entry))) {
    return { ok: false, reason: `${path.join(".")} stands in it in a form that is not edited here` };
  }
  return { ok: true, text: edited };
}

function readToml(text: string): Record<string, unknown> | null {
  try {
    return parseToml(text.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

/** The parser's tables have no prototype and its dates a class of their own; as JSON they can be compared. */
function isSame(a: object, b: object): boolean {
  return isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b)));
}

/** A copy in which the entry is as wanted. */
function withEntry(root: Record<string, unknown>, path: readonly string[], entry: object): Record<string, unknown> {
  const [key = "", ...rest] = path;
  const inner = isObject(root[key]) ? root[key] : {};
  return { ...root, [key]: rest.length === 0 ? entry : withEntry(inner, rest, entry) };
}

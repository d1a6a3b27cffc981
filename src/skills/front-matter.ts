/**
 * The front matter of `SKILL.md`: YAML between two `---` lines, read by a YAML library under limits, so that a few bytes
 * cannot become gigabytes. Every problem is told at once, each with its line.
 */
import { isCollection, isNode, LineCounter, parseDocument, visit, type Document } from "yaml";
import { z } from "zod";

import { ApiName } from "../contract/names.ts";
import { inputSchemaProblems } from "./input.ts";
import { SkillName } from "./names.ts";

/** Longest front matter, in characters: it is what every listing carries. */
const MAX_FRONT_MATTER = 16_384;
const MAX_DEPTH = 20;
const MAX_DESCRIPTION = 1_024;

/** What is read of the front matter. Other keys are kept and served as they are. */
const Head = z.looseObject({
  name: SkillName,
  description: z
    .string("say in quotes when to use the skill")
    .min(1, "say when to use the skill")
    .refine((text) => [...text].length <= MAX_DESCRIPTION, `use ${MAX_DESCRIPTION} characters at most`),
  apis: z.array(ApiName, "list the names of the APIs that the skill may reach").max(100).optional(),
  input: z.record(z.string(), z.unknown(), "write a JSON Schema: type: object, properties: …").optional(),
  version: z.string('write the version in quotes: "1.0"').max(64).optional(),
});

/** The front matter as JSON: the known keys checked, the others as they were written. */
export type SkillHead = z.infer<typeof Head>;

/** Something wrong in a file; `line` counts from 1. */
export interface SkillIssue {
  readonly file: string;
  readonly line?: number | undefined;
  readonly message: string;
}

/** An issue without its file: the file is `SKILL.md`. */
type HeadIssue = Omit<SkillIssue, "file">;

export type HeadResult =
  | { readonly ok: true; readonly head: SkillHead }
  | { readonly ok: false; readonly issues: readonly HeadIssue[] };

/** Reads the front matter of the text of a `SKILL.md`. */
export function readFrontMatter(text: string): HeadResult {
  const fail = (message: string, line = 1): HeadResult => ({ ok: false, issues: [{ line, message }] });
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  if (lines[0] !== "---") return fail('begin with a "---" line, then YAML such as "name: …", then another "---"');
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line));
  if (end === -1) return fail('the front matter has no "---" line at its end');
  const yaml = lines.slice(1, end).join("\n");
  if (yaml.length > MAX_FRONT_MATTER) return fail(`the front matter is longer than ${MAX_FRONT_MATTER} characters`);
  try {
    return readYaml(yaml);
  } catch (error) {
    if (error instanceof RangeError) return fail("the front matter is nested too deeply");
    throw error;
  }
}

function readYaml(yaml: string): HeadResult {
  const lineCounter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false, uniqueKeys: true, logLevel: "silent" });
  // The first line of the file is the one with the dashes.
  const lineAt = (offset: number): number => lineCounter.linePos(offset).line + 1;
  const issues: HeadIssue[] = [...document.errors, ...document.warnings].map(({ pos, message }) => ({
    line: lineAt(pos[0]),
    message: message.split("\n")[0] ?? message,
  }));
  issues.push(...refuseReferences(document, lineAt));
  if (issues.length > 0) return { ok: false, issues };

  const json: unknown = document.toJS({ maxAliasCount: 0 });
  const parsed = Head.safeParse(json, {
    error: ({ code }) => (code === "invalid_type" ? 'write "name: …" and "description: …"' : undefined),
  });
  const lineOf = (path: readonly PropertyKey[]): number => lineAt(offsetOf(document, path));
  if (!parsed.success) {
    const found = parsed.error.issues.map(({ path, message }) => ({ line: lineOf(path), message: at(path, message) }));
    return { ok: false, issues: found };
  }
  const wrong = inputSchemaProblems(parsed.data.input).map(({ path, message }) => ({
    line: lineOf(["input", ...path]),
    message: at(["input", ...path], message),
  }));
  return wrong.length > 0 ? { ok: false, issues: wrong } : { ok: true, head: parsed.data };
}

/** Anchors and aliases are how small files grow; a tag asks for more than data. */
function refuseReferences(document: Document, lineAt: (offset: number) => number): HeadIssue[] {
  const issues: HeadIssue[] = [];
  visit(document, {
    Alias: (_, { range }) => void issues.push({ line: lineAt(range?.[0] ?? 0), message: "aliases are not read" }),
    Node: (_, node, parents) => {
      const line = lineAt(node.range?.[0] ?? 0);
      if ("anchor" in node && node.anchor !== undefined) issues.push({ line, message: "anchors are not read" });
      if (node.tag !== undefined && !node.tag.startsWith("tag:yaml.org,2002:"))
        issues.push({ line, message: "tags are not read" });
      if (isCollection(node) && parents.length > MAX_DEPTH * 2) throw new RangeError("too deep");
    },
  });
  return issues;
}

/** Where the value at a path was written; what is missing is told where its parent begins. */
function offsetOf(document: Document, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node)) return node.range?.[0] ?? 0;
  }
  return 0;
}

function at(path: readonly PropertyKey[], message: string): string {
  const text = path.map(String).join(".");
  return text === "" ? message : `${text}: ${message}`;
}

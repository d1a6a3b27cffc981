/** Small documents with the exact tools, skips and requests that follow from the rules. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { compile } from "../../src/openapi/compile.ts";
import type { ApiIr } from "../../src/openapi/ir.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { toTool } from "../../src/openapi/tool.ts";

interface Case {
  readonly about: string;
  readonly options: { readonly api?: string; readonly docUrl?: string };
  readonly tools: readonly unknown[];
  readonly skipped: readonly { method: string; path: string; rule: string }[];
  readonly calls: readonly { tool: string; arguments: Record<string, unknown>; request: string }[];
}

const folder = new URL("../fixtures/openapi-cases/", import.meta.url);

function compileCase(name: string, options: Case["options"]): ApiIr {
  const parsed = parseDocument(readFileSync(new URL(`${name}/openapi.json`, folder)));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return compile(parsed.document, { api: "case", ...options });
}

describe.each(readdirSync(folder))("%s", (name) => {
  const expected = JSON.parse(readFileSync(new URL(`${name}/expected.json`, folder), "utf8")) as Case;
  const ir = compileCase(name, expected.options);

  test("has exactly the expected tools, to the byte", () => {
    const tools = ir.operations.map(toTool);
    expect(tools).toEqual(expected.tools);
    expect(JSON.stringify(tools)).toBe(JSON.stringify(expected.tools));
  });

  test("skips exactly the expected operations", () => {
    expect(ir.skipped.map(({ method, path, rule }) => ({ method, path, rule }))).toEqual(expected.skipped);
  });
});

/** Small documents with the exact tools, skips and requests that follow from the rules. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { compile } from "../../src/openapi/compile.ts";
import type { ApiIr } from "../../src/openapi/ir.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { buildRequest, type BuiltRequest } from "../../src/openapi/request.ts";
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
    const tools = ir.operations.map((operation) => toTool(operation));
    expect(tools).toEqual(expected.tools);
    expect(JSON.stringify(tools)).toBe(JSON.stringify(expected.tools));
  });

  test("skips exactly the expected operations", () => {
    expect(ir.skipped.map(({ method, path, rule }) => ({ method, path, rule }))).toEqual(expected.skipped);
  });

  test.each(expected.calls)(
    "$tool with $arguments becomes the expected request",
    ({ tool, arguments: args, request }) => {
      const operation = ir.operations.find((each) => each.name === tool);
      const built = buildRequest(operation!, args);
      expect(built).toMatchObject({ ok: true });
      if (built.ok) expect(toHttp(built.request)).toBe(request);
    },
  );
});

/** The request as the cases write it: Basic decoded, parts of a form listed, bytes counted. */
function toHttp({ method, url, headers, body }: BuiltRequest): string {
  const lines = [`${method} ${url}`];
  for (const [name, value] of headers) {
    const basic = /^Basic (.*)$/.exec(value)?.[1];
    const shown = basic === undefined ? value : `Basic base64(${atob(basic)})`;
    lines.push(`${name}: ${shown.replace(/boundary=.*/, "boundary=<B>")}`);
  }
  if (body === undefined) return lines.join("\n");
  const boundary = /boundary=(.*)/.exec(headers.at(-1)?.[1] ?? "")?.[1];
  const text = typeof body === "string" ? body : new TextDecoder("latin1").decode(body);
  if (boundary !== undefined) return [...lines, "", ...readParts(text, boundary)].join("\n");
  return [...lines, "", typeof body === "string" ? body : `<${body.length} bytes>`].join("\n");
}

function readParts(text: string, boundary: string): string[] {
  return text
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => {
      const [head = "", ...rest] = part.replace(/^\r\n|\r\n$/g, "").split("\r\n\r\n");
      const name = /form-data; (.*)/.exec(head)?.[1]?.replace("\r", "");
      const type = /Content-Type: (.*)/.exec(head)?.[1]?.replace("\r", "") ?? "text/plain";
      const content = rest.join("\r\n\r\n");
      return `${name} | ${type} | ${head.includes("filename=") ? `<${content.length} bytes>` : content}`;
    });
}

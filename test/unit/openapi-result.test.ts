/** Rules M12 and M15 at the other end: what an upstream answer becomes. */
import { describe, expect, test } from "vitest";

import { cutJson, cutText } from "../../src/code/cut.ts";
import { toLooseOutput } from "../../src/openapi/loose-output.ts";
import { toProblemResult, toToolResult, type ToolResult, type UpstreamAnswer } from "../../src/openapi/result.ts";
import { compileOperation } from "./openapi-helpers.ts";

function answered(
  status: number,
  type: string | undefined,
  body: string | Uint8Array,
  headers: [string, string][] = [],
): ToolResult {
  const answer: UpstreamAnswer = {
    status,
    statusText: status === 404 ? "Not Found" : "",
    headers: type === undefined ? headers : [["Content-Type", type], ...headers],
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
    url: "https://t.test/x",
  };
  return toToolResult(answer, { cutJson, cutText });
}

describe("M12: an answer as a result", () => {
  test.each<[string, number, string | undefined, string | Uint8Array, object]>([
    [
      "a JSON object",
      200,
      "application/json; charset=utf-8",
      '{ "a": 1 }',
      { content: [{ type: "text", text: '{"a":1}' }], structuredContent: { a: 1 } },
    ],
    [
      "a list",
      200,
      "application/vnd.x+json",
      "[1]",
      { content: [{ type: "text", text: '{"result":[1]}' }], structuredContent: { result: [1] } },
    ],
    ["a null", 200, "application/json", "null", { structuredContent: { result: null } }],
    ["JSON that is none", 200, "application/json", "oops", { content: [{ type: "text", text: "oops" }] }],
    ["text", 200, "text/csv", "a;b", { content: [{ type: "text", text: "a;b" }] }],
    [
      "an image",
      200,
      "image/png",
      Uint8Array.of(1, 2),
      { content: [{ type: "image", data: "AQI=", mimeType: "image/png" }] },
    ],
    [
      "a sound",
      200,
      "audio/wav",
      Uint8Array.of(1),
      { content: [{ type: "audio", data: "AQ==", mimeType: "audio/wav" }] },
    ],
    [
      "other bytes",
      200,
      "application/pdf",
      Uint8Array.of(1),
      {
        content: [
          { type: "resource", resource: { uri: "https://t.test/x", mimeType: "application/pdf", blob: "AQ==" } },
        ],
      },
    ],
    ["text that is none", 200, "text/plain", Uint8Array.of(0xff), { content: [{ type: "resource" }] }],
    [
      "too many bytes",
      200,
      "image/png",
      new Uint8Array(1_000_001),
      { content: [{ type: "text", text: "1000001 bytes of image/png, too many to show" }] },
    ],
    ["nothing", 204, undefined, "", { content: [{ type: "text", text: "HTTP 204" }] }],
  ])("%s", (_, status, type, body, expected) => {
    const result = answered(status, type, body);
    expect(result).toMatchObject(expected);
    expect(result.isError).toBeUndefined();
    expect("structuredContent" in result).toBe("structuredContent" in expected);
  });

  test("a long answer is shortened, stays JSON and says what is missing, in both places", () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: "x".repeat(20) }));
    const { content, structuredContent } = answered(200, "application/json", JSON.stringify(rows));
    const [block] = content;
    const shown = block?.type === "text" ? block.text : "";
    expect(shown.length).toBeLessThanOrEqual(24_000);
    expect(JSON.parse(shown)).toEqual(structuredContent);
    expect(shown).toMatch(/\d+ more items/);
  });

  test("status, links and limits are kept beside the content, other headers are not", () => {
    const headers: [string, string][] = [
      ["Link", "<n>; rel=next"],
      ["X-RateLimit-Remaining", "3"],
      ["Set-Cookie", "s=1"],
      ["ETag", "e"],
    ];
    expect(answered(200, "text/plain", "x", headers)._meta).toEqual({
      status: 200,
      headers: { link: "<n>; rel=next", "x-ratelimit-remaining": "3", etag: "e" },
    });
  });

  test("the loose output schema has nothing an honest answer could break", () => {
    const schema = {
      type: "object",
      required: ["id"],
      additionalProperties: false,
      properties: { id: { type: "string", format: "uuid" }, kind: { type: "string", enum: ["a"] } },
    };
    const output = (of: unknown): ReturnType<typeof toLooseOutput> =>
      toLooseOutput(
        compileOperation({ responses: { 200: { description: "", content: { "application/json": { schema: of } } } } })
          .output,
      );
    expect(output(schema)).toEqual({
      type: "object",
      properties: { id: { type: "string" }, kind: { type: "string" } },
    });
    expect(output({ type: "array", items: schema })).toMatchObject({ properties: { result: { type: "array" } } });
    expect(toLooseOutput(undefined)).toBeUndefined();
  });
});

describe("M15: a failure as a result", () => {
  test.each<[string, number, string | undefined, string | Uint8Array, string]>([
    ["with its status first", 404, "application/json", '{"message":"no"}', 'HTTP 404 Not Found\n{"message":"no"}'],
    ["of a redirect", 302, undefined, "", "HTTP 302"],
    ["of bytes", 500, "image/png", Uint8Array.of(1, 2), "HTTP 500\n2 bytes of image/png"],
  ])("%s", (_, status, type, body, expected) => {
    const result = answered(status, type, body);
    expect(result).toMatchObject({ isError: true, content: [{ type: "text", text: expected }] });
    expect("structuredContent" in result).toBe(false);
  });

  test("a long one is cut, and says when to try again", () => {
    const [block] = answered(429, "text/html", "x".repeat(100_000), [["Retry-After", "30"]]).content;
    const shown = block?.type === "text" ? block.text : "";
    expect(shown.startsWith("HTTP 429\nRetry-After: 30\nxxx")).toBe(true);
    expect(shown.length).toBeLessThan(4_100);
  });

  test("of arguments: every problem, and that nothing was sent", () => {
    const result = toProblemResult([
      { path: "", message: 'lacks "a"' },
      { path: "b[0]", message: "is string; expected integer" },
    ]);
    expect(result).toEqual({
      content: [
        { type: "text", text: 'Nothing was sent. Wrong arguments:\nlacks "a"\nb[0]: is string; expected integer' },
      ],
      isError: true,
      _meta: {},
    });
  });
});

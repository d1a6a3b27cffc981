/** Rules M2 to M4: what a tool is called and how it is described. */
import { describe, expect, test } from "vitest";

import { sha256 } from "../../src/openapi/sha256.ts";
import { toWords } from "../../src/openapi/words.ts";
import { compileDocument, compileOperation } from "./openapi-helpers.ts";

describe("M2: names", () => {
  test.each([
    ["getHTTPResponse", "get_http_response"],
    ["get-http-response", "get_http_response"],
    ["Récupérer l’été", "recuperer_l_ete"],
    ["v2Api_list", "v2_api_list"],
    ["__proto__", "proto"],
    ["日本", ""],
  ])("the words of %s are %s", (text, words) => {
    expect(toWords(text).join("_")).toBe(words);
  });

  test("SHA-256 is SHA-256", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(sha256("é".repeat(100_000))).toBe("a5e9d89256f66adf101c4a92bf240ff33594e8c32a289edfd51c9f16a330db19");
  });

  test("sources, first that exists: x-mcp.name, rename, group and method, operationId, method and path", () => {
    const all = {
      "x-mcp": { name: "fromMcp" },
      "x-fern-sdk-group-name": ["a", "b"],
      "x-fern-sdk-method-name": "list",
      operationId: "fromId",
    };
    const { "x-mcp": _, ...noMcp } = all;
    const name = (operation: object, rename?: Record<string, string>): string =>
      compileOperation({ ...operation }, { path: "/x/{id}", options: { rename } }).name;
    expect(name(all)).toBe("from_mcp");
    expect(name(noMcp, { fromId: "renamed" })).toBe("renamed");
    expect(name(noMcp)).toBe("a_b_list");
    expect(name({ operationId: "fromId" })).toBe("from_id");
    expect(name({})).toBe("get_x_by_id");
    expect(name({ operationId: "日本" })).toBe("get_x_by_id");
  });

  test("the longest name leaves room for what clients put before it", () => {
    const operationId = "word ".repeat(30);
    const length = (options: object): number => compileOperation({ operationId }, { options }).name.length;
    expect(length({})).toBeLessThanOrEqual(64 - "mcp__codeforge__".length);
    expect(length({ serverName: "a-much-longer-name" })).toBeLessThanOrEqual(64 - "mcp__a-much-longer-name__".length);
    expect(length({ maxNameLength: 30 })).toBeLessThanOrEqual(30);
  });

  test("every member of a collision is renamed, and reordering or adding operations swaps no two", () => {
    const paths = {
      "/a": { get: { operationId: "same" } },
      "/b": { get: { operationId: "Same" } },
      "/c": { get: { operationId: "other" } },
    };
    const names = (document: object): Record<string, string> =>
      Object.fromEntries(compileDocument({ paths: document }).operations.map(({ path, name }) => [path, name]));
    const first = names(paths);
    expect(first["/a"]).toMatch(/^same_[0-9a-f]{6}$/);
    expect(first["/b"]).toMatch(/^same_[0-9a-f]{6}$/);
    expect(first["/c"]).toBe("other");
    const reordered = names(Object.fromEntries(Object.entries(paths).toReversed()));
    expect(reordered).toEqual(first);
    expect(names({ ...paths, "/d": { get: { operationId: "sAme" } } })).toMatchObject({
      "/a": first["/a"],
      "/b": first["/b"],
    });
  });

  test("with several APIs on one server names start with the API's", () => {
    expect(compileOperation({ operationId: "list" }, { options: { api: "my-shop", prefixNames: true } }).name).toBe(
      "my_shop_list",
    );
  });
});

describe("M3: titles", () => {
  test("the summary on one line, at most 80 characters, cut at a word", () => {
    const summary = `List\n  all ${"bins ".repeat(30)}`;
    const { title = "" } = compileOperation({ summary });
    expect(title.length).toBeLessThanOrEqual(80);
    expect(title).toMatch(/^List all bins .*bins…$/);
    expect(compileOperation({}).title).toBeUndefined();
  });
});

describe("M4: descriptions", () => {
  const text = (operation: object): string => compileOperation({ ...operation }).description;

  test.each([
    ["nothing", {}, "GET /x"],
    ["a summary", { summary: "Read" }, "Read\n\nGET /x"],
    ["both", { summary: "Read", description: "Reads it." }, "Reads it.\n\nGET /x"],
    ["both, different", { summary: "Read", description: "All of it." }, "Read\n\nAll of it.\n\nGET /x"],
    ["a deprecated operation", { summary: "Read", deprecated: true }, "Deprecated. Read\n\nGET /x"],
    ["a deprecated operation without text", { deprecated: true }, "Deprecated.\n\nGET /x"],
    [
      "control characters",
      { summary: "a\u0000b\u001B[31m\u202Ec", description: "d\u2028e" },
      "ab[31mc\n\nd\ne\n\nGET /x",
    ],
  ])("%s", (_, operation, description) => {
    expect(text(operation)).toBe(description);
  });

  test("long text is cut at a word with an ellipsis, never inside a character", () => {
    const cut = text({ description: `${"word ".repeat(300)}` });
    expect(cut.length).toBeLessThanOrEqual(1024);
    expect(cut.length).toBeGreaterThan(1015);
    expect(cut.endsWith("word…\n\nGET /x")).toBe(true);
    const emoji = text({ description: "😀".repeat(2000) });
    expect(emoji.isWellFormed()).toBe(true);
  });

  test("notes, path and the request to ask first fit in beside it, however long they are", () => {
    const long = "word ".repeat(300);
    const parameters = [{ name: "page", in: "query", schema: { type: "integer" } }];
    const path = `/${"p".repeat(2000)}`;
    const operation = compileOperation(
      { description: long, parameters, "x-mcp": { confirm: true } },
      { path, method: "post" },
    );
    expect(operation.description.length).toBeLessThanOrEqual(1024);
    expect(operation.description).toMatch(
      /…\n\nOne page per call: .*\n\nPOST \/p+…\n\nAsk the user to confirm before calling this\.$/s,
    );
  });

  test.each([
    "*/ process.exit()",
    "${process.env.X}",
    "</script><script>",
    "$& $` $'",
    "`rm -rf`",
    "{{constructor}}",
    "<!-- -->",
  ])("%s is data and comes through unchanged", (hostile) => {
    const operation = compileOperation({
      summary: hostile,
      description: `x ${hostile}`,
      parameters: [{ name: "a", in: "query", description: hostile, schema: { type: "string", description: hostile } }],
    });
    expect(operation.title).toBe(hostile);
    expect(operation.description).toBe(`${hostile}\n\nx ${hostile}\n\nGET /x`);
    expect(operation.inputSchema).toMatchObject({ properties: { a: { description: hostile } } });
  });
});

/** Rules M17 and M18: what is stored, found and described, and that none of it depends on chance. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

import { compile } from "../../src/openapi/compile.ts";
import { toCardText, toExample, toHeadline } from "../../src/openapi/describe.ts";
import { diff } from "../../src/openapi/diff.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { createSearch } from "../../src/openapi/search.ts";
import { cardFile, INDEX_FILE, readCards, readIndex, toFiles, toIndexEntry } from "../../src/openapi/storage.ts";
import { compileDocument, compileOperation, withBody, type Loose } from "./openapi-helpers.ts";

const decode = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);

/** A document with this many operations, each with a body of some size. */
function large(count: number): ReturnType<typeof compileDocument> {
  const properties = Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [`field_${i}`, { type: "string", description: "word ".repeat(10) }]),
  );
  const paths = Object.fromEntries(
    Array.from({ length: count }, (_, i) => [
      `/thing-${i}`,
      { post: { summary: `Make thing ${i}`, tags: ["things"], ...withBody({ type: "object", properties }) } },
    ]),
  );
  return compileDocument({ paths });
}

describe("M17: an index to search and cards to load, in files a Worker can hold", () => {
  const ir = large(300);
  const files = toFiles(ir);
  const index = readIndex(decode(files.get(INDEX_FILE)));

  test("every card is where its name says, and is the operation", () => {
    expect(index.operations).toHaveLength(300);
    for (const operation of ir.operations) {
      const file = files.get(cardFile(operation.name, index.shardBits));
      expect(readCards(decode(file)).get(operation.name)).toEqual(operation);
    }
    expect(readCards(decode(files.get(cardFile("post_thing_1", index.shardBits)))).get("__proto__")).toBeUndefined();
  });

  test("shards are small, and the index has nothing of the cards", () => {
    const sizes = [...files].filter(([name]) => name.startsWith("cards/")).map(([, bytes]) => bytes.length);
    expect(sizes.length).toBeGreaterThan(4);
    expect(Math.max(...sizes)).toBeLessThan(400_000);
    expect(files.get(INDEX_FILE)?.length).toBeLessThan(300 * 240);
  });

  test("the index tells of each operation what selecting it needs", () => {
    const paths = {
      "/a": { get: { operationId: "getA", deprecated: true, "x-mcp": true }, post: { operationId: "doA" } },
      "/b": { get: { "x-fern-sdk-group-name": ["b", "c"], "x-fern-sdk-method-name": "read", tags: ["t"] } },
    };
    const compiled = compileDocument({ paths });
    const entries = readIndex(decode(toFiles(compiled).get(INDEX_FILE))).operations;
    expect(entries).toEqual(compiled.operations.map(toIndexEntry));
    expect(entries.map(({ deprecated, readOnly, pinned }) => [deprecated, readOnly, pinned])).toEqual([
      [false, true, false],
      [false, false, false],
      [true, true, true],
    ]);
    expect(entries.map(({ group, operationId }) => [group, operationId])).toEqual([
      ["b.c", undefined],
      [undefined, "doA"],
      [undefined, "getA"],
    ]);
  });

  test("an empty document has an index and a report", () => {
    expect([...toFiles(compileDocument({})).keys()]).toEqual(["index.json", "report.json"]);
  });

  test("another operation leaves the other cards in their files", () => {
    const more = readIndex(decode(toFiles(large(301)).get(INDEX_FILE)));
    expect(more.shardBits).toBe(index.shardBits);
  });
});

describe("M17: search and description", () => {
  const paths = {
    "/bins": {
      get: { operationId: "listBins", summary: "List all bins", tags: ["storage"] },
      post: { operationId: "createBin", summary: "Create a bin" },
    },
    "/bins/{id}": { get: { operationId: "getBin", summary: "Read a bin", deprecated: true } },
    "/orders": { get: { operationId: "listOrders", summary: "List orders" } },
  };
  const ir = compileDocument({ paths });
  const search = createSearch(readIndex(decode(toFiles(ir).get(INDEX_FILE))).operations);

  test.each([
    ["create a bin", "create_bin"],
    ["list the orders", "list_orders"],
    ["storage", "list_bins"],
    ["listBins", "list_bins"],
  ])("%s finds %s", (query, name) => {
    expect(search.find(query, 10)[0]?.entry.name).toBe(name);
  });

  test("what is deprecated comes after what does the same, what does not match not at all", () => {
    const keys = { summary: "List keys", deprecated: true };
    const twice = { "/v1/keys": { get: keys }, "/v2/keys": { get: { ...keys, deprecated: false } } };
    const { operations } = compileDocument({ paths: twice });
    const names = createSearch(operations.map(toIndexEntry), operations).find("which keys are there", 10);
    expect(names.map(({ entry }) => entry.path)).toEqual(["/v2/keys", "/v1/keys"]);
    expect(search.find("zebra", 10)).toEqual([]);
    expect(search.find("bin", 1)).toHaveLength(1);
  });

  test("a card says how to call the operation, with a request that was really built", () => {
    const operation = compileOperation(
      {
        operationId: "addBin",
        summary: "Add */ a bin",
        security: [{ key: [] }],
        parameters: [
          { name: "X-Trace*/", in: "query", schema: { type: "string", description: "trace */ id" } },
          { name: "site", in: "path", required: true, schema: { type: "integer" } },
        ],
        ...withBody({
          type: "object",
          required: ["name"],
          properties: { name: { type: "string" }, "size-m": { enum: ["s", "l"] } },
        }),
        responses: {
          201: {
            description: "",
            content: { "application/json": { schema: { type: "object", properties: { id: { type: "string" } } } } },
          },
        },
      },
      {
        method: "post",
        path: "/sites/{site}/bins",
        document: { components: { securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Key" } } } },
      },
    );
    expect(toHeadline("shop", { ...operation, title: operation.title ?? "" })).toBe(
      "shop.add_bin POST /sites/{site}/bins — Add */ a bin",
    );
    const card = toCardText("shop", operation);
    expect(card).toContain("path: { site: number }");
    expect(card).toContain('query: { "X-Trace*/"?: string }');
    expect(card).toContain('  name: string;\n  "size-m"?: "s" | "l";\n} // application/json');
    expect(card).toContain("returns: 201 {\n  id?: string;\n} // application/json");
    expect(card).toContain("Credentials, written by name: T_KEY (header X-Key)");
    expect(toExample(operation)).toBe(
      'const response = await fetch("https://t.test/sites/1/bins", {\n  method: "POST",\n  headers: { "X-Key": "T_KEY", "Content-Type": "application/json" },\n  body: JSON.stringify({"name":"text"}),\n});',
    );
  });
});

describe("M18: the same document gives the same bytes", () => {
  const folder = new URL("../fixtures/openapi-cases/", import.meta.url);
  const bytesOf = (source: string): string => {
    const parsed = parseDocument(source);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const files = toFiles(compile(parsed.document, { api: "a", docUrl: "https://a.test/" }));
    return JSON.stringify([...files].map(([name, bytes]) => [name, decode(bytes)]));
  };

  test.each(readdirSync(folder))("%s: twice, and with its paths and methods turned round", (name) => {
    const source = readFileSync(new URL(`${name}/openapi.json`, folder), "utf8");
    const document = JSON.parse(source) as { paths: Record<string, Loose> };
    const turned = Object.entries(document.paths)
      .toReversed()
      .map(([path, item]) => [path, Object.fromEntries(Object.entries(item).toReversed())]);
    const shuffled = JSON.stringify({ ...document, paths: Object.fromEntries(turned) }, null, 2);
    expect(bytesOf(source)).toBe(bytesOf(source));
    expect(bytesOf(shuffled)).toBe(bytesOf(source));
  });

  test("the digest changes when anything but the order of paths does", () => {
    const digest = (paths: Loose): string => compileDocument({ paths }).sha256;
    expect(digest({ "/a": { get: {} }, "/b": {} })).toBe(digest({ "/b": {}, "/a": { get: {} } }));
    expect(digest({ "/a": { get: {} } })).not.toBe(digest({ "/a": { get: { summary: "x" } } }));
    expect(compileDocument({})).toMatchObject({ "x-codeforge-mapping": 1, openapi: "3.1.0" });
  });

  test("a difference names what was added, removed, renamed and changed", () => {
    const before = compileDocument({
      paths: {
        "/a": { get: { operationId: "a" } },
        "/b": { get: { operationId: "b" } },
        "/c": { get: { operationId: "c" } },
      },
    });
    const after = compileDocument({
      paths: {
        "/a": { get: { operationId: "aa" } },
        "/b": { get: { operationId: "b", summary: "B" } },
        "/d": { get: { operationId: "d" } },
      },
    });
    expect(diff(before, after)).toEqual({
      added: ["d"],
      removed: ["c"],
      renamed: [{ from: "a", to: "aa" }],
      changed: [
        { name: "aa", fields: ["operationId"] },
        { name: "b", fields: ["description", "title"] },
      ],
    });
    expect(diff(before, before)).toEqual({ added: [], removed: [], renamed: [], changed: [] });
  });
});

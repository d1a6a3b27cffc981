/** Rule M17: which operation comes first for what a person asks, and how long an answer may be. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";

import type { Api } from "../../src/contract/catalog.ts";
import { MAX_TOKENS, presentHits } from "../../src/mcp/search-apis-text.ts";
import { createSearch, openSearch } from "../../src/openapi/search.ts";
import { INDEX_FILE, readIndex, toFiles, toIndexEntry } from "../../src/openapi/storage.ts";
import { compileDocument } from "./openapi-helpers.ts";

const paths = {
  "/files/{id}/comments": {
    get: { operationId: "zComments", summary: "Comments" },
    post: { operationId: "aComments", summary: "Comments" },
  },
  "/files/{id}/copies": {
    get: { operationId: "zCopies", summary: "Copies" },
    post: { operationId: "aCopies", summary: "Copies" },
  },
  "/files/{id}/comments/{comment}": { delete: { operationId: "removeComment", summary: "Delete a comment" } },
  "/orders": { get: { operationId: "listOrders", summary: "List orders" } },
  "/reports/{id}": { get: { operationId: "orders", summary: "A report" } },
  "/servers": { post: { operationId: "createServer", summary: "Create a server" } },
  "/servers/{id}": { delete: { operationId: "destroyServer", summary: "Delete a server" } },
};

describe("M17: what comes first", () => {
  const { operations } = compileDocument({ paths });
  const search = createSearch(operations.map(toIndexEntry), operations);

  test.each([
    ["an exact name, whatever fits its words better", "orders", "orders"],
    ["reads, where nothing else decides", "comments", "z_comments"],
    ["things that are wanted", "copies in a folder", "z_copies"],
    ["an order that is given", "copy a file", "a_copies"],
    ["everyday words", "get rid of a machine", "destroy_server"],
    ["a turn of phrase with other words in it", "throw the old remark away", "remove_comment"],
  ])("%s: %s", (_, query, name) => {
    expect(search.find(query, 10)[0]?.entry.name).toBe(name);
  });

  test("nothing, for words that are nowhere, and for none", () => {
    for (const query of ["zebra", "", "of the", "constructor", "__proto__"]) expect(search.find(query, 10)).toEqual([]);
  });
});

test("M17: what the document says of a tag is looked for, in the stored index too", () => {
  const ir = compileDocument({
    tags: [
      { name: "kegs", description: "A keg is a barrel of beer." },
      { name: "unused", description: "Wine" },
    ],
    paths: { "/kegs": { get: { operationId: "listKegs", tags: ["kegs"] } }, "/taps": { get: {} } },
  });
  expect(ir.tags).toEqual({ kegs: "A keg is a barrel of beer." });
  const { operations, search: index } = readIndex(new TextDecoder().decode(toFiles(ir).get(INDEX_FILE)));
  expect(openSearch(operations, index).find("barrels", 10)[0]?.entry.name).toBe("list_kegs");
});

test("M17: an answer with thirty long hits stays within its tokens, and says how many it shows", () => {
  const schema = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`some_property_${i}`, { type: "string" }]));
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, i) => [
      `/things/{id}/parts-${i}`,
      {
        post: {
          summary: `Make the part ${i} of a thing, with a title that is not short`,
          requestBody: { content: { "application/json": { schema: { type: "object", properties: schema } } } },
        },
      },
    ]),
  );
  const { operations } = compileDocument({ paths: many });
  const { hits, total } = createSearch(operations.map(toIndexEntry), operations).search("make a part", 30);
  const api = { name: "things", credentials: [] } as unknown as Api;
  const cards = new Map(operations.map((operation) => [`things ${operation.name}`, operation]));
  const found = { hits: hits.map((hit) => ({ api, ...hit })), total, apis: [api], leftOut: 0, isExact: false };
  const text = presentHits(found, cards);
  expect(encode(text).length).toBeLessThanOrEqual(MAX_TOKENS);
  expect(text).toMatch(/\d+ of 60\./);
});

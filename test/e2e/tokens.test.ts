/** What a session pays before it has done anything, and for one search: tokens of o200k, however many APIs were added. */
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";

import { startTestStack } from "../helpers/stack.ts";

const MAX_LIST_TOKENS = 1_000;
const MAX_SEARCH_TOKENS = 1_500;

/** A document whose operations take and answer something. */
function documentOf(name: string): object {
  const schema = { type: "object", properties: { id: { type: "string" }, name: { type: "string" } } };
  const content = { "application/json": { schema } };
  const responses = { 200: { description: "A bin", content } };
  return {
    openapi: "3.1.0",
    info: { title: name, version: "1" },
    servers: [{ url: `https://${name}.example.com` }],
    paths: {
      "/bins": { get: { operationId: "listBins", summary: "List bins", responses } },
      "/bins/{id}": { get: { operationId: "getBin", summary: "Read a bin", responses } },
    },
  };
}

async function measure(count: number): Promise<{ readonly start: number; readonly search: number }> {
  const names = Array.from({ length: count }, (_, index) => `api-${index}`);
  const codeforge = await startTestStack({
    apis: Object.fromEntries(
      names.map((name) => [name, { description: `The API ${name}`, domains: [`${name}.example.com`] }]),
    ),
    documents: Object.fromEntries(names.map((name) => [name, documentOf(name)])),
  });
  const { tools } = await codeforge.client.listTools();
  const instructions = codeforge.client.getInstructions() ?? "";
  const { text } = await codeforge.call("search_apis", { query: "read a bin", limit: 30 });
  await codeforge.stop();
  expect(text).toContain("get_bin");
  const list = encode(JSON.stringify(tools)).length;
  expect(list).toBeLessThanOrEqual(MAX_LIST_TOKENS);
  return { start: list + encode(instructions).length, search: encode(text).length };
}

it("is the same with 1, 20 and 200 added APIs, and a search has its bound", async () => {
  const measured = [await measure(1), await measure(20), await measure(200)];
  expect(new Set(measured.map(({ start }) => start)).size).toBe(1);
  for (const { search } of measured) expect(search).toBeLessThanOrEqual(MAX_SEARCH_TOKENS);
});

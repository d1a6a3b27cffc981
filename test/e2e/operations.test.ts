/** Compiled operations in a running server: read through the binding, and reachable in no other way. */
import { readdirSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startTestStack, type TestStack } from "../helpers/stack.ts";

const DOCUMENT = {
  openapi: "3.1.0",
  info: { title: "Bins", version: "1" },
  servers: [{ url: "https://bins.example.com" }],
  paths: { "/bins": { get: { operationId: "listBins" }, post: { operationId: "createBin" } } },
};
const TOKEN = "the-right-token";

let codeforge: TestStack;
beforeAll(async () => {
  codeforge = await startTestStack({
    apis: { bins: { description: "Bins", domains: ["bins.example.com"] } },
    documents: { bins: DOCUMENT },
    adminToken: TOKEN,
  });
});
afterAll(() => codeforge.stop());

describe("stored operations", () => {
  it("are counted by list_apis", async () => {
    expect((await codeforge.call("list_apis", {})).text).toContain("operations: 2");
  });

  it("are served to nobody, with a token or without, however the path is written", async () => {
    const apis = join(codeforge.dir, "apis");
    const files = readdirSync(apis, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".json"));
    expect(files).toContain(join("bins", "operations", "index.json"));
    const paths = files.flatMap((file) => [
      `/${file}`,
      `/mcp/../${file}`,
      `//${file}`,
      `/health/%2e%2e/${file}`,
      `/${file}?x`,
    ]);
    const answers = paths.flatMap((path) =>
      [{}, { authorization: `Bearer ${TOKEN}` }].flatMap((headers) =>
        ["GET", "HEAD", "POST"].map(async (method) => {
          const response = await fetch(`${codeforge.url.origin}${path}`, { method, headers });
          const text = await response.text();
          const expected = "authorization" in headers ? 404 : 401;
          return response.status === expected && !text.includes("listBins") && !text.includes("bins.example.com")
            ? []
            : [`${method} ${path}: ${response.status} ${text}`];
        }),
      ),
    );
    expect((await Promise.all(answers)).flat()).toEqual([]);
  });
});

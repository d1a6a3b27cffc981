/**
 * A real API from its document to a call: Figma's is added by the command, served by Prism, found by its operations'
 * meaning, and called by code that was written from the answers alone.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startPrism, type Prism } from "../helpers/prism.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const DOCUMENT = join(ROOT, "node_modules/@figma/rest-api-spec/openapi/openapi.yaml");
const TOKEN = "figd-canary-5f1d0c7e9b3a";
const MAX_TOKENS = 1_500;

const dir = mkdtempSync(join(tmpdir(), "codeforge-search-"));
let prism: Prism;
/** Stands before Prism and remembers what arrives. */
let front: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  prism = await startPrism(DOCUMENT);
  front = await startUpstream((seen, response) => {
    const { host: _, ...headers } = seen.headers;
    const onwards = request(`${prism.origin}${seen.url}`, { method: seen.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onwards.end(seen.body);
  });
  const added = spawnSync(
    process.execPath,
    [join(ROOT, "src/cli/main.ts"), "add", "figma", DOCUMENT, "--server", front.origin, "--apis", join(dir, "apis")],
    { encoding: "utf8" },
  );
  expect(added.stderr).toBe("");
  expect(added.stdout).toContain("mapped 54, skipped 0");
  codeforge = await startTestStack({
    from: join(dir, "apis"),
    apis: { other: { description: "Not Figma", domains: ["other.example.com"] } },
    vars: { FIGMA_PERSONAL_ACCESS_TOKEN: TOKEN, FIGMA_PLAN_ACCESS_TOKEN: TOKEN },
  });
  // Prism compiles a schema for every operation before it serves.
}, 300_000);

afterAll(async () => {
  await codeforge?.stop();
  await front?.stop();
  await prism?.stop();
  rmSync(dir, { recursive: true, force: true });
});

const search = async (args: Record<string, unknown>): Promise<string> =>
  (await codeforge.call("search_apis", args)).text;
const firstName = (text: string): string => /^(\w+\.\w+) /.exec(text)?.[1] ?? "";

describe("search_apis", () => {
  it("finds comments on a file, with types of input and result, and says how many more there are", async () => {
    const text = await search({ query: "comments on a file" });
    expect(text).toMatch(
      /^figma\.get_comments GET \/v1\/files\/\{file_key\}\/comments — Get comments in a file\n {2}\(path: \{ file_key: string \}/,
    );
    expect(text).toMatch(/→ \{ comments: \{ id: string;/);
    expect(text).toMatch(/\d+ of \d+\./);
    expect(text).toContain(`figma: ${front.origin}; header X-Figma-Token: FIGMA_PERSONAL_ACCESS_TOKEN`);
  });

  it("gives the whole of an operation by its exact name: types, an example with the credential's name, the loop over pages", async () => {
    const text = await search({ query: "figma.get_comment_reactions" });
    expect(text).toContain("path: { file_key: string; comment_id: string }");
    expect(text).toContain('"X-Figma-Token": "FIGMA_PERSONAL_ACCESS_TOKEN"');
    expect(text).toContain("await fetch(");
    expect(text).toContain('url.searchParams.set("cursor", next)');
    expect(await search({ query: "GET /v1/me" })).toContain("figma.get_me GET /v1/me");
  });

  it("says that nothing matches, and what there is; and which APIs can be searched", async () => {
    expect(await search({ query: "zebra crossing" })).toMatch(
      /^Nothing matches "zebra crossing" in 54 operations of figma\. Its operations are about: /,
    );
    const unknown = await codeforge.call("search_apis", { query: "x", api: "nope" });
    expect(unknown).toMatchObject({ isError: true, text: 'api: there is no "nope". Searchable: figma.' });
    expect(await search({ query: "x", api: "other" })).toContain("other was added without a document");
  });

  it("stays within its tokens, whatever is asked", async () => {
    const queries = [
      "file",
      "webhook",
      "variables library usage",
      "figma.get_file",
      "figma.post_variables",
      "figma.get_activity_logs",
      "figma.get_file_nodes",
    ];
    const answers = await Promise.all(queries.map((query) => search({ query, limit: 30 })));
    const costs = answers.map((text, i) => ({ query: queries[i], tokens: encode(text).length }));
    expect(costs.filter(({ tokens }) => tokens > MAX_TOKENS)).toEqual([]);
  });

  it("is what a block can be written from: five operations that Prism accepts, the credential put in outside", async () => {
    const questions = [
      "comments on a file",
      "leave a comment on a file",
      "delete a comment",
      "published styles of a team",
      "who am I",
    ];
    const examples: string[] = [];
    for (const query of questions) {
      const card = await search({ query: firstName(await search({ query })) });
      examples.push(/^const response = (await fetch\([\s\S]*?\));$/m.exec(card)?.[1] ?? "");
    }
    const before = front.seen.length;
    const block = `return await Promise.all([${examples.map((call) => `(async () => { const r = ${call}; return [r.status, new URL(r.url).pathname, await r.text()]; })()`).join(",\n")}]);`;
    const { text, isError } = await codeforge.run(block, { apis: ["figma"] });
    expect(isError, text).toBe(false);
    const seen = front.seen.slice(before);
    expect(seen.map(({ method, url }) => `${method} ${url}`).toSorted()).toEqual([
      "DELETE /v1/files/text/comments/text",
      "GET /v1/files/text/comments",
      "GET /v1/me",
      "GET /v1/teams/text/styles",
      "POST /v1/files/text/comments",
    ]);
    expect(seen.map(({ headers }) => headers["x-figma-token"])).toEqual(Array.from({ length: 5 }, () => TOKEN));
    expect(text.match(/\b200\b/g)?.length, text).toBeGreaterThanOrEqual(5);
    expect(block).not.toContain(TOKEN);
  });

  it("is there in code too, within the APIs of the run", async () => {
    const code = `import { search } from "codeforge";
const { hits, total } = await search("comments on a file", { limit: 3 });
return { names: hits.map((hit) => hit.name), first: hits[0], total };`;
    const { structured, text } = await codeforge.run(code);
    expect(text).toContain("get_comments");
    expect(text).toContain("FIGMA_PERSONAL_ACCESS_TOKEN");
    expect(structured).toBeDefined();
    const narrowed = await codeforge.run(code, { apis: ["other"] });
    expect(narrowed).toMatchObject({ isError: true });
    expect(narrowed.text).toContain("No API has operations to search");
    const wrong = await codeforge.run(`import { search } from "codeforge"; return await search("");`);
    expect(wrong.text).toContain("search(query, { api?, limit? })");
  });
});

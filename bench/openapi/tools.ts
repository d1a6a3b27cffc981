/**
 * `npm run bench:tools`: `/mcp/<api>` for GitHub's document and for one of nearly 3,000 operations, every operation a tool.
 * Lists are taken whole, page by page, and checked by the rules of the big model APIs and by the inspector; then calls to
 * a tool of the large API and to one of ten tools are timed in turns, with the network's answer made up in the process.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Response } from "miniflare";

import type { ApiConfigInput } from "../../src/contract/config.ts";
import { startTestStack, type TestStack } from "../../test/helpers/stack.ts";
import { fixed, percentile, printLoad, printTable } from "../helpers/figures.ts";
import { checkTools, type ListedTool } from "./check-tools.ts";
import { githubDocument, listDocuments } from "./documents.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const INSPECTOR = join(ROOT, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const WARM_UPS = 10;
const CALLS = 100;
const TEN =
  "meta_root,meta_get,meta_get_octocat,meta_get_zen,meta_get_all_versions,emojis_get,rate_limit_get,licenses_get,gitignore_get_template,users_get_by_username";

const [wide] = listDocuments("autotask.net");
if (wide === undefined) throw new Error("the wide document is not in the corpus");
const github = JSON.parse(new TextDecoder().decode(githubDocument().read())) as object;
const documents = { github, wide: JSON.parse(new TextDecoder().decode(wide.read())) as object };
const config = (...domains: string[]): ApiConfigInput => ({
  description: "Measured",
  domains,
  tools: { limit: 5_000 },
});

const stack = await startTestStack({
  connect: false,
  apis: { github: config("api.github.com", "uploads.github.com"), wide: config("*.autotask.net") },
  documents,
  internet: () => Response.json({ ok: true }),
});

try {
  const rows = [];
  for (const api of Object.keys(documents)) rows.push(await list(stack, api));
  printTable(["list", "tools", "MB", "first, s", "again, s", "inspector --strict, s"], rows);
  await compare();
  printLoad();
} finally {
  await stack.stop();
}

async function connect(path: string): Promise<Client> {
  const client = new Client({ name: "codeforge-bench", version: "1.0.0" }, { versionNegotiation: { mode: "legacy" } });
  await client.connect(new StreamableHTTPClientTransport(new URL(path, stack.url)));
  return client;
}

async function listAll(client: Client): Promise<ListedTool[]> {
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listTools(cursor === undefined ? {} : { cursor });
    tools.push(...page.tools);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return tools;
}

async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly value: T; readonly seconds: string }> {
  const begun = performance.now();
  const value = await work();
  return { value, seconds: fixed((performance.now() - begun) / 1_000) };
}

/** Takes a list twice, and once with the inspector. */
async function list({ url }: TestStack, api: string): Promise<string[]> {
  const client = await connect(`/mcp/${api}`);
  const first = await timed(() => listAll(client));
  const again = await timed(() => listAll(client));
  await client.close();
  const problems = checkTools(first.value, api);
  if (problems.length > 0) throw new Error(`${problems.length} broken rules:\n${problems.slice(0, 20).join("\n")}`);
  const inspected = await timed(() => inspect(new URL(`/mcp/${api}`, url)));
  const megabytes = fixed(JSON.stringify(first.value).length / 1e6, 1);
  return [api, String(first.value.length), megabytes, first.seconds, again.seconds, inspected.seconds];
}

function inspect(url: URL): void {
  const home = mkdtempSync(join(tmpdir(), "codeforge-inspector-"));
  const args = [INSPECTOR, "--cli", url.href, "--transport", "http", "--method", "tools/list", "--strict"];
  const env = { ...process.env, HOME: home, MCP_CATALOG_PATH: join(home, "mcp.json") };
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: "utf8", maxBuffer: 1 << 28 });
  rmSync(home, { recursive: true, force: true });
  if (status !== 0) throw new Error(`the inspector refused ${url.pathname}:\n${stderr.slice(-2_000)}`);
}

/** The same call at an endpoint of all tools and at one of ten. */
async function compare(): Promise<void> {
  const paths = { "all of GitHub": "/mcp/github", "ten of them": `/mcp/github?operations=${TEN}` };
  const clients = new Map<string, Client>();
  for (const [name, path] of Object.entries(paths)) clients.set(name, await connect(path));
  const samples = new Map<string, number[]>([...clients.keys()].map((name) => [name, []]));
  for (let call = -WARM_UPS; call < CALLS; call++) {
    for (const [name, client] of clients) {
      const begun = performance.now();
      const result = await client.callTool({ name: "users_get_by_username", arguments: { username: "octocat" } });
      if (result.isError === true) throw new Error(`the call failed: ${JSON.stringify(result.content)}`);
      if (call >= 0) samples.get(name)?.push(performance.now() - begun);
    }
  }
  await Promise.all([...clients.values()].map((client) => client.close()));
  const rows = [...samples].map(([name, times]) => [
    name,
    fixed(percentile(times, 0.5), 1),
    fixed(percentile(times, 0.95), 1),
  ]);
  printTable(["a call to", "p50, ms", "p95, ms"], rows);
}

/** What the measurements run against: an upstream, and clients that keep nothing of what they receive. */
import { randomBytes } from "node:crypto";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import { startUpstream, type Upstream } from "../../test/helpers/upstream.ts";

/** Runs a block and answers its result as text. */
export type RunBlock = (
  code: string,
  options?: { readonly apis?: readonly string[]; readonly timeout?: number },
) => Promise<string>;

/** An upstream that answers everything with 2 KB of JSON. */
export async function startJsonUpstream(): Promise<Upstream> {
  const row = (id: number): object => ({ id, name: `item ${id}`, price: 1_250 + id, tags: ["new", "sale"] });
  const body = Buffer.from(JSON.stringify(Array.from({ length: 36 }, (_, id) => row(id))));
  return startUpstream((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": body.length });
    response.end(body);
  });
}

/** Credentials, by name, of forms and lengths that services issue. */
export function createSecrets(prefix: string, count: number): Record<string, string> {
  const entries = Array.from({ length: count }, (_, index) => [
    `${prefix}_${index}`,
    `sk_live_${randomBytes(18 + (index % 16)).toString("base64url")}`,
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}

/** A client of the 2025 era with one session, and what runs a block through it. */
export async function connectMcp(url: URL): Promise<{ readonly run: RunBlock; close(): Promise<void> }> {
  const client = new Client({ name: "codeforge-bench", version: "1.0.0" });
  await client.connect(new StreamableHTTPClientTransport(url));
  const run: RunBlock = async (code, options = {}) => {
    const params = { name: "execute_code", arguments: { code, timeout: 300_000, ...options } };
    const result = await client.callTool(params, undefined, { timeout: 300_000 });
    const [first] = result.content as { readonly text?: string }[];
    const text = first?.text ?? "";
    if (result.isError === true) throw new Error(`the block failed: ${text}`);
    return text;
  };
  return { run, close: () => client.close() };
}

/** What posts a block to the front door of `bench/workers/sandbox`; see there. */
export function postBlock(
  origin: URL,
  executor: "codemode" | "service" | "guarded" | "passing" | "inherit" | `proxied?${string}`,
): RunBlock {
  return async (code) => {
    const response = await fetch(new URL(`/${executor}`, origin), { method: "POST", body: code });
    const text = await response.text();
    if (!response.ok || !/"(?:result|json|text)":/.test(text)) throw new Error(`the block failed: ${text}`);
    return text;
  };
}

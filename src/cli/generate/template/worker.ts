/**
 * The server over Streamable HTTP, as a Cloudflare Worker: `POST /mcp`. It refuses to run open: whoever calls it uses the
 * API with the credentials configured here, so a caller has to know MCP_TOKEN.
 */
import { createMcpHandler } from "@modelcontextprotocol/server";

import { CORS } from "../../../mcp/cors.ts";
import { createServer } from "./runtime.ts";
import { readSettings } from "./settings.ts";

/** The Worker's bindings: the variables of the settings, and MCP_TOKEN. */
type Env = Readonly<Record<string, unknown>>;

const NO_TOKEN = "This server has no MCP_TOKEN, so it serves nothing. Set one: npx wrangler secret put MCP_TOKEN";

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const response = await serve(request, env);
    const open = new Response(response.body, response);
    for (const [name, value] of Object.entries(CORS)) open.headers.set(name, value);
    return open;
  },
};

async function serve(request: Request, env: Env): Promise<Response> {
  if (request.method === "OPTIONS") return new Response(null, { status: 204 });
  if (new URL(request.url).pathname !== "/mcp") return refuse(404, "Nothing is served here; the MCP endpoint is /mcp.");
  const expected = env["MCP_TOKEN"];
  if (typeof expected !== "string" || expected === "") return refuse(503, NO_TOKEN);
  const [, given] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
  if (given === undefined || !(await sameSecret(given, expected))) {
    const challenge = given === undefined ? "Bearer" : 'Bearer error="invalid_token"';
    return refuse(401, "A bearer token is needed: the server's MCP_TOKEN.", { "www-authenticate": challenge });
  }
  const read = readSettings(env);
  if (!read.ok) return refuse(500, read.message);
  return await createMcpHandler(() => createServer(read.settings)).fetch(request);
}

/** Compares digests, so that neither content nor length of the expected value shows in the time taken. */
async function sameSecret(given: string, expected: string): Promise<boolean> {
  const digest = async (text: string): Promise<Uint8Array> =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
  const [a, b] = await Promise.all([digest(given), digest(expected)]);
  return a.reduce((difference, byte, i) => difference | (byte ^ (b[i] ?? 0)), 0) === 0;
}

/** An HTTP error before MCP is reached, as a JSON-RPC error without id, which clients show as text. */
function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }, { status, headers });
}

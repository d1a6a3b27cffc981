/** Clients of both protocol eras beside the one that every stack has, down to single requests. */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "codeforge-test", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

export interface RawOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** A JSON-RPC message on the wire, in the parts that tests look at. */
export interface Message {
  readonly id?: number | null;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A connected SDK v2 client: `legacy` speaks 2025, `auto` asks the server first. */
export async function connectV2(url: URL, mode: "legacy" | "auto", token?: string): Promise<Client> {
  const client = new Client({ name: "codeforge-test", version: "1.0.0" }, { versionNegotiation: { mode } });
  const requestInit = token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
}

/** Posts one message with the headers that every client sends. */
export function post(url: URL, message: object, { headers, signal }: RawOptions = {}): Promise<Response> {
  return fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** Posts one request of the 2026 era. `name` is the tool or the resource, which this era repeats in a header. */
export function postModern(
  url: URL,
  method: string,
  params: Readonly<Record<string, unknown>> = {},
  { headers, signal }: RawOptions = {},
): Promise<Response> {
  const { name = params["uri"], _meta = {} } = params as { name?: unknown; _meta?: object };
  const routing = {
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": method,
    ...(typeof name === "string" ? { "mcp-name": name } : {}),
  };
  const message = { id: 1, method, params: { ...params, _meta: { ...META, ..._meta } } };
  return post(url, message, { headers: { ...routing, ...headers }, ...(signal === undefined ? {} : { signal }) });
}

/** Opens a session of the 2025 era and answers its id. */
export async function openSession(url: URL): Promise<string> {
  const params = {
    protocolVersion: "2025-11-25",
    capabilities: {},
    clientInfo: { name: "codeforge-test", version: "1.0.0" },
  };
  const response = await post(url, { id: 0, method: "initialize", params });
  await response.text();
  const session = response.headers.get("mcp-session-id");
  if (session === null) throw new Error(`no session was opened: ${response.status}`);
  return session;
}

/** Every message of an answer, whether it is a stream or a single one. */
export async function messagesOf(response: Response): Promise<Message[]> {
  const text = await response.text();
  if (response.headers.get("content-type")?.startsWith("application/json")) return [JSON.parse(text) as Message];
  return [...text.matchAll(/^data: (.+)$/gm)].map(([, data = ""]) => JSON.parse(data) as Message);
}

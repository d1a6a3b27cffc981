/**
 * One MCP endpoint for both protocol eras. 2026-07-28 is stateless: each request builds its own server. The 2025-era
 * revisions have sessions: a row each, so that an evicted object wakes up, replays the stored handshake into a fresh
 * transport, and serves the next request as if nothing had happened.
 */
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
  type AuthInfo,
  type McpHttpHandler,
  type McpServer,
  type Server,
  type ServerNotifier,
} from "@modelcontextprotocol/server";

import type { SessionStore } from "./sessions.ts";
import { streamWhenSlow } from "./stream-when-slow.ts";

/** How often a stream that carries no message writes a comment: how soon a client that went away is noticed. */
const KEEP_ALIVE_MS = 1_000;

/** How long a 2026-era answer may take before it becomes a stream. */
const PATIENCE_MS = 250;

/** Largest MCP request body, in bytes: room for the largest code and its JSON escapes. The routes apply it as well. */
export const MAX_BODY_BYTES = 4 * 1024 * 1024;

export interface EndpointOptions {
  readonly sessions: SessionStore;
  /** Builds the server of one request (2026 era) or one session (2025 era), as the path and query of its URL say. */
  readonly build: (url: URL, notify: ServerNotifier) => McpServer | Server | Promise<McpServer | Server>;
  /** Called when a session begins, with the time, so that somebody comes back to sweep it. */
  readonly onSession: (nowMs: number) => void;
}

export class DualEraEndpoint {
  readonly #options: EndpointOptions;
  readonly #modern: McpHttpHandler;
  /** By session. Promises, so that requests that arrive together after an eviction wake one transport, not two. */
  readonly #live = new Map<string, Promise<WebStandardStreamableHTTPServerTransport>>();

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#modern = createMcpHandler(({ requestInfo }) => options.build(toUrl(requestInfo), this.#modern.notify), {
      legacy: "reject",
      keepAliveMs: KEEP_ALIVE_MS,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
  }

  /** Reaches the streams of 2026-era clients that listen for changes. */
  get notify(): ServerNotifier {
    return this.#modern.notify;
  }

  /** Serves one HTTP request of either era. */
  async handle(request: Request, authInfo: AuthInfo): Promise<Response> {
    if (!(await isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY_BYTES }))) {
      return this.#serveModern(request, authInfo);
    }
    // A stream that broke may be taken up again. No standing one: it would keep an idle object in memory.
    if (request.method === "GET" && !request.headers.has("last-event-id")) return methodNotAllowed();
    const sessionId = request.headers.get("mcp-session-id");
    const transport = sessionId === null ? await this.#open(request) : await this.#resume(sessionId, request.url);
    if (transport === null) return sessionNotFound();
    return transport.handleRequest(request, { authInfo });
  }

  /** Ends the sessions last seen before `olderThanMs` (epoch milliseconds) and says how many are left. */
  async sweep(olderThanMs: number): Promise<number> {
    for (const id of this.#options.sessions.idleSince(olderThanMs)) {
      await (await this.#live.get(id))?.close();
      this.#live.delete(id);
      this.#options.sessions.remove(id);
    }
    return this.#options.sessions.count();
  }

  /** In this era a client cancels by closing the stream; the SDK is told through the request's signal. */
  #serveModern(request: Request, authInfo: AuthInfo): Promise<Response> {
    const gone = new AbortController();
    const answer = this.#modern.fetch(new Request(request, { signal: gone.signal }), { authInfo });
    return streamWhenSlow(answer, {
      patienceMs: PATIENCE_MS,
      keepAliveMs: KEEP_ALIVE_MS,
      onGone: () => gone.abort(),
    });
  }

  /** A transport for a request without a session id. Only an `initialize` turns it into a session with a row. */
  async #open(request: Request): Promise<WebStandardStreamableHTTPServerTransport> {
    const handshake = await request.clone().text();
    const transport = await this.#connect(crypto.randomUUID(), request.url, (id) => {
      const nowMs = Date.now();
      this.#options.sessions.insert({ id, surface: surfaceOf(request.url), handshake }, nowMs);
      this.#live.set(id, Promise.resolve(transport));
      this.#options.onSession(nowMs);
    });
    return transport;
  }

  async #resume(id: string, url: string): Promise<WebStandardStreamableHTTPServerTransport | null> {
    const handshake = this.#options.sessions.touch(id, surfaceOf(url), Date.now());
    if (handshake === null) return null;
    const live = this.#live.get(id) ?? this.#wake(id, url, handshake);
    this.#live.set(id, live);
    return live;
  }

  /** A transport that has seen the handshake of its session again. */
  async #wake(id: string, url: string, handshake: string): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = await this.#connect(id, url, () => {});
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = await transport.handleRequest(new Request(url, { method: "POST", headers, body: handshake }));
    await answer.body?.cancel();
    return transport;
  }

  async #connect(
    id: string,
    url: string,
    onInitialized: (id: string) => void,
  ): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: onInitialized,
      onsessionclosed: (closed) => {
        this.#live.delete(closed);
        this.#options.sessions.remove(closed);
      },
      eventStore: this.#options.sessions.events(id),
      keepAliveMs: KEEP_ALIVE_MS,
      maxRequestBodySize: MAX_BODY_BYTES,
    });
    const server = await this.#options.build(new URL(url), this.#modern.notify);
    await server.connect(transport);
    return transport;
  }
}

/** What tells one endpoint from another: a session opened at one is not known at the others. */
function surfaceOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

/** The SDK gives the request of every HTTP call; its type allows for other transports. */
function toUrl(request: Request | undefined): URL {
  if (request === undefined) throw new TypeError("a server is built for an HTTP request");
  return new URL(request.url);
}

function methodNotAllowed(): Response {
  const error = { code: -32_000, message: "Method not allowed: this server offers no standing stream." };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 405, headers: { allow: "POST, DELETE" } });
}

/** The specification's answer to a session that is gone: 404, at which the client initializes anew. */
function sessionNotFound(): Response {
  return Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "Session not found" } },
    { status: 404 },
  );
}

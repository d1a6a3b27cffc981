/**
 * `Forge`: the MCP server of one principal, as a Durable Object. It is reached by RPC only: the `fetch` of the base
 * class speaks a protocol of its own through which a client could read and write the object's state.
 */
import type { AuthInfo, McpServer, ServerNotifier } from "@modelcontextprotocol/server";
import { Agent } from "agents";

import type { Auth } from "./auth/authenticate.ts";
import { loadCatalog } from "./catalog/load.ts";
import type { Env } from "./env.ts";
import { DualEraEndpoint } from "./mcp/eras.ts";
import { createServer } from "./mcp/server.ts";
import { SessionStore } from "./mcp/sessions.ts";

/** Sessions idle for this long are ended; a client whose session is gone is told so and starts anew. */
const SESSION_IDLE_SECONDS = 24 * 60 * 60;

export class Forge extends Agent<Env> {
  readonly #endpoint = new DualEraEndpoint({
    sessions: new SessionStore(this.ctx.storage.sql),
    build: (notify) => this.createServer(notify),
    onSession: () => {
      void this.schedule(SESSION_IDLE_SECONDS, "sweepSessions", undefined, { idempotent: true });
    },
  });

  /** Serves one MCP request. `auth` was verified in front, for this request alone. */
  handle(request: Request, auth: Auth): Promise<Response> {
    return this.#endpoint.handle(request, toAuthInfo(auth));
  }

  /** Called by the schedule: ends idle sessions, and comes back as long as any are left. */
  async sweepSessions(): Promise<void> {
    const left = await this.#endpoint.sweep(Date.now() - SESSION_IDLE_SECONDS * 1_000);
    if (left > 0) await this.schedule(SESSION_IDLE_SECONDS, "sweepSessions");
  }

  protected createServer(notify: ServerNotifier): McpServer {
    return createServer({ env: this.env, catalog: loadCatalog(), notify });
  }

  /** The base class's WebSocket and state protocol is closed. */
  override async fetch(): Promise<Response> {
    return new Response("Not found", { status: 404 });
  }
}

function toAuthInfo(auth: Auth): AuthInfo {
  return { token: "", clientId: auth.principal, scopes: [...auth.scopes] };
}

/**
 * `Forge`: the MCP server of one principal, as a Durable Object. It is reached by RPC only: the `fetch` of the base
 * class speaks a protocol of its own through which a client could read and write the object's state.
 */
import type { McpServer, McpServerOptions, ServerNotifier } from "@modelcontextprotocol/server";
import { Agent } from "agents";

import type { Auth } from "./auth/auth.ts";
import { loadCatalog } from "./catalog/load.ts";
import { Operations } from "./catalog/operations.ts";
import { Runs } from "./code/runs.ts";
import type { SenderService } from "./code/send.ts";
import { readSettings } from "./contract/settings.ts";
import type { Env } from "./env.ts";
import { toAuthInfo } from "./mcp/caller.ts";
import { DualEraEndpoint } from "./mcp/eras.ts";
import { createOperationServer } from "./mcp/operations/server.ts";
import { readSurface } from "./mcp/operations/surface.ts";
import { createServer } from "./mcp/server.ts";
import { SessionStore } from "./mcp/sessions.ts";
import { createSkills } from "./skills/skills.ts";

/** Sessions idle for this long are ended at the next sweep; a client whose session is gone starts anew. */
const SESSION_IDLE_MS = 24 * 60 * 60 * 1_000;

const MAIN_ENDPOINT = "/mcp";

export class Forge extends Agent<Env> {
  readonly #operations = new Operations(this.env.OPERATIONS, loadCatalog().apis);
  readonly #settings = readSettings({ ...this.env }).settings;
  readonly #skills = createSkills({
    env: this.env,
    catalog: loadCatalog(),
    runs: () => this.#runs,
    isReadOnly: this.#settings.SKILLS_READ_ONLY,
    onChange: () => this.#endpoint.notify.resourcesChanged(),
    onSeen: () => this.#endpoint.notify.resourcesChanged(),
  });
  readonly #runs: Runs = new Runs({
    env: this.env,
    sender: this.#sender(),
    settings: this.#settings,
    hostCalls: { ...this.#skills.calls },
    modules: this.#skills.modules,
  });
  readonly #endpoint = new DualEraEndpoint({
    sessions: new SessionStore(this.ctx.storage.sql),
    build: (url, notify) =>
      url.pathname === MAIN_ENDPOINT ? this.createServer(notify) : this.#createOperationServer(url),
    onSession: (nowMs) => void this.#scheduleSweep(nowMs),
  });

  /** Serves one MCP request. `auth` was verified in front, for this request alone. */
  handle(request: Request, auth: Auth): Promise<Response> {
    return this.#endpoint.handle(request, toAuthInfo(auth));
  }

  /** Called by the schedule: ends the sessions that are idle at `nowMs`, and comes back as long as any are left. */
  async sweepSessions(nowMs: number): Promise<void> {
    const left = await this.#endpoint.sweep(nowMs - SESSION_IDLE_MS);
    if (left > 0) await this.#scheduleSweep(nowMs);
  }

  /**
   * Sweeps happen at multiples of the idle time: however many sessions begin, there is one to come, and a session that
   * begins during a sweep asks for the next.
   */
  async #scheduleSweep(nowMs: number): Promise<void> {
    const dueMs = (Math.floor(nowMs / SESSION_IDLE_MS) + 2) * SESSION_IDLE_MS;
    await this.schedule(new Date(dueMs), "sweepSessions", dueMs, { idempotent: true });
  }

  #sender(): SenderService {
    // The generated type of `ctx.exports` is per project and this project has three Workers; this is the one place that says it.
    return (this.ctx.exports as unknown as { Sender: SenderService }).Sender;
  }

  /** Builds the server of one request or session. `_notify` reaches the streams of clients that listen for changes. */
  protected createServer(_notify: ServerNotifier, options?: McpServerOptions): McpServer {
    const own = { operations: this.#operations, runs: this.#runs, skills: this.#skills };
    return createServer({ env: this.env, catalog: loadCatalog(), ...own }, options);
  }

  /** Builds the server of `/mcp/<api>`. The routes have seen to it that there is one. */
  async #createOperationServer(url: URL): Promise<McpServer> {
    const read = readSurface(url, loadCatalog().apis, { apis: null });
    if (!read.ok) throw new Error(read.message);
    return await createOperationServer({ operations: this.#operations, runs: this.#runs }, read.surface);
  }

  /** The base class's WebSocket and state protocol is closed. */
  override async fetch(): Promise<Response> {
    return new Response("Not found", { status: 404 });
  }
}

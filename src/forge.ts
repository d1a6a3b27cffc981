/**
 * `Forge`: the MCP server of one principal, as a Durable Object. It is reached by RPC only: the `fetch` of the base
 * class speaks a protocol of its own through which a client could read and write the object's state.
 */
import type { McpServer, McpServerOptions, ServerNotifier } from "@modelcontextprotocol/server";
import { Agent } from "agents";

import { audit } from "./auth/audit.ts";
import type { Auth } from "./auth/auth.ts";
import { loadCatalog } from "./catalog/load.ts";
import { Operations } from "./catalog/operations.ts";
import { RunHistory, type RunRecord, type RunSummary } from "./code/history.ts";
import { resultCalls } from "./code/result-calls.ts";
import { ResultStore } from "./code/results.ts";
import { Runs } from "./code/runs.ts";
import type { SenderService } from "./code/send.ts";
import { readSettings } from "./contract/settings.ts";
import type { Env } from "./env.ts";
import { serveCaller } from "./mcp/caller.ts";
import { DualEraEndpoint } from "./mcp/eras.ts";
import { createOperationServer } from "./mcp/operations/server.ts";
import { readSurface } from "./mcp/operations/surface.ts";
import { createSearchCall } from "./mcp/search-apis-call.ts";
import { createServer } from "./mcp/server.ts";
import { SessionStore } from "./mcp/sessions.ts";
import { HTTP_CALLS } from "./skills/recording.ts";
import { answerSkills, type SkillsAnswer, type SkillsRequest } from "./skills/remote.ts";
import { createSkills } from "./skills/skills.ts";

/** Sessions idle for this long are ended at the next sweep; a client whose session is gone starts anew. */
const SESSION_IDLE_MS = 24 * 60 * 60 * 1_000;

const MAIN_ENDPOINT = "/mcp";

const HOUR_MS = 60 * 60 * 1_000;

/** Who may see what came of any API. */
const EVERYTHING = { apis: null };

export class Forge extends Agent<Env> {
  /** When the next clearing is due, in epoch milliseconds; null until that is known. */
  #clearingMs: number | null = null;
  readonly #operations = new Operations(this.env.OPERATIONS, loadCatalog().apis);
  readonly #settings = readSettings({ ...this.env }).settings;
  readonly #history = new RunHistory({
    sql: this.ctx.storage.sql,
    settings: this.#settings,
    onEntered: () => void this.#scheduleClearing(),
  });
  readonly #results = new ResultStore({
    sql: this.ctx.storage.sql,
    bucket: this.env.STORAGE,
    ttlHours: this.#settings.RESULT_TTL_HOURS,
    onKept: () => void this.#scheduleClearing(),
  });
  readonly #skills = createSkills({
    env: this.env,
    catalog: loadCatalog(),
    runs: () => this.#runs,
    isReadOnly: this.#settings.SKILLS_READ_ONLY,
    onChange: ({ auth, name, action, runId }) => {
      this.#endpoint.notify.resourcesChanged();
      void audit(this.env, { auth, action: "skill.change", subject: name, run: runId ?? undefined, detail: action });
    },
    onSeen: () => this.#endpoint.notify.resourcesChanged(),
  });
  readonly #runs: Runs = new Runs({
    env: this.env,
    sender: this.#sender(),
    settings: this.#settings,
    hostCalls: {
      ...this.#skills.calls,
      ...resultCalls(this.#results),
      ...HTTP_CALLS,
      search: createSearchCall(loadCatalog(), this.#operations),
    },
    history: this.#history,
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
    return serveCaller(auth, (authInfo) => this.#endpoint.handle(request, authInfo));
  }

  /** Answers one request of the routes under `/admin/skills`. */
  skills(request: SkillsRequest, auth: Auth): Promise<SkillsAnswer> {
    return answerSkills(this.#skills, auth, request);
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

  /** Called by the schedule: drops the results and the runs that have expired by `nowMs`. */
  async clearExpired(nowMs: number): Promise<void> {
    this.#clearingMs = null;
    this.#history.sweep(nowMs);
    try {
      await this.#results.sweep(nowMs);
    } finally {
      await this.#scheduleClearing(nowMs);
    }
  }

  /** Asks for a clearing in the hour in which the next expiry falls, unless there is one to come before. */
  async #scheduleClearing(afterMs = 0): Promise<void> {
    const next = Math.min(this.#history.nextExpiryMs() ?? Infinity, this.#results.nextExpiryMs() ?? Infinity);
    if (next === Infinity) return;
    const dueMs = (Math.floor(Math.max(next, afterMs) / HOUR_MS) + 1) * HOUR_MS;
    if (this.#clearingMs === null) {
      const schedules = await this.listSchedules();
      const due = schedules.filter(({ callback }) => callback === "clearExpired").map(({ time }) => time * 1_000);
      this.#clearingMs = Math.min(...due.filter((time) => time > afterMs), Infinity);
    }
    if (this.#clearingMs <= dueMs) return;
    this.#clearingMs = dueMs;
    await this.schedule(new Date(dueMs), "clearExpired", dueMs, { idempotent: true });
  }

  /** The runs of this principal that began before `beforeMs`, the latest first: for the administration, which sees all. */
  listRuns(limit: number, beforeMs?: number): RunSummary[] {
    return this.#history.list(EVERYTHING, limit, beforeMs);
  }

  /** One run of this principal, or null: for the administration. */
  readRun(id: string): RunRecord | null {
    return this.#history.read(EVERYTHING, id);
  }

  #sender(): SenderService {
    // The generated type of `ctx.exports` is per project and this project has three Workers; this is the one place that says it.
    return (this.ctx.exports as unknown as { Sender: SenderService }).Sender;
  }

  /** Builds the server of one request or session. `_notify` reaches the streams of clients that listen for changes. */
  protected createServer(_notify: ServerNotifier, options?: McpServerOptions): McpServer {
    const own = { operations: this.#operations, runs: this.#runs, skills: this.#skills };
    const kept = { results: this.#results, history: this.#history };
    return createServer({ env: this.env, catalog: loadCatalog(), ...own, ...kept }, options);
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

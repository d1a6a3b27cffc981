/**
 * `Audit`: who did what, across all principals, in one Durable Object: runs, changes of tokens, switches and skills. A
 * row names credentials and never a value, a query or a body. The oldest rows go when there are too many, or too old.
 */
import { DurableObject } from "cloudflare:workers";
import { z } from "zod";

import { AuditRow } from "../contract/admin.ts";
import { readSettings } from "../contract/settings.ts";
import type { Env } from "../env.ts";
import type { Auth } from "./auth.ts";

const DAY_MS = 24 * 60 * 60_000;

/** After how many rows the oldest are looked at. */
const PRUNE_EVERY = 100;

/** Most rows of one answer. */
const MAX_PAGE = 1_000;

/** What is told of an action; who did it comes from `auth`. */
export interface AuditEntry {
  readonly auth: Auth;
  readonly action: AuditRow["action"];
  /** What it was done to: a token's, an API's or a skill's name; a tool's for a run. */
  readonly subject: string;
  readonly run?: string | undefined;
  /** Names of credentials that were put into requests. */
  readonly credentials?: readonly string[];
  /** How it ended, or what was changed to. */
  readonly detail?: string | undefined;
}

interface Row extends Record<string, SqlStorageValue> {
  id: number;
  row: string;
}

export class Audit extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql.exec(
      "CREATE TABLE IF NOT EXISTS audit (id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, run TEXT, row TEXT NOT NULL)",
    );
    this.#sql.exec("CREATE INDEX IF NOT EXISTS audit_run ON audit (run)");
  }

  add(row: Omit<AuditRow, "id">): void {
    const { id } = this.#sql
      .exec<{ id: number }>(
        "INSERT INTO audit (at, run, row) VALUES (?, ?, ?) RETURNING id",
        row.atMs,
        row.run,
        JSON.stringify(row),
      )
      .one();
    if (id % PRUNE_EVERY === 0) this.#prune(id, row.atMs);
  }

  /** Rows after the row `after`, the oldest first; without it, the latest `limit` rows. */
  list(limit: number, after: number | null): AuditRow[] {
    const count = Math.min(limit, MAX_PAGE);
    const rows =
      after === null
        ? this.#sql.exec<Row>("SELECT id, row FROM audit ORDER BY id DESC LIMIT ?", count).toArray().toReversed()
        : this.#sql.exec<Row>("SELECT id, row FROM audit WHERE id > ? ORDER BY id LIMIT ?", after, count).toArray();
    return rows.map(toAuditRow);
  }

  /** The row of a run, or null. */
  findRun(run: string): AuditRow | null {
    const [row] = this.#sql.exec<Row>("SELECT id, row FROM audit WHERE run = ? ORDER BY id LIMIT 1", run).toArray();
    return row === undefined ? null : toAuditRow(row);
  }

  #prune(lastId: number, nowMs: number): void {
    const { AUDIT_ROWS: rows, AUDIT_DAYS: days } = readSettings({ ...this.env }).settings;
    this.#sql.exec("DELETE FROM audit WHERE id <= ? OR at < ?", lastId - rows, nowMs - days * DAY_MS);
  }
}

function toAuditRow({ id, row }: Row): AuditRow {
  return AuditRow.parse({ ...z.record(z.string(), z.unknown()).parse(JSON.parse(row)), id });
}

/** Writes a row. A row that cannot be written is reported in the log and stops nothing. */
export async function audit(env: Env, { auth, action, subject, ...entry }: AuditEntry): Promise<void> {
  const { principal, token, address } = auth;
  const row = { atMs: Date.now(), principal, token: token?.name ?? null, address: address ?? null, action, subject };
  const rest = { run: entry.run ?? null, credentials: [...(entry.credentials ?? [])], detail: entry.detail ?? null };
  try {
    await auditOf(env).add({ ...row, ...rest });
  } catch (error) {
    console.error(`unexpected: audit: ${error instanceof Error ? error.name : typeof error}`);
  }
}

/** The one object that holds the rows of this deployment. */
export function auditOf({ AUDIT }: Env): DurableObjectStub<Audit> {
  return AUDIT.getByName("audit");
}

/**
 * The history of one principal's runs: what was run, what came of it, and what it sent, by name. It holds no value, no
 * query and no body. A run is entered when it begins, so that one whose object was lost on the way is not lost as well.
 */
import { coversApis, type Auth } from "../auth/auth.ts";
import { countWrites, type LedgerEntry } from "../contract/ledger.ts";
import type { Settings } from "../contract/settings.ts";
import { cutText } from "./cut.ts";
import { fitLedger } from "./fit-ledger.ts";
import type { CallingRun } from "./host-calls.ts";
import { insertRow } from "./insert-row.ts";
import type { Report } from "./report.ts";

/** Characters of one run's code and of its ledger: together they fit into a row (SQLite in a Durable Object: 2 MB). */
const MAX_CODE = 300_000;
const MAX_LEDGER = 300_000;

/** Most characters of code and ledgers over all runs; beyond it the oldest are dropped. */
const MAX_TOTAL = 100_000_000;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** One run in a list of them. */
export interface RunSummary {
  readonly id: string;
  /** The run that started it; null for one that a tool started. */
  readonly parent: string | null;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  /** Null while it goes on, and for one that was interrupted. */
  readonly ms: number | null;
  /** The kind of its outcome; `running`; or `interrupted`: the server was restarted, and nobody knows what became of it. */
  readonly outcome: string;
  readonly tool: string;
  readonly clientName: string;
  readonly clientVersion: string;
  /** The name of the token that was shown; null where none was. */
  readonly token: string | null;
  readonly readOnly: boolean;
  /** The APIs it could reach; null means every active one. */
  readonly apis: readonly string[] | null;
  readonly requests: number;
  /** Writes that were not refused. */
  readonly writes: number;
}

/** A run with everything that is known of it. */
export interface RunRecord extends RunSummary {
  /** The block, cut if it was very long; null for a run that was no block. */
  readonly code: string | null;
  /** Null while it goes on, and where the proxy did not tell. */
  readonly ledger: readonly LedgerEntry[] | null;
  /** Entries that there was no room for. */
  readonly omitted: number;
}

interface Row extends Record<string, SqlStorageValue> {
  id: string;
  parent: string | null;
  started: number;
  ms: number | null;
  outcome: string;
  tool: string;
  client_name: string;
  client_version: string;
  token: string | null;
  read_only: number;
  apis: string | null;
  requests: number;
  writes: number;
  code: string | null;
  ledger: string | null;
  size: number;
}

const SUMMARY =
  "id, parent, started, ms, outcome, tool, client_name, client_version, token, read_only, apis, requests, writes";

export interface HistoryParts {
  readonly sql: SqlStorage;
  readonly settings: Pick<Settings, "HISTORY_RUNS" | "HISTORY_DAYS">;
  /** Called when a run was entered, so that somebody comes back to drop it. */
  readonly onEntered: () => void;
}

export class RunHistory {
  readonly #sql: SqlStorage;
  readonly #settings: HistoryParts["settings"];
  readonly #onEntered: () => void;

  /** Runs that an earlier life of this object left unfinished are interrupted from now on. */
  constructor({ sql, settings, onEntered }: HistoryParts) {
    this.#sql = sql;
    this.#onEntered = onEntered;
    this.#settings = settings;
    sql.exec(
      "CREATE TABLE IF NOT EXISTS run (id TEXT PRIMARY KEY, parent TEXT, started INTEGER NOT NULL, ms INTEGER, outcome TEXT NOT NULL, " +
        "tool TEXT NOT NULL, client_name TEXT NOT NULL, client_version TEXT NOT NULL, token TEXT, read_only INTEGER NOT NULL, apis TEXT, " +
        "requests INTEGER NOT NULL, writes INTEGER NOT NULL, code TEXT, ledger TEXT, size INTEGER NOT NULL)",
    );
    sql.exec("CREATE INDEX IF NOT EXISTS run_started ON run (started)");
    sql.exec("UPDATE run SET outcome = 'interrupted' WHERE outcome = 'running'");
  }

  /** Enters a run that begins. `code` is null for one that is no block. Never throws. */
  begin(run: CallingRun, code: string | null, nowMs: number): void {
    if (this.#settings.HISTORY_RUNS === 0) return;
    const { runId, parent, auth, readOnly, apis, context } = run;
    const kept = code === null ? null : cutText(code, MAX_CODE);
    const row = {
      id: runId,
      parent,
      started: nowMs,
      outcome: "running",
      tool: context.tool,
      client_name: context.client.name,
      client_version: context.client.version,
      token: auth.token?.name ?? null,
      read_only: Number(readOnly),
      apis: apis === null ? null : JSON.stringify(apis),
      code: kept,
      size: kept?.length ?? 0,
    };
    quietly(() => {
      insertRow(this.#sql, "run", { ...row, requests: 0, writes: 0 });
      this.#trim();
      this.#onEntered();
    });
  }

  /** Enters what came of it. Never throws. */
  end({ runId, outcome, ledger, ms }: Report<{ readonly kind: string }>): void {
    const entries = ledger ?? [];
    const text = ledger === null ? null : JSON.stringify(fitLedger(ledger, MAX_LEDGER));
    const query =
      "UPDATE run SET outcome = ?, ms = ?, requests = ?, writes = ?, ledger = ?, size = size + ? WHERE id = ?";
    const counts = [entries.length, countWrites(entries)] as const;
    quietly(() => this.#sql.exec(query, outcome.kind, ms, ...counts, text, text?.length ?? 0, runId));
  }

  /** The runs that began before `beforeMs`, the latest first. A caller sees those of which it may reach all APIs. */
  list(auth: Pick<Auth, "apis">, limit: number, beforeMs = Number.MAX_SAFE_INTEGER): RunSummary[] {
    const rows = this.#sql.exec<Row>(
      `SELECT ${SUMMARY} FROM run WHERE started < ? ORDER BY started DESC LIMIT ?`,
      beforeMs,
      limit,
    );
    return rows
      .toArray()
      .map(toSummary)
      .filter(({ apis }) => coversApis(auth.apis, apis));
  }

  /** One run, or null when there is none of that id that this caller may see. */
  read(auth: Pick<Auth, "apis">, id: string): RunRecord | null {
    const [row] = this.#sql.exec<Row>("SELECT * FROM run WHERE id = ?", id).toArray();
    if (row === undefined) return null;
    const summary = toSummary(row);
    if (!coversApis(auth.apis, summary.apis)) return null;
    const ledger = row.ledger === null ? null : (JSON.parse(row.ledger) as readonly LedgerEntry[]);
    return { ...summary, code: row.code, ledger, omitted: ledger === null ? 0 : row.requests - ledger.length };
  }

  /** Drops what is too old at `nowMs`. */
  sweep(nowMs: number): void {
    this.#sql.exec("DELETE FROM run WHERE started <= ?", nowMs - this.#settings.HISTORY_DAYS * DAY_MS);
  }

  /** When the next run leaves, in epoch milliseconds; null when there is none. */
  nextExpiryMs(): number | null {
    const { oldest } = this.#sql.exec<{ oldest: number | null }>("SELECT min(started) AS oldest FROM run").one();
    return oldest === null ? null : oldest + this.#settings.HISTORY_DAYS * DAY_MS;
  }

  #trim(): void {
    const { HISTORY_RUNS: maxRuns } = this.#settings;
    this.#sql.exec(
      "DELETE FROM run WHERE id IN (SELECT id FROM (SELECT id, row_number() OVER latest AS place, sum(size) OVER latest AS total " +
        "FROM run WINDOW latest AS (ORDER BY started DESC, id)) WHERE place > ? OR total > ?)",
      maxRuns,
      MAX_TOTAL,
    );
  }
}

/** A run does not fail because it cannot be remembered. */
function quietly(write: () => unknown): void {
  try {
    write();
  } catch (error) {
    console.error(`unexpected: history: ${error instanceof Error ? error.name : typeof error}`);
  }
}

function toSummary(row: Row): RunSummary {
  return {
    id: row.id,
    parent: row.parent,
    startedMs: row.started,
    ms: row.ms,
    outcome: row.outcome,
    tool: row.tool,
    clientName: row.client_name,
    clientVersion: row.client_version,
    token: row.token,
    readOnly: row.read_only === 1,
    apis: row.apis === null ? null : (JSON.parse(row.apis) as readonly string[]),
    requests: row.requests,
    writes: row.writes,
  };
}

/**
 * Results that were too large to be shown whole: kept in the bucket under their principal and the id of their run, with
 * a row each that says until when. Who asks for another principal's, for one that has expired, or for one that came of
 * APIs out of reach is told the same as who asks for one that never was.
 */
import { coversApis, type Auth } from "../auth/auth.ts";
import type { RenderedValue } from "../contract/outcome.ts";
import { insertRow } from "./insert-row.ts";
import type { Keeping, KeptResult, ResultPage, ResultReader } from "./kept-result.ts";

/** Bytes of one page: of a result in JSON, escaped, it passes to a block or a client in one piece. */
const PAGE_BYTES = 2 * 1024 * 1024;

/** Most bytes that one principal's results take; beyond it the oldest are dropped. */
const MAX_TOTAL_BYTES = 1024 ** 3;

/** Most results that a list names. */
const MAX_LISTED = 100;

const HOUR_MS = 60 * 60 * 1_000;

/** Whose result it is, and what the run that returned it could reach. */
export interface ResultOwner {
  readonly runId: string;
  readonly principal: string;
  readonly apis: readonly string[] | null;
}

interface StoredText {
  readonly text: string;
  readonly isJson: boolean;
}

interface Row extends Record<string, SqlStorageValue> {
  id: string;
  principal: string;
  apis: string | null;
  is_json: number;
  characters: number;
  bytes: number;
  expires: number;
}

export interface ResultStoreParts {
  readonly sql: SqlStorage;
  readonly bucket: R2Bucket;
  /** 0 keeps none. */
  readonly ttlHours: number;
  /** Called when a result was kept, so that somebody comes back to drop it. */
  readonly onKept: () => void;
}

export class ResultStore implements ResultReader {
  readonly #parts: ResultStoreParts;

  constructor(parts: ResultStoreParts) {
    this.#parts = parts;
    parts.sql.exec(
      "CREATE TABLE IF NOT EXISTS result (id TEXT PRIMARY KEY, principal TEXT NOT NULL, apis TEXT, is_json INTEGER NOT NULL, " +
        "characters INTEGER NOT NULL, bytes INTEGER NOT NULL, expires INTEGER NOT NULL, is_kept INTEGER NOT NULL)",
    );
  }

  /** Keeps a value for its owner. Never rejects, and takes no longer than `patienceMs`. */
  async keep(owner: ResultOwner, value: RenderedValue, patienceMs: number): Promise<Keeping> {
    const text = "json" in value ? value.json : value.text;
    const lost = { ok: false, characters: text.length } as const;
    if (this.#parts.ttlHours === 0) return { ...lost, reason: "off" };
    try {
      const kept = await this.#store(owner, { text, isJson: "json" in value }, patienceMs);
      return kept === null ? { ...lost, reason: "storage" } : { ok: true, kept };
    } catch (error) {
      console.error(`unexpected: results: ${error instanceof Error ? error.name : typeof error}`);
      return { ...lost, reason: "storage" };
    }
  }

  async #store(owner: ResultOwner, { text, isJson }: StoredText, patienceMs: number): Promise<KeptResult | null> {
    const { sql, bucket, ttlHours, onKept } = this.#parts;
    const bytes = new TextEncoder().encode(text);
    const { runId: id, principal, apis } = owner;
    const expiresMs = Date.now() + ttlHours * HOUR_MS;
    // The row comes first: what arrives in the bucket late, or in part, is found and dropped by the sweep.
    insertRow(sql, "result", {
      id,
      principal,
      apis: apis === null ? null : JSON.stringify(apis),
      is_json: Number(isJson),
      characters: text.length,
      bytes: bytes.length,
      expires: expiresMs,
      is_kept: 0,
    });
    onKept();
    const isStored = await settlesWithin(patienceMs, bucket.put(keyOf(principal, id), bytes));
    if (!isStored) return null;
    sql.exec("UPDATE result SET is_kept = 1 WHERE id = ?", id);
    await this.#dropBeyond(MAX_TOTAL_BYTES);
    return { id, isJson, characters: text.length, bytes: bytes.length, expiresMs };
  }

  /** A page of a result, or null when there is none for this caller. Rejects when the bucket does not answer. */
  async read(auth: Auth, id: string, page: number): Promise<ResultPage | null> {
    const row = this.#rows("AND id = ?", id).find((found) => isFor(auth, found));
    if (row === undefined) return null;
    const pages = Math.max(1, Math.ceil(row.bytes / PAGE_BYTES));
    if (!Number.isInteger(page) || page < 1 || page > pages) return null;
    const text = await this.#readBytes(row, (page - 1) * PAGE_BYTES);
    return text === null ? null : { ...toKept(row), page, pages, text };
  }

  /** What this caller could read, the latest first. */
  list(auth: Auth): KeptResult[] {
    const rows = this.#rows("ORDER BY expires DESC LIMIT ?", MAX_LISTED);
    return rows.filter((row) => isFor(auth, row)).map(toKept);
  }

  /** Drops what has expired by `nowMs`. Rejects when the bucket does not answer; the next sweep finds the same. */
  async sweep(nowMs: number): Promise<void> {
    await this.#drop(this.#parts.sql.exec<Row>("SELECT * FROM result WHERE expires <= ?", nowMs).toArray());
  }

  /** When the next result expires, in epoch milliseconds; null when none is kept. */
  nextExpiryMs(): number | null {
    return this.#parts.sql.exec<{ next: number | null }>("SELECT min(expires) AS next FROM result").one().next;
  }

  #rows(condition: string, value: string | number): Row[] {
    const query = `SELECT * FROM result WHERE is_kept = 1 AND expires > ? ${condition}`;
    return this.#parts.sql.exec<Row>(query, Date.now(), value).toArray();
  }

  /** The characters that begin in the `PAGE_BYTES` bytes from `offset`; null when the object is gone. */
  async #readBytes({ principal, id, bytes: total }: Row, offset: number): Promise<string | null> {
    const length = Math.min(PAGE_BYTES + MAX_TAIL_BYTES, total - offset);
    const range = length > 0 ? { range: { offset, length } } : {};
    const object = await this.#parts.bucket.get(keyOf(principal, id), range);
    if (object === null) return null;
    const bytes = new Uint8Array(await object.arrayBuffer());
    const begin = offset === 0 ? 0 : characterStart(bytes, 0);
    const end = offset + PAGE_BYTES >= total ? bytes.length : characterStart(bytes, PAGE_BYTES);
    return new TextDecoder("utf-8", { fatal: false, ignoreBOM: true }).decode(bytes.subarray(begin, end));
  }

  async #dropBeyond(maxBytes: number): Promise<void> {
    const { sql } = this.#parts;
    const newestFirst = sql.exec<Row>("SELECT * FROM result ORDER BY expires DESC").toArray();
    let total = 0;
    await this.#drop(newestFirst.filter(({ bytes }) => (total += bytes) > maxBytes));
  }

  async #drop(rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    const { sql, bucket } = this.#parts;
    for (let from = 0; from < rows.length; from += MAX_KEYS) {
      const batch = rows.slice(from, from + MAX_KEYS);
      await bucket.delete(batch.map(({ principal, id }) => keyOf(principal, id)));
      for (const { id } of batch) sql.exec("DELETE FROM result WHERE id = ?", id);
    }
  }
}

/** Most keys of one deletion (R2). */
const MAX_KEYS = 1_000;

/** A character of UTF-8 has at most this many bytes after its first. */
const MAX_TAIL_BYTES = 3;

/** The first index from `from` at which a character begins. */
function characterStart(bytes: Uint8Array, from: number): number {
  let index = from;
  while (index < bytes.length && ((bytes[index] ?? 0) & 0xc0) === 0x80) index += 1;
  return index;
}

function keyOf(principal: string, id: string): string {
  return `results/${encodeURIComponent(principal)}/${id}`;
}

function isFor(auth: Auth, { principal, apis }: Row): boolean {
  const reached = apis === null ? null : (JSON.parse(apis) as readonly string[]);
  return principal === auth.principal && coversApis(auth.apis, reached);
}

function toKept({ id, is_json, characters, bytes, expires }: Row): KeptResult {
  return { id, isJson: is_json === 1, characters, bytes, expiresMs: expires };
}

/** Whether a promise is fulfilled in time. */
async function settlesWithin(ms: number, promise: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const settled = promise.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}

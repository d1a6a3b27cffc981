/**
 * `Tokens`: the tokens of a deployment, in one Durable Object, so that a revoked one opens nothing from the moment on
 * that its revocation was answered. It knows hashes, never a token. Rows of revoked tokens are listed for a while.
 */
import { DurableObject } from "cloudflare:workers";
import { z } from "zod";

import type { NewToken, TokenRecord, TokenState } from "../contract/admin.ts";
import { SCOPES } from "../contract/scopes.ts";
import type { Env } from "../env.ts";
import type { Auth } from "./auth.ts";
import { isSameHash, type TokenKey } from "./token-text.ts";

/** How old the mark of a token's last use may be: a write on every request would have each wait for the disk. */
const USED_STEP_MS = 10 * 60_000;

/** Most tokens of a deployment that are not revoked. */
const MAX_TOKENS = 1_000;

/** How long a revoked or expired token is still listed. */
const LISTED_FOR_MS = 30 * 24 * 60 * 60_000;

/** The caller that a token stands for, but for where the request came from. */
export type TokenAuth = Pick<Auth, "principal" | "scopes" | "apis" | "token">;

export type CreateResult =
  | { readonly ok: true; readonly record: TokenRecord }
  | { readonly ok: false; readonly reason: "name_taken" | "too_many" };

type Row = {
  id: string;
  name: string;
  hash: ArrayBuffer;
  principal: string;
  scopes: string;
  apis: string | null;
  created_ms: number;
  expires_ms: number | null;
  used_ms: number | null;
  state: TokenState;
};

const Scopes = z.array(z.enum(SCOPES));
const Apis = z.array(z.string()).nullable();

export class Tokens extends DurableObject<Env> {
  readonly #sql = this.ctx.storage.sql;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#sql.exec(
      `CREATE TABLE IF NOT EXISTS token (
         id TEXT PRIMARY KEY, name TEXT NOT NULL, hash BLOB NOT NULL, principal TEXT NOT NULL, scopes TEXT NOT NULL,
         apis TEXT, created_ms INTEGER NOT NULL, expires_ms INTEGER, used_ms INTEGER, state TEXT NOT NULL, ended_ms INTEGER
       )`,
    );
    this.#sql.exec("CREATE UNIQUE INDEX IF NOT EXISTS token_name ON token (name) WHERE state <> 'revoked'");
  }

  /** Enters a token under its hash. */
  create({ id, hash }: TokenKey, wanted: NewToken): CreateResult {
    const nowMs = Date.now();
    this.#forgetOld(nowMs);
    const live = this.#sql.exec<{ n: number }>("SELECT count(*) AS n FROM token WHERE state <> 'revoked'").one().n;
    if (live >= MAX_TOKENS) return { ok: false, reason: "too_many" };
    if (this.#find(wanted.name) !== undefined) return { ok: false, reason: "name_taken" };
    const { name, principal = name, scopes, apis, expiresInDays } = wanted;
    const expiresMs = expiresInDays === null ? null : Math.round(nowMs + expiresInDays * 24 * 60 * 60_000);
    const [row] = this.#sql
      .exec<Row>(
        `INSERT INTO token (id, name, hash, principal, scopes, apis, created_ms, expires_ms, state)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'active') RETURNING *`,
        id,
        name,
        hash,
        principal,
        JSON.stringify(scopes),
        apis === null ? null : JSON.stringify(apis),
        nowMs,
        expiresMs,
      )
      .toArray();
    if (row === undefined) throw new Error("a token was not stored");
    return { ok: true, record: toRecord(row) };
  }

  /** Every token, the latest first. */
  list(): TokenRecord[] {
    this.#forgetOld(Date.now());
    return this.#sql.exec<Row>("SELECT * FROM token ORDER BY created_ms DESC").toArray().map(toRecord);
  }

  /** Disables, enables or revokes a token; null when no token that is not revoked has the name. */
  change(name: string, state: TokenState): TokenRecord | null {
    const row = this.#find(name);
    if (row === undefined) return null;
    const endedMs = state === "revoked" ? Date.now() : null;
    this.#sql.exec("UPDATE token SET state = ?, ended_ms = ? WHERE id = ?", state, endedMs, row.id);
    return toRecord({ ...row, state });
  }

  /** Whom a shown token stands for; null for every token that opens nothing, without a word of why. */
  check({ id, hash }: TokenKey): TokenAuth | null {
    const nowMs = Date.now();
    const [row] = this.#sql.exec<Row>("SELECT * FROM token WHERE id = ?", id).toArray();
    if (row === undefined || !isSameHash(row.hash, hash)) return null;
    if (row.state !== "active" || (row.expires_ms !== null && row.expires_ms <= nowMs)) return null;
    if (nowMs - (row.used_ms ?? 0) > USED_STEP_MS)
      this.#sql.exec("UPDATE token SET used_ms = ? WHERE id = ?", nowMs, id);
    const { principal, scopes, apis } = toRecord(row);
    return { principal, scopes, apis, token: { id, name: row.name } };
  }

  #find(name: string): Row | undefined {
    return this.#sql.exec<Row>("SELECT * FROM token WHERE name = ? AND state <> 'revoked'", name).toArray()[0];
  }

  #forgetOld(nowMs: number): void {
    const beforeMs = nowMs - LISTED_FOR_MS;
    this.#sql.exec("DELETE FROM token WHERE ended_ms < ? OR expires_ms < ?", beforeMs, beforeMs);
  }
}

function toRecord(row: Row): TokenRecord {
  const { id, name, principal, state, created_ms: createdMs, expires_ms: expiresMs, used_ms: usedMs } = row;
  const scopes = Scopes.parse(JSON.parse(row.scopes));
  const apis = Apis.parse(JSON.parse(row.apis ?? "null"));
  return { id, name, principal, scopes, apis, createdMs, expiresMs, usedMs, state };
}

/** The one object that knows the tokens of this deployment. */
export function tokensOf({ TOKENS }: Env): DurableObjectStub<Tokens> {
  return TOKENS.getByName("tokens");
}

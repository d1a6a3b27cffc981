/**
 * Who is calling. A server with no authentication configured refuses to serve; only the local runner, which listens on
 * loopback and says so through a binding, may run open. Nothing here looks at `Host`, and a token in a query string is
 * not read.
 */
import { SCOPES } from "../contract/scopes.ts";
import type { Env } from "../env.ts";
import type { Auth } from "./auth.ts";
import { isSameText, readToken } from "./token-text.ts";
import { tokensOf, type TokenAuth } from "./tokens.ts";

export type AuthResult =
  | { readonly ok: true; readonly auth: Auth }
  | { readonly ok: false; readonly reason: "not_configured" | "missing" | "invalid" };

const LOCAL: TokenAuth = { principal: "local", scopes: SCOPES, apis: null };
const ADMIN: TokenAuth = { principal: "admin", scopes: SCOPES, apis: null };

/**
 * Authenticates by `Authorization: Bearer <token>` (RFC 6750 §2.1): `ADMIN_TOKEN`, or a token that was issued. On an
 * open loopback server a token may be shown; then its rights count, and a wrong one is refused as anywhere.
 */
export async function authenticate(headers: Headers, env: Env): Promise<AuthResult> {
  const isOpen = !env.ADMIN_TOKEN && mayRunOpen(env);
  if (!env.ADMIN_TOKEN && !isOpen) return { ok: false, reason: "not_configured" };
  const authorization = headers.get("authorization");
  if (authorization === null) return isOpen ? toResult(LOCAL, headers, env) : { ok: false, reason: "missing" };
  const [, text] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (text === undefined) return { ok: false, reason: "missing" };
  if (env.ADMIN_TOKEN && (await isSameText(text, env.ADMIN_TOKEN))) return toResult(ADMIN, headers, env);
  const key = await readToken(text);
  const caller = key === null ? null : await tokensOf(env).check(key);
  return caller === null ? { ok: false, reason: "invalid" } : toResult(caller, headers, env);
}

/** Whether the local runner vouches that only this machine can reach the server. */
export function mayRunOpen({ LOCAL_RUNNER }: Env): boolean {
  return LOCAL_RUNNER === "loopback";
}

/**
 * The client's address. On the platform the header is the platform's own, whatever the client sent; on any other
 * machine it is the client's word, and not read.
 */
export function addressOf(headers: Headers, { LOCAL_RUNNER }: Env): string | undefined {
  return LOCAL_RUNNER === undefined ? (headers.get("cf-connecting-ip") ?? undefined) : undefined;
}

function toResult({ principal, scopes, apis, token }: TokenAuth, headers: Headers, env: Env): AuthResult {
  const address = addressOf(headers, env);
  const auth = { principal, scopes: [...scopes], apis: apis === null ? null : [...apis] };
  return { ok: true, auth: { ...auth, ...(token ? { token } : {}), ...(address ? { address } : {}) } };
}

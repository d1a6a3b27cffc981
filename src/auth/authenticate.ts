/**
 * Who is calling. A server with no authentication configured refuses to serve; only the local runner, which listens on
 * loopback and says so through a binding, may run open. Nothing here looks at `Host`.
 */
import type { Env } from "../env.ts";
import { SCOPES, type Auth } from "./auth.ts";

export type AuthResult =
  | { readonly ok: true; readonly auth: Auth }
  | { readonly ok: false; readonly reason: "not_configured" | "missing" | "invalid" };

const LOCAL: Auth = { principal: "local", scopes: SCOPES, apis: null };
const ADMIN: Auth = { principal: "admin", scopes: SCOPES, apis: null };

/** Authenticates by `Authorization: Bearer <ADMIN_TOKEN>` (RFC 6750 §2.1); tokens in a query string are not read. */
export async function authenticate(headers: Headers, env: Env): Promise<AuthResult> {
  if (!env.ADMIN_TOKEN) return env.LOCAL_RUNNER ? { ok: true, auth: LOCAL } : { ok: false, reason: "not_configured" };
  const [, token] = /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "") ?? [];
  if (token === undefined) return { ok: false, reason: "missing" };
  return (await sameSecret(token, env.ADMIN_TOKEN)) ? { ok: true, auth: ADMIN } : { ok: false, reason: "invalid" };
}

/** Compares digests, so that neither content nor length of the expected value shows in the time taken. */
async function sameSecret(given: string, expected: string): Promise<boolean> {
  const encoder = new TextEncoder();
  const [a, b] = await Promise.all(
    [given, expected].map((text) => crypto.subtle.digest("SHA-256", encoder.encode(text))),
  );
  return a !== undefined && b !== undefined && crypto.subtle.timingSafeEqual(a, b);
}

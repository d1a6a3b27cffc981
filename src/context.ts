/** What the routes know of a request, and how they refuse one. */
import type { Context, MiddlewareHandler } from "hono";

import type { Auth } from "./auth/auth.ts";
import { hasScope, type Scope } from "./contract/scopes.ts";
import type { Env } from "./env.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: { auth: Auth };
}

export type AppContext = Context<AppEnv>;

/** An HTTP error before MCP is reached, as a JSON-RPC error without id, which MCP clients show as text. */
export function refuse(status: number, message: string, headers: Record<string, string> = {}): Response {
  const body = { jsonrpc: "2.0", id: null, error: { code: -32_000, message } };
  return Response.json(body, { status, headers });
}

/** Lets callers with the scope pass, and names it to the others (RFC 6750 §3.1). */
export function requireScope(scope: Scope): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    if (hasScope(c.get("auth").scopes, scope)) return next();
    return refuse(403, `This needs the scope ${scope}.`, {
      "www-authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
    });
  };
}

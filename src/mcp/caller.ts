/** The caller of an MCP request, on its way through the SDK. Nothing else reads `authInfo`. */
import { AsyncLocalStorage } from "node:async_hooks";

import type { AuthInfo, ServerContext } from "@modelcontextprotocol/server";

import { Auth } from "../auth/auth.ts";

const callers = new AsyncLocalStorage<Auth>();

/** What the SDK carries along with a request. The token itself stays at the door. */
function toAuthInfo(auth: Auth): AuthInfo {
  return { token: "", clientId: auth.principal, scopes: [...auth.scopes], extra: { auth } };
}

/** The caller of a request. Throws when there is none, which is a fault of this server. */
export function callerOf(ctx: Pick<ServerContext, "http">): Auth {
  return Auth.parse(ctx.http?.authInfo?.extra?.["auth"]);
}

/** Serves one request of a caller. */
export function serveCaller<T>(auth: Auth, serve: (authInfo: AuthInfo) => T): T {
  return callers.run(auth, () => serve(toAuthInfo(auth)));
}

/** The caller of the request that is being served, for the few handlers that the SDK gives no context. */
export function currentCaller(): Auth {
  return Auth.parse(callers.getStore());
}

/**
 * Which tools a caller may call, by one rule: those that say `readOnlyHint` need `run:read_only`, all others `run`. So
 * no tool can be added without a scope. A refusal is a tool's result and no HTTP 403: a token's scopes are fixed, a
 * client could not ask for more, and this way the model reads which tool to use instead.
 */
import type { CallToolResult, McpServer, ServerContext, ToolAnnotations } from "@modelcontextprotocol/server";

import type { Auth } from "../auth/auth.ts";
import { hasScope } from "../contract/scopes.ts";
import { callerOf } from "./caller.ts";
import { errorResult } from "./result.ts";

/** The refusal of a tool's call, or null when the caller may call it. */
function refuseCall({ scopes }: Auth, tool: string, annotations: ToolAnnotations | undefined): CallToolResult | null {
  const scope = annotations?.readOnlyHint === true ? "run:read_only" : "run";
  if (hasScope(scopes, scope)) return null;
  const instead = tool === "execute_code" ? " Use execute_read_only_code, which needs run:read_only." : "";
  return errorResult(`insufficient_scope: ${tool} needs the scope ${scope}, which this token does not have.${instead}`);
}

/** Puts the rule in front of every tool that is registered from now on. */
export function gateTools(server: McpServer): void {
  // The SDK's overloads tie a handler's arguments to its schema; here they only pass through.
  const register = server.registerTool.bind(server) as unknown as RegisterTool;
  const gated: RegisterTool = (name, config, handler) =>
    register(name, config, (...args) => {
      const refusal = refuseCall(callerOf(contextOf(args)), name, config.annotations);
      return refusal ?? handler(...args);
    });
  server.registerTool = gated as unknown as McpServer["registerTool"];
}

type ToolHandler = (...args: readonly unknown[]) => unknown;
type RegisterTool = (name: string, config: { readonly annotations?: ToolAnnotations }, handler: ToolHandler) => unknown;

/** With an input schema a tool is called with input and context, without one with the context alone. */
function contextOf(args: readonly unknown[]): ServerContext {
  return args.at(-1) as ServerContext;
}

/**
 * Asks the user through the client before a call is made (elicitation), in either protocol era: the SDK puts the question
 * to a 2025-era client while the tool runs, and returns it to a 2026-era one, which calls again with the answer. Where
 * nobody can be asked, the answer is no.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
  type McpServer,
  type ServerContext,
} from "@modelcontextprotocol/server";

import type { Question } from "../openapi/confirm.ts";
import { isObject } from "../openapi/json.ts";

/** What came of asking; `ask` carries what a tool has to return so that it is asked. */
export type Confirmation =
  | { readonly kind: "accepted" }
  | { readonly kind: "declined" }
  | { readonly kind: "cannot_ask" }
  | { readonly kind: "ask"; readonly result: ReturnType<typeof inputRequired> };

/** Looks for the answer to a question in this request, or prepares the question. */
export function confirmation(server: McpServer, ctx: ServerContext, { key, message }: Question): Confirmation {
  const response = inputResponse(ctx.mcpReq.inputResponses, key);
  if (response.kind === "elicit") return { kind: response.action === "accept" ? "accepted" : "declined" };
  if (!canElicit(server, ctx)) return { kind: "cannot_ask" };
  const requestedSchema = { type: "object" as const, properties: {} };
  return {
    kind: "ask",
    result: inputRequired({ inputRequests: { [key]: inputRequired.elicit({ message, requestedSchema }) } }),
  };
}

/** Whether the client takes forms: it says so with an empty object, or with `form`. */
function canElicit(server: McpServer, ctx: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> | undefined = ctx.mcpReq.envelope;
  const declared = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  const elicitation = isObject(declared) ? declared["elicitation"] : undefined;
  return isObject(elicitation) && (elicitation["form"] !== undefined || elicitation["url"] === undefined);
}

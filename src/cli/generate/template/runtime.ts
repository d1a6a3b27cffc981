/**
 * The MCP server: its list of tools, and what happens when one is called. Arguments are checked, a person is asked where
 * the operation wants that, and only then is a request sent. The same for stdio and HTTP, and for both protocol eras.
 */
import {
  McpServer,
  type CallToolResult,
  type inputRequired,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";

import { cutJson, cutText } from "../../../code/cut.ts";
import { confirmation } from "../../../mcp/confirm.ts";
import { toAnswer, toListed, unknownTool } from "../../../mcp/wire.ts";
import { toQuestion, toUnconfirmedResult } from "../../../openapi/confirm.ts";
import type { Operation } from "../../../openapi/ir.ts";
import { buildRequest } from "../../../openapi/request.ts";
import { toFailureResult, toProblemResult, toToolResult } from "../../../openapi/result.ts";
import { findSearchTool, SEARCH_TOOLS, serveSearchTool, type OperationSource } from "../../../openapi/search-tools.ts";
import { openSearch, type Search } from "../../../openapi/search.ts";
import { toIndexEntry } from "../../../openapi/storage.ts";
import { toTool } from "../../../openapi/tool.ts";
import { send } from "./send.ts";
import { prepare, type Settings } from "./settings.ts";
import { INSTRUCTIONS, SEARCH_INDEX, SERVER, SURFACE, TOOLS } from "./tools.ts";

/** How long a client may keep the list: it changes only when the server is generated anew. */
const LIST_TTL_MS = 60 * 60 * 1000;

type Answer = CallToolResult | ReturnType<typeof inputRequired>;

const OPERATIONS: ReadonlyMap<string, Operation> = new Map(TOOLS.map((operation) => [operation.name, operation]));
const LIST: readonly Tool[] = (
  SURFACE === "search" ? Object.values(SEARCH_TOOLS) : TOOLS.map((tool) => toTool(tool))
).map(toListed);

/** Builds the server of one connection, or of one request. */
export function createServer(settings: Settings): McpServer {
  const server = new McpServer(SERVER, {
    instructions: INSTRUCTIONS,
    capabilities: { tools: { listChanged: false } },
    cacheHints: { "tools/list": { ttlMs: LIST_TTL_MS, cacheScope: "private" } },
  });
  server.server.setRequestHandler("tools/list", () => ({ tools: [...LIST] }));
  server.server.setRequestHandler("tools/call", async ({ params }, ctx) =>
    SURFACE === "search"
      ? await callSearchTool(params.name, params.arguments, { server, settings, ctx })
      : await call(OPERATIONS.get(params.name) ?? refuse(params.name), params.arguments, { server, settings, ctx }),
  );
  return server;
}

interface Call {
  readonly server: McpServer;
  readonly settings: Settings;
  readonly ctx: ServerContext;
}

async function call(operation: Operation, input: unknown, { server, settings, ctx }: Call): Promise<Answer> {
  const prepared = prepare(operation, settings);
  if (!prepared.ok) return toAnswer(toFailureResult(prepared.message));
  const built = buildRequest(prepared.operation, input);
  if (!built.ok) return toAnswer(toProblemResult(built.problems));
  if (operation.confirm === true) {
    const confirmed = confirmation(server, ctx, toQuestion(operation, input, { cutText }));
    if (confirmed.kind === "ask") return confirmed.result;
    if (confirmed.kind !== "accepted") return toAnswer(toUnconfirmedResult(operation, confirmed.kind));
  }
  const sent = await send(built.request, { signal: ctx.mcpReq.signal, values: settings.values });
  return toAnswer(sent.ok ? toToolResult(sent.answer, { cutJson, cutText }) : toFailureResult(sent.message));
}

async function callSearchTool(name: string, input: unknown, context: Call): Promise<Answer> {
  const step = await serveSearchTool(findSearchTool(name) ?? refuse(name), input, source());
  return step.kind === "answer" ? toAnswer(step.result) : await call(step.operation, step.arguments, context);
}

let search: Search | undefined;

/** The operations as a source; the search is opened once, when it is first needed. */
function source(): OperationSource {
  search ??= openSearch(TOOLS.map(toIndexEntry), SEARCH_INDEX);
  return { search, load: (name) => OPERATIONS.get(name) };
}

function refuse(name: string): never {
  throw unknownTool(name);
}

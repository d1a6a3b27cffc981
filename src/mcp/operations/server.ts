/**
 * The MCP server of one API, at `/mcp/<api>`: its operations as tools, listed in pages and called through the outbound
 * proxy. Built per request or session; of the document it reads the index, and a card when one is needed.
 */
import { McpServer } from "@modelcontextprotocol/server";

import { VERSION } from "../../contract/version.ts";
import { toInstructions } from "../../openapi/instructions.ts";
import { SEARCH_TOOLS } from "../../openapi/search-tools.ts";
import { ICON } from "../icon.ts";
import { OperationEndpoint, type EndpointDeps } from "./endpoint.ts";
import { toOffer } from "./offer.ts";
import type { Surface } from "./surface.ts";

const HOW_TO_FIND_THE_REST = `Use ${SEARCH_TOOLS.search.name}, ${SEARCH_TOOLS.describe.name} and ${SEARCH_TOOLS.call.name}.`;

/** Builds the server of one surface. */
export async function createOperationServer(deps: EndpointDeps, { api, narrowing }: Surface): Promise<McpServer> {
  const index = await deps.operations.index(api.name);
  if (index === undefined) throw new Error(`${api.name} has no compiled operations`);
  const offer = toOffer(index, api.tools, narrowing);
  const listed = offer.surface === "tools" ? offer.entries.length : 0;
  const shown = { ...index, operations: offer.entries };
  const server = new McpServer(
    { name: `codeforge-${api.name}`, title: index.title, version: VERSION, icons: [ICON] },
    {
      instructions: toInstructions(shown, listed, HOW_TO_FIND_THE_REST),
      capabilities: { tools: { listChanged: false } },
    },
  );
  const endpoint = new OperationEndpoint({ ...deps, server, index, offer, readOnly: narrowing.readOnly });
  server.server.setRequestHandler("tools/list", ({ params }) => endpoint.list(params?.cursor));
  server.server.setRequestHandler("tools/call", ({ params }, ctx) => endpoint.call(params.name, params.arguments, ctx));
  return server;
}

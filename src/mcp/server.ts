/** Builds the MCP server: its name, its instructions, and the tools. Nothing here depends on the protocol era. */
import { McpServer, type ServerNotifier } from "@modelcontextprotocol/server";

import type { LoadedCatalog } from "../catalog/load.ts";
import { VERSION } from "../contract/version.ts";
import type { Env } from "../env.ts";
import { registerCodeTools } from "./code-tools.ts";
import { registerListApis } from "./list-apis-tool.ts";

export interface ServerDeps {
  readonly env: Env;
  readonly catalog: LoadedCatalog;
  readonly notify: ServerNotifier;
}

const INSTRUCTIONS =
  "Call list_apis once to see the APIs, their hosts and credential names. Then do the whole job in one execute_code " +
  "block: fetch, join and filter there, and return only what the user needs.";

/** One server with every tool registered; it serves one request or one session. */
export function createServer(deps: ServerDeps): McpServer {
  const server = new McpServer(
    { name: "codeforge", title: "CodeForge", version: VERSION },
    { instructions: INSTRUCTIONS },
  );
  registerCodeTools(server, deps);
  registerListApis(server, deps);
  return server;
}

/** Builds the MCP server: its name, its instructions, the tools and the resources, for either protocol era alike. */
import { McpServer, type McpServerOptions } from "@modelcontextprotocol/server";

import type { LoadedCatalog } from "../catalog/load.ts";
import type { Operations } from "../catalog/operations.ts";
import type { Runs } from "../code/runs.ts";
import { VERSION } from "../contract/version.ts";
import type { Env } from "../env.ts";
import { registerApiResources } from "./api-resources.ts";
import { registerCodeTools } from "./code-tools.ts";
import { ICON } from "./icon.ts";
import { registerListApis } from "./list-apis-tool.ts";

export interface ServerDeps {
  readonly env: Env;
  readonly catalog: LoadedCatalog;
  readonly runs: Runs;
  /** The compiled operations of the APIs, read when a question needs them. */
  readonly operations: Operations;
}

const INSTRUCTIONS =
  "Call list_apis once to see the APIs, their hosts and credential names. Then do the whole job in one execute_code " +
  "block: fetch, join and filter there, and return only what the user needs.";

/** The catalog is part of the deployment: as long as a stream lives, no list changes, and none is promised to. */
const CAPABILITIES = { tools: { listChanged: false }, resources: { listChanged: false } };

/** One server with everything registered; it serves one request or one session. `options` add to the real ones. */
export function createServer(deps: ServerDeps, options: McpServerOptions = {}): McpServer {
  const server = new McpServer(
    {
      name: "codeforge",
      title: "CodeForge",
      version: VERSION,
      description: "Runs a TypeScript block that calls your REST APIs, without ever showing it a key",
      icons: [ICON],
    },
    { instructions: INSTRUCTIONS, ...options, capabilities: { ...CAPABILITIES, ...options.capabilities } },
  );
  registerCodeTools(server, deps);
  registerListApis(server, deps);
  registerApiResources(server, deps);
  return server;
}

/** Builds the MCP server: its name, its instructions, the tools and the resources, for either protocol era alike. */
import { McpServer, type McpServerOptions } from "@modelcontextprotocol/server";

import type { LoadedCatalog } from "../catalog/load.ts";
import type { Operations } from "../catalog/operations.ts";
import type { RunHistory } from "../code/history.ts";
import type { ResultStore } from "../code/results.ts";
import type { Runs } from "../code/runs.ts";
import { VERSION } from "../contract/version.ts";
import type { Env } from "../env.ts";
import type { Skills } from "../skills/skills.ts";
import { registerApiResources } from "./api-resources.ts";
import { registerCodeTools } from "./code-tools.ts";
import { ICON } from "./icon.ts";
import { registerListApis } from "./list-apis-tool.ts";
import { registerRunResources } from "./run-resources.ts";
import { registerRunSkill, registerSkillPrompt } from "./run-skill.ts";
import { registerSearchApis } from "./search-apis-tool.ts";
import { registerSkills } from "./skill-resources.ts";
import { gateTools } from "./scope-gate.ts";

export interface ServerDeps {
  readonly env: Env;
  readonly catalog: LoadedCatalog;
  readonly runs: Runs;
  readonly results: ResultStore;
  readonly history: RunHistory;
  /** The compiled operations of the APIs, read when a question needs them. */
  readonly operations: Operations;
  readonly skills: Skills;
}

const INSTRUCTIONS =
  "Call list_apis once to see the APIs, their hosts and credential names, and search_apis for the operations of those " +
  "that have any. Then do the whole job in one execute_code block: fetch, join and filter there, and return only what " +
  "the user needs.";

/**
 * The tools and prompts are part of the deployment: as long as a stream lives, their lists stay. That of the resources
 * changes with the skills.
 */
const CAPABILITIES = {
  tools: { listChanged: false },
  prompts: { listChanged: false },
  resources: { listChanged: true },
};

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
  gateTools(server);
  registerCodeTools(server, deps);
  registerListApis(server, deps);
  registerSearchApis(server, deps);
  registerApiResources(server, deps);
  registerRunResources(server, deps);
  registerRunSkill(server, deps.skills, deps.results);
  registerSkillPrompt(server, deps.skills);
  registerSkills(server, deps.skills.library);
  return server;
}

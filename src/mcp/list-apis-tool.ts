/** The tool `list_apis`: what a model needs to know before it writes code, and nothing it could misuse. */
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

import { toPlain } from "../code/plain.ts";
import { describeApi, describeApis } from "../catalog/describe.ts";
import { visibleTo } from "../catalog/visible.ts";
import { callerOf } from "./caller.ts";
import { errorResult, textResult } from "./result.ts";
import type { ServerDeps } from "./server.ts";

const Input = z.strictObject({
  name: z.string().optional().describe("One API, with its TypeScript types if it has any"),
});

export function registerListApis(server: McpServer, { env, catalog }: ServerDeps): void {
  server.registerTool(
    "list_apis",
    {
      title: "List APIs",
      description: "The APIs that code may call: hosts, credential names, restrictions, reference.",
      inputSchema: Input,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    async ({ name }, ctx) => {
      const visible = visibleTo(catalog, callerOf(ctx).apis);
      const proxy = await toPlain(env.OUTBOUND_PROXY.describe());
      if (name === undefined) return textResult(describeApis(visible, proxy));
      const api = visible.apis.get(name);
      if (api === undefined) {
        return errorResult(
          `name: there is no API ${JSON.stringify(name)}. Known: ${[...visible.apis.keys()].join(", ") || "none"}.`,
        );
      }
      return textResult(describeApi(api, catalog.types[name], proxy));
    },
  );
}

/** The APIs as resources, `codeforge://apis/{name}`: for people, who attach one to a conversation by its name. */
import { ResourceNotFoundError, ResourceTemplate, type McpServer, type Variables } from "@modelcontextprotocol/server";

import { toPlain } from "../code/plain.ts";
import { describeApi } from "../catalog/describe.ts";
import { visibleTo } from "../catalog/visible.ts";
import { callerOf, currentCaller } from "./caller.ts";
import type { ServerDeps } from "./server.ts";

/** Most values in one answer to a completion request (specification, "Completion"). */
const MAX_COMPLETIONS = 100;

const MIME_TYPE = "text/plain";

/** Registers the template, the list of its resources, and the completion of their names. */
export function registerApiResources(server: McpServer, { env, catalog }: ServerDeps): void {
  const template = new ResourceTemplate("codeforge://apis/{name}", {
    list: (ctx) => ({
      resources: [...visibleTo(catalog, callerOf(ctx).apis).apis.values()].map(({ name, description }) => ({
        uri: `codeforge://apis/${name}`,
        name,
        description,
        mimeType: MIME_TYPE,
      })),
    }),
    complete: {
      name: (value) => {
        const names = [...visibleTo(catalog, currentCaller().apis).apis.keys()];
        return names.filter((name) => name.startsWith(value)).slice(0, MAX_COMPLETIONS);
      },
    },
  });
  const config = {
    title: "API",
    description: "What list_apis says of one API, with its TypeScript types",
    mimeType: MIME_TYPE,
  };
  server.registerResource("api", template, config, async ({ href }, { name }: Variables, ctx) => {
    const api = typeof name === "string" ? visibleTo(catalog, callerOf(ctx).apis).apis.get(name) : undefined;
    if (api === undefined) throw new ResourceNotFoundError(href, `There is no API at ${href}`);
    const text = describeApi(api, catalog.types[api.name], await toPlain(env.OUTBOUND_PROXY.describe()));
    return { contents: [{ uri: href, mimeType: MIME_TYPE, text }] };
  });
}

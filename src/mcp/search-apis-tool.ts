/** The tool `search_apis`: from what somebody wants to do to the operation that does it, and from its name to its types. */
import type { CallToolResult, McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";

import { narrowApis, type Auth } from "../auth/auth.ts";
import type { LoadedCatalog } from "../catalog/load.ts";
import type { Operations } from "../catalog/operations.ts";
import { searchOperations, type Found } from "../catalog/search-operations.ts";
import type { Api } from "../contract/catalog.ts";
import { callerOf } from "./caller.ts";
import { errorResult, textResult } from "./result.ts";
import { DEFAULT_HITS, presentCard, presentHits, presentNothing } from "./search-apis-text.ts";
import type { ServerDeps } from "./server.ts";

export const MAX_HITS = 30;

/** What is searched for. */
export const SearchInput = z.strictObject({
  query: z
    .string()
    .min(1)
    .max(500)
    .describe('What to do, as an API\'s reference would say it ("list comments on an issue"); or an exact name'),
  api: z.string().optional(),
  limit: z.number().int().min(1).max(MAX_HITS).optional(),
});
export type SearchInput = z.infer<typeof SearchInput>;

/** Registers the tool. */
export function registerSearchApis(server: McpServer, deps: ServerDeps): void {
  server.registerTool(
    "search_apis",
    {
      title: "Search operations",
      description:
        "Find operations by what they do: method, path, types. An exact name gives all types, a fetch() example, paging.",
      inputSchema: SearchInput,
      annotations: { readOnlyHint: true, openWorldHint: false },
    },
    (input, ctx) => searchApis(deps, input, callerOf(ctx)),
  );
}

async function searchApis(deps: ServerDeps, input: SearchInput, auth: Auth): Promise<CallToolResult> {
  const scope = scopeOf(deps, auth.apis, input.api);
  if (!scope.ok) return errorResult(scope.message);
  const found = await searchOperations(deps.operations, scope.apis, input.query, input.limit ?? DEFAULT_HITS);
  const [first] = found.hits;
  if (first === undefined) return textResult(await presentNothing(found, input.query, deps.operations));
  const names = cardsByApi(found);
  const cards = await Promise.all(names.map(([api, list]) => deps.operations.cards(api, list)));
  const byName = new Map(cards.flatMap((list, i) => list.map((card) => [`${names[i]?.[0] ?? ""} ${card.name}`, card])));
  if (found.isExact) {
    const card = byName.get(`${first.api.name} ${first.entry.name}`);
    if (card !== undefined) return textResult(presentCard(first.api, card));
  }
  return textResult(presentHits(found, byName));
}

/** The APIs a search may look at, or why there are none. */
export type Scope =
  | { readonly ok: true; readonly apis: readonly Api[] }
  | { readonly ok: false; readonly message: string };

/** Narrows the catalog to what a caller may use and, if one is named, to that. */
export function scopeOf(
  { catalog, operations }: { readonly catalog: LoadedCatalog; readonly operations: Operations },
  allowed: readonly string[] | null,
  api: string | undefined,
): Scope {
  const names = narrowApis(allowed, [...catalog.apis.keys()]) ?? [];
  const apis = names.flatMap((name) => catalog.apis.get(name) ?? []);
  const searchable = apis.filter(({ name }) => operations.count(name) > 0);
  const known = searchable.map(({ name }) => name).join(", ");
  if (api === undefined) {
    if (searchable.length > 0) return { ok: true, apis: searchable };
    return { ok: false, message: "No API has operations to search; list_apis gives hosts and references." };
  }
  const one = apis.find(({ name }) => name === api);
  if (one === undefined)
    return { ok: false, message: `api: there is no ${JSON.stringify(api)}. Searchable: ${known || "none"}.` };
  if (operations.count(api) > 0) return { ok: true, apis: [one] };
  return {
    ok: false,
    message: `${api} was added without a document; list_apis gives its hosts and reference. Searchable: ${known || "none"}.`,
  };
}

/** Names of the hits by API, so that cards that lie together are read together. */
export function cardsByApi({ hits }: Found): [string, string[]][] {
  const names = new Map<string, string[]>();
  for (const { api, entry } of hits) names.set(api.name, [...(names.get(api.name) ?? []), entry.name]);
  return [...names];
}

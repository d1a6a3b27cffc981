/** `import { search } from "codeforge"`: what the tool `search_apis` finds, as data, from inside a run and within its APIs. */
import { narrowApis } from "../auth/auth.ts";
import type { LoadedCatalog } from "../catalog/load.ts";
import type { Operations } from "../catalog/operations.ts";
import { searchOperations } from "../catalog/search-operations.ts";
import { HostCallError, type HostCall } from "../code/host-calls.ts";
import { toCompactInput, toCompactResult } from "../openapi/compact.ts";
import { toExample } from "../openapi/describe.ts";
import { DEFAULT_HITS } from "./search-apis-text.ts";
import { cardsByApi, scopeOf, SearchInput } from "./search-apis-tool.ts";

/** One operation as code sees it: where it is, and its types on one line each. */
export interface SearchHit {
  readonly api: string;
  readonly name: string;
  readonly method: string;
  /** The base URL; `path` follows it. */
  readonly server: string;
  readonly path: string;
  readonly summary: string;
  readonly input: string;
  readonly result: string;
  /** Credential names that a request carries. */
  readonly credentials: readonly string[];
  /** A `fetch()` call with sample arguments. */
  readonly example: string;
}

/** The handler of the host call `search`: `{ query, api?, limit? }` to `{ hits, total }`. */
export function createSearchCall(catalog: LoadedCatalog, operations: Operations): HostCall {
  return async (argument, run) => {
    const input = SearchInput.safeParse(argument);
    if (!input.success) {
      throw new HostCallError(
        `search(query, { api?, limit? }): ${input.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; ")}`,
      );
    }
    const { query, api, limit = DEFAULT_HITS } = input.data;
    const scope = scopeOf({ catalog, operations }, narrowApis(run.auth.apis, run.apis), api);
    if (!scope.ok) throw new HostCallError(scope.message);
    const found = await searchOperations(operations, scope.apis, query, limit);
    const hits: SearchHit[] = [];
    for (const [name, names] of cardsByApi(found)) {
      for (const card of await operations.cards(name, names)) {
        const entry = found.hits.find((hit) => hit.api.name === name && hit.entry.name === card.name)?.entry;
        hits.push({
          api: name,
          name: card.name,
          method: card.method,
          server: card.server,
          path: card.path,
          summary: entry?.title ?? "",
          input: toCompactInput(card),
          result: toCompactResult(card),
          credentials: card.security.flatMap(({ placeholders }) => placeholders),
          example: toExample(card),
        });
      }
    }
    const place = new Map(found.hits.map((hit, at) => [`${hit.api.name}.${hit.entry.name}`, at]));
    const at = (hit: SearchHit): number => place.get(`${hit.api}.${hit.name}`) ?? hits.length;
    return { hits: hits.toSorted((a, b) => at(a) - at(b)), total: found.total };
  };
}

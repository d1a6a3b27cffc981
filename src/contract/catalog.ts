/**
 * The catalog: every active API of a deployment in one JSON text, compiled from `apis/` when the Workers are built and
 * read by the server and the proxy when they start. It holds names and rules, never a value.
 */
import { z } from "zod";

import { ApiConfig, parseConfig, type ConfigIssue } from "./config.ts";
import { ApiName } from "./names.ts";

const DomainPattern = z.object({
  scheme: z.enum(["https", "http"]),
  host: z.string(),
  match: z.enum(["exact", "suffix"]),
  port: z.number(),
});

/** What is noted of an API's compiled operations, so that they can be counted without being read. */
const OperationsNote = z.object({
  /** SHA-256 over all that is stored of them: what a Worker keeps in memory is known by it. */
  digest: z.string(),
  count: z.number().int().nonnegative(),
});
export type OperationsNote = z.infer<typeof OperationsNote>;

/** An API as the Workers know it: its config with defaults filled in and domains parsed. */
export const Api = z.object({
  ...ApiConfig.shape,
  name: ApiName,
  /** Null when the API was added without a document. */
  operations: OperationsNote.nullable(),
  domains: z.array(DomainPattern),
  redirect_hosts: z.array(DomainPattern),
});
export type Api = z.infer<typeof Api>;

export const Catalog = z.object({ apis: z.array(Api) });
export type Catalog = z.infer<typeof Catalog>;

/** The JSON Schema of `config.json` that editors use. */
export function configJsonSchema(): object {
  return {
    ...z.toJSONSchema(ApiConfig, { io: "input", unrepresentable: "any" }),
    title: "CodeForge API configuration",
  };
}

/** An API folder's config as read from disk. */
export interface ConfigSource {
  readonly name: string;
  readonly config: unknown;
  readonly operations?: OperationsNote | undefined;
}

export interface CatalogIssue extends ConfigIssue {
  readonly api: string;
}

export type CatalogResult =
  | { readonly ok: true; readonly catalog: Catalog; readonly inactive: readonly string[] }
  | { readonly ok: false; readonly issues: readonly CatalogIssue[] };

/**
 * Compiles configs into a catalog, sorted by name. Inactive APIs are left out, which hides them and closes their
 * domains. A credential used by two active APIs is refused unless both say `shared`.
 */
export function buildCatalog(sources: readonly ConfigSource[]): CatalogResult {
  const issues: CatalogIssue[] = [];
  const apis: Api[] = [];
  const inactive: string[] = [];
  for (const { name, config, operations = null } of sources.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const named = ApiName.safeParse(name);
    if (!named.success) {
      issues.push({ api: name, path: "", message: `folder name: ${named.error.issues[0]?.message ?? "not valid"}` });
      continue;
    }
    const parsed = parseConfig(config);
    if (!parsed.ok) issues.push(...parsed.issues.map((issue) => ({ api: name, ...issue })));
    else if (!parsed.config.active) inactive.push(name);
    else apis.push({ ...parsed.config, name, operations });
  }
  issues.push(...ownershipIssues(apis));
  return issues.length > 0 ? { ok: false, issues } : { ok: true, catalog: { apis }, inactive };
}

function ownershipIssues(apis: readonly Api[]): CatalogIssue[] {
  const issues: CatalogIssue[] = [];
  const owners = new Map<string, { api: string; shared: boolean }>();
  for (const api of apis) {
    for (const [index, { name, shared }] of api.credentials.entries()) {
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, { api: api.name, shared });
      else if (!owner.shared || !shared) {
        const message = `${name} belongs to ${owner.api}; rename one, or set "shared": true in both configs`;
        issues.push({ api: api.name, path: `credentials[${index}]`, message });
      }
    }
  }
  return issues;
}

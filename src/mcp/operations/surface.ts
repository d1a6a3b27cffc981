/** What a URL `/mcp/<api>` stands for: an API whose operations its caller may call, narrowed by the query. */
import { narrowApis, type Auth } from "../../auth/auth.ts";
import type { Api } from "../../contract/catalog.ts";
import { readNarrowing, type Narrowing } from "./narrowing.ts";

export interface Surface {
  readonly api: Api;
  readonly narrowing: Narrowing;
}

export type SurfaceResult =
  | { readonly ok: true; readonly surface: Surface }
  | { readonly ok: false; readonly status: 400 | 404; readonly message: string };

/** Reads the URL. An API that the caller may not use is as unknown as one that does not exist. */
export function readSurface(url: URL, apis: ReadonlyMap<string, Api>, auth: Pick<Auth, "apis">): SurfaceResult {
  const name = url.pathname.slice("/mcp/".length);
  const reachable = narrowApis([...apis.keys()], auth.apis) ?? [];
  const offered = reachable.filter((known) => apis.get(known)?.operations != null);
  const api = reachable.includes(name) ? apis.get(name) : undefined;
  if (api === undefined || api.operations === null) {
    const known = offered.map((other) => `/mcp/${other}`).join(", ") || "none";
    const message =
      api === undefined
        ? `There is no API here by that name. APIs with operations: ${known}.`
        : `${name} was added without an OpenAPI document, so it has no operations: npx codeforge add ${name} <document>. APIs with operations: ${known}.`;
    return { ok: false, status: 404, message };
  }
  const narrowing = readNarrowing(url.searchParams);
  return narrowing.ok
    ? { ok: true, surface: { api, narrowing: narrowing.narrowing } }
    : { ok: false, status: 400, message: narrowing.message };
}

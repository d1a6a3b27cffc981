/**
 * What the URL of `/mcp/<api>` selects of the operations that the API's config offers. It only ever narrows: a client
 * that is given a URL with `?read_only=1` cannot get more out of it than whoever wrote the URL meant.
 */
import type { Filter } from "../../openapi/select.ts";

/** The operations of a URL. `readOnly` is kept to in what is sent as well. */
export interface Narrowing {
  readonly filter: Filter;
  readonly readOnly: boolean;
}

export type NarrowingResult =
  | { readonly ok: true; readonly narrowing: Narrowing }
  | { readonly ok: false; readonly message: string };

const LISTS = { tags: "tags", groups: "groups", methods: "methods", operations: "operationIds" } as const;
const READ_ONLY = "read_only";
const KNOWN = [...Object.keys(LISTS), READ_ONLY];

/** Reads the query of a URL: lists with commas, each parameter at most once. */
export function readNarrowing(query: URLSearchParams): NarrowingResult {
  const unknown = [...new Set(query.keys())].filter((key) => !KNOWN.includes(key));
  if (unknown.length > 0) {
    const named = unknown.map((key) => JSON.stringify(key.slice(0, 50))).join(", ");
    return { ok: false, message: `Unknown in the URL: ${named}. Known: ${KNOWN.join(", ")}.` };
  }
  const filter: Record<string, string[]> = {};
  for (const [key, field] of Object.entries(LISTS)) {
    const given = query.getAll(key);
    if (given.length === 0) continue;
    const values = given.flatMap((text) => text.split(",")).filter((text) => text !== "");
    if (values.length === 0) return { ok: false, message: `${key} in the URL names nothing: write ${key}=a,b.` };
    filter[field] = values;
  }
  const readOnly = query.get(READ_ONLY);
  if (readOnly !== null && readOnly !== "1" && readOnly !== "0") {
    return { ok: false, message: `${READ_ONLY} in the URL is 1 or 0.` };
  }
  return { ok: true, narrowing: { filter, readOnly: readOnly === "1" } };
}

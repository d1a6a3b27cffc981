/**
 * What `/mcp/<api>` offers: each selected operation as a tool, or, when they are more than a list should have, three
 * tools that search, describe and call them.
 */
import { DEFAULT_LIMIT, filterOperations, matches, type Selection } from "../../openapi/select.ts";
import type { IndexEntry } from "../../openapi/storage.ts";
import type { Narrowing } from "./narrowing.ts";

/** The operations that may be called here, sorted by name, and how they are shown. */
export interface Offer {
  readonly surface: "tools" | "search";
  readonly entries: readonly IndexEntry[];
  /** Most that a list may have. */
  readonly limit: number;
}

/** Applies what the config selects, then what the URL does. */
export function toOffer(
  index: { readonly operations: readonly IndexEntry[] },
  { limit = DEFAULT_LIMIT, ...selection }: Selection,
  { filter, readOnly }: Narrowing,
): Offer {
  const entries = filterOperations(index.operations, selection).filter(
    (entry) => matches(filter, entry) && (!readOnly || entry.readOnly),
  );
  return { surface: entries.length > limit ? "search" : "tools", entries, limit };
}

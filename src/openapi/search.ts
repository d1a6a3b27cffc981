/**
 * Ranked search over the operations of an API (rule M17): an exact name first, then by the words of a question in a
 * user's own terms. Pure; a few milliseconds for a thousand operations.
 */
import { rank } from "./search/rank.ts";
import { toSearchIndex, type Searchable, type SearchIndex } from "./search/search-index.ts";
import type { IndexEntry } from "./storage.ts";
import { toWords } from "./words.ts";

/** A hit and its score; higher is better. */
export interface Hit {
  readonly entry: IndexEntry;
  readonly score: number;
}

/** A search over the operations of one API. */
export interface Search {
  /** At most `limit` hits, best first; none when no operation has any of the words. */
  find(query: string, limit: number): Hit[];
  /** The same, and how many there are in all. */
  search(query: string, limit: number): { readonly hits: Hit[]; readonly total: number };
}

/** A search over operations whose index has been stored; `only` names those that may be found. */
export function openSearch(entries: readonly IndexEntry[], index: SearchIndex, only?: ReadonlySet<string>): Search {
  const isOffered = (entry: IndexEntry | undefined): entry is IndexEntry =>
    entry !== undefined && (only === undefined || only.has(entry.name));

  function search(query: string, limit: number): { hits: Hit[]; total: number } {
    const exact = findExact(query, entries.filter(isOffered));
    const ranked = rank(query, index, entries).filter(({ at }) => entries[at] !== exact);
    const hits = ranked.flatMap(({ at, score }): Hit[] => {
      const entry = entries[at];
      return isOffered(entry) ? [{ entry, score }] : [];
    });
    const first = exact === undefined ? [] : [{ entry: exact, score: Number.MAX_VALUE }];
    return { hits: [...first, ...hits.slice(0, Math.max(0, limit - first.length))], total: hits.length + first.length };
  }
  return { find: (query, limit) => search(query, limit).hits, search };
}

/**
 * A search whose index is made on the spot; it finds more when it is given the operations behind the entries, and what
 * the document says of their tags.
 */
export function createSearch(
  entries: readonly IndexEntry[],
  operations: readonly Searchable[] = entries,
  tags: Readonly<Record<string, string>> = {},
): Search {
  return openSearch(entries, toSearchIndex(operations, tags));
}

/** The operation that a query names: by its name in any spelling, or by method and path. */
export function findExact(query: string, entries: readonly IndexEntry[]): IndexEntry | undefined {
  const text = query.trim();
  const name = toWords(text).join("_");
  const route = /^([A-Za-z]+) +(\/\S*)$/.exec(text);
  return entries.find(
    (entry) =>
      entry.name === text ||
      entry.name === name ||
      (entry.method === route?.[1]?.toUpperCase() && entry.path === route?.[2]),
  );
}

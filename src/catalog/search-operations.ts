/**
 * One search over the operations of several APIs: each has its own index, scores are shares of what a question asks for,
 * and so can be compared. An API that the question names comes before the others.
 */
import type { Api } from "../contract/catalog.ts";
import { findExact, openSearch } from "../openapi/search.ts";
import type { IndexEntry } from "../openapi/storage.ts";
import { toWords } from "../openapi/words.ts";
import type { Operations } from "./operations.ts";

/** Most APIs that one search reads: each is a request to the storage, of which a Worker may make 50. */
const MAX_APIS = 40;

/** What it counts that a question names an API. */
const NAMED_SHARE = 1.5;

export interface FoundOperation {
  readonly api: Api;
  readonly entry: IndexEntry;
  readonly score: number;
}

/** What came of a search. */
export interface Found {
  /** Best first, at most as many as were asked for. */
  readonly hits: readonly FoundOperation[];
  /** Operations that have any of the words. */
  readonly total: number;
  /** The APIs that were searched, and how many had to be left out. */
  readonly apis: readonly Api[];
  readonly leftOut: number;
  /** The query is the name of the one hit. */
  readonly isExact: boolean;
}

/** Searches those of `apis` that have operations. */
export async function searchOperations(
  operations: Operations,
  apis: readonly Api[],
  query: string,
  limit: number,
): Promise<Found> {
  const searchable = apis.filter((api) => operations.count(api.name) > 0);
  const words = toWords(query);
  const prefix = /^([a-z][a-z0-9-]*)\.(\w+)$/.exec(query.trim());
  const prefixed = searchable.find(({ name }) => name === prefix?.[1]);
  const wanted = prefixed === undefined ? searchable : [prefixed];
  const chosen =
    wanted.length <= MAX_APIS
      ? wanted
      : wanted.toSorted((a, b) => match(b, words) - match(a, words)).slice(0, MAX_APIS);
  const exact: FoundOperation[] = [];
  const hits: FoundOperation[] = [];
  let total = 0;
  // One after the other: an index of a large API is megabytes.
  for (const api of chosen) {
    const index = await operations.index(api.name);
    if (index === undefined) continue;
    const text = prefixed === undefined ? query : (prefix?.[2] ?? query);
    const own = findExact(text, index.operations);
    if (own !== undefined) exact.push({ api, entry: own, score: Number.MAX_VALUE });
    const isNamed = isIn(api.name, words) && words.length > toWords(api.name).length;
    const found = openSearch(index.operations, index.search).search(isNamed ? without(text, api.name) : text, limit);
    total += found.total;
    hits.push(...found.hits.map(({ entry, score }) => ({ api, entry, score: isNamed ? score * NAMED_SHARE : score })));
  }
  const isExact = exact.length === 1;
  const best = hits.toSorted((a, b) => b.score - a.score || Number(a.entry.deprecated) - Number(b.entry.deprecated));
  return {
    hits: isExact ? exact : best.slice(0, limit),
    total,
    apis: chosen,
    leftOut: wanted.length - chosen.length,
    isExact,
  };
}

/** How much of a question an API's own name and description have. */
function match(api: Api, words: readonly string[]): number {
  const described = new Set(toWords(api.description));
  return (isIn(api.name, words) ? 100 : 0) + words.filter((word) => described.has(word)).length;
}

function isIn(name: string, words: readonly string[]): boolean {
  return ` ${words.join(" ")} `.includes(` ${toWords(name).join(" ")} `);
}

function without(text: string, name: string): string {
  return ` ${toWords(text).join(" ")} `.replace(` ${toWords(name).join(" ")} `, " ");
}

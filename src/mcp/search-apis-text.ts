/** What `search_apis` answers, as text within its budget: what does not fit is counted, and nothing is cut in a word. */
import type { Operations } from "../catalog/operations.ts";
import type { Found, FoundOperation } from "../catalog/search-operations.ts";
import type { Api } from "../contract/catalog.ts";
import { toCompactSignature } from "../openapi/compact.ts";
import { toCardText, toHeadline } from "../openapi/describe.ts";
import type { Operation } from "../openapi/ir.ts";
import { estimateTokens } from "./token-budget.ts";

/** Hits of an answer, unless it is said how many. */
export const DEFAULT_HITS = 8;

/** Most tokens of an answer, as o200k counts them. */
export const MAX_TOKENS = 1_500;

/** What the lines below the hits may take. */
const RESERVED_TOKENS = 250;
const MAX_TAGS = 30;

/** One operation in full. */
export function presentCard(api: Api, card: Operation): string {
  const own = card.security.length === 0 ? toCredentials(api) : "";
  const extra = own === "" ? "" : `\n\n${own}`;
  return `${toCardText(api.name, card, (text) => estimateTokens(text + extra) <= MAX_TOKENS)}${extra}`;
}

/** Hits with signatures as long as there is room, then without; then where each API is. */
export function presentHits(found: Found, cards: ReadonlyMap<string, Operation>): string {
  const shown: FoundOperation[] = [];
  const lines: string[] = [];
  let left = MAX_TOKENS - RESERVED_TOKENS;
  for (const hit of found.hits) {
    const headline = toHeadline(hit.api.name, hit.entry);
    const card = cards.get(`${hit.api.name} ${hit.entry.name}`);
    const full = card === undefined ? headline : `${headline}\n  ${toCompactSignature(card)}`;
    const line = [full, headline].find((text) => estimateTokens(text) + 2 <= left);
    if (line === undefined) break;
    left -= estimateTokens(line) + 2;
    lines.push(line);
    shown.push(hit);
  }
  const apis = [...new Set(shown.map(({ api }) => api))];
  const notes = [
    `${shown.length} of ${found.total}${leftOutNote(found)}. An exact name gives all types and an example.`,
    ...apis.slice(0, 5).map((api) => toPlace(api, shown, cards)),
  ];
  return [...lines, "", ...notes].join("\n");
}

/** Nothing matches; what there is instead. */
export async function presentNothing(found: Found, query: string, operations: Operations): Promise<string> {
  const count = found.apis.reduce((sum, { name }) => sum + operations.count(name), 0);
  const names = found.apis.map(({ name }) => name);
  const text = `Nothing matches ${JSON.stringify(query.slice(0, 100))} in ${count} operations of ${names.slice(0, 10).join(", ")}${leftOutNote(found)}.`;
  const [only] = names;
  if (only === undefined || names.length > 1)
    return `${text} Try other words: the thing it acts on, or its usual name.`;
  const index = await operations.index(only);
  const tags = [...new Set(index?.operations.flatMap((entry) => entry.tags))].slice(0, MAX_TAGS);
  return tags.length === 0 ? text : `${text} Its operations are about: ${tags.join(", ")}.`;
}

function leftOutNote({ leftOut }: Found): string {
  return leftOut === 0 ? "" : ` (${leftOut} APIs were not searched: name one with api)`;
}

/** Base URL and credentials of the hits of an API, so that a block can be written from them. */
function toPlace(api: Api, shown: readonly FoundOperation[], cards: ReadonlyMap<string, Operation>): string {
  const own = shown
    .filter((hit) => hit.api === api)
    .flatMap(({ entry }) => cards.get(`${api.name} ${entry.name}`) ?? []);
  const servers = [...new Set(own.map(({ server }) => server))].slice(0, 3);
  const uses = own.flatMap(({ security }) => security);
  const credentials = [
    ...new Set(
      uses.map(
        (use) => `${use.in} ${use.name}: ${use.kind === "apiKey" ? "" : `${use.kind} `}${use.placeholders.join(":")}`,
      ),
    ),
  ];
  const written = credentials.length > 0 ? credentials.slice(0, 4).join("; ") : toCredentials(api);
  return `${api.name}: ${servers.join(", ")}${written === "" ? "" : `; ${written}`}`;
}

/** The credentials that a config names; documents do not always say which are needed. */
function toCredentials(api: Api): string {
  if (api.credentials.length === 0) return "";
  return `credentials: ${api.credentials.map(({ name, in: places }) => `${name} (${places.join(", ")})`).join("; ")}`;
}

/**
 * Pagination notes (rule M14): recognised by the names that APIs really use, told to the model in one sentence, and
 * never followed by itself.
 */
import type { Output, Pagination, ParameterPlan } from "./ir.ts";
import { defined, toObject, type Json } from "./json.ts";

/** Names without case and punctuation. */
const CURSORS =
  /^(?:cursor|nextcursor|after|startingafter|pagetoken|nextpagetoken|nexttoken|continuationtoken|continuation|continue|marker|skiptoken|startkey|pageafter|pagecursor)$/;
const PAGES = /^(?:page|pagenumber|pagenum|pageno|pageindex|currentpage)$/;
const OFFSETS = /^(?:offset|skip|startat|startindex|pageoffset)$/;
const NEXTS =
  /^(?:next|nextcursor|nextpage|nextpagetoken|nexttoken|nextlink|odatanextlink|nextpagelink|nexturl|continuationtoken|cursor|endcursor|nextmarker|paging|pagination|hasmore)$/;

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** How the further pages of an operation's answer are reached, if it has any. */
export function readPagination(
  parameters: readonly ParameterPlan[],
  output: Output | undefined,
  hasLinkHeader: boolean,
): Pagination | undefined {
  const queries = parameters.filter((plan) => plan.in === "query" && plan.key !== undefined);
  const next = Object.keys(toObject(output?.schema?.["properties"])).find((name) => NEXTS.test(bare(name)));
  for (const [style, names] of [
    ["cursor", CURSORS],
    ["page", PAGES],
    ["offset", OFFSETS],
  ] as const) {
    const parameter = queries.find((plan) => names.test(bare(plan.name)))?.key;
    if (parameter !== undefined) return defined({ style: hasLinkHeader ? ("link" as const) : style, parameter, next });
  }
  return hasLinkHeader ? { style: "link" } : undefined;
}

/** Whether a response declares the `Link` header. */
export function declaresLink(response: Json): boolean {
  const headers = toObject(response["headers"]);
  return Object.keys(headers).some((name) => name.toLowerCase() === "link");
}

/** The sentence in the description. */
export function paginationNote(pagination: Pagination): string {
  const { style, parameter, next } = pagination;
  const by = parameter === undefined ? "the Link header's next URL" : `\`${parameter}\``;
  const source = style === "link" && parameter !== undefined ? " (the Link header names the next one)" : "";
  const field = next === undefined ? "" : `; \`${next}\` in the answer tells whether and how to go on`;
  return `One page per call: go on with ${by}${source}${field}.`;
}

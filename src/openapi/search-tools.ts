/**
 * Three small tools in the place of one per operation (rule M17), for APIs of any size: search, describe, call. Pure: the
 * operations are found through a source, and a call is made by somebody else.
 */
import { toHeadline } from "./describe.ts";
import type { Operation } from "./ir.ts";
import { toObject } from "./json.ts";
import { toProblemResult, type ToolResult } from "./result.ts";
import { sampleArguments } from "./sample.ts";
import type { Search } from "./search.ts";
import { cleanText } from "./text.ts";
import type { ToolEntry } from "./tool.ts";
import { toDeclarations, toType } from "./typescript.ts";
import { readArguments } from "./validate.ts";

const DEFAULT_HITS = 10;
const MAX_HITS = 50;

const OPERATION = { type: "string", description: "An operation's name, as search_operations gives it" };
const READ = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
const CALL = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };

function tool(
  name: string,
  description: string,
  properties: Readonly<Record<string, object>>,
  required: readonly string[],
  annotations: ToolEntry["annotations"],
): ToolEntry {
  return {
    name,
    description,
    inputSchema: { type: "object", properties, required, additionalProperties: false },
    annotations,
  };
}

/** The tools, in the order of their use. */
export const SEARCH_TOOLS = {
  search: tool(
    "search_operations",
    "Find operations of the API by words of what they do.",
    { query: { type: "string" }, limit: { type: "integer", minimum: 1, maximum: MAX_HITS, default: DEFAULT_HITS } },
    ["query"],
    READ,
  ),
  describe: tool(
    "describe_operation",
    "Show an operation's arguments, their types and its answer.",
    { operation: OPERATION },
    ["operation"],
    READ,
  ),
  call: tool(
    "call_operation",
    "Call an operation with its arguments.",
    { operation: OPERATION, arguments: { type: "object" } },
    ["operation"],
    CALL,
  ),
} as const satisfies Readonly<Record<string, ToolEntry>>;

export type SearchTool = keyof typeof SEARCH_TOOLS;

/** Which of the tools has a name, or undefined. */
export function findSearchTool(name: string): SearchTool | undefined {
  const keys: readonly SearchTool[] = ["search", "describe", "call"];
  return keys.find((key) => SEARCH_TOOLS[key].name === name);
}

/** Where operations come from. */
export interface OperationSource {
  readonly search: Search;
  /** The operation of that name. */
  load(name: string): Promise<Operation | undefined> | Operation | undefined;
}

/** What one of the three tools was asked: an answer already, or an operation to be called. */
export type SearchStep =
  | { readonly kind: "answer"; readonly result: ToolResult }
  | { readonly kind: "call"; readonly operation: Operation; readonly arguments: unknown };

/** Serves a call of one of the tools as far as that is possible without sending anything. */
export async function serveSearchTool(name: SearchTool, input: unknown, source: OperationSource): Promise<SearchStep> {
  const read = readArguments({ ...SEARCH_TOOLS[name], parameters: [] }, input);
  if (!read.ok) return { kind: "answer", result: toProblemResult(read.problems) };
  const { query, limit, operation: wanted = "", arguments: given } = read.arguments;
  if (name === "search") {
    return answer(toHitsText(source.search, String(query), typeof limit === "number" ? limit : DEFAULT_HITS));
  }
  const operation = await source.load(String(wanted));
  if (operation === undefined) return unknownOperation(source.search, String(wanted));
  return name === "describe" ? answer(toCallText(operation)) : { kind: "call", operation, arguments: given };
}

function answer(text: string): SearchStep {
  return { kind: "answer", result: { content: [{ type: "text", text }], _meta: {} } };
}

function toHitsText(search: Search, query: string, limit: number): string {
  const hits = search.find(query, limit);
  if (hits.length === 0)
    return "No operation has any of these words. Try others: what it acts on, or a part of its path.";
  return hits.map(({ entry }) => toHeadline("", entry).slice(1)).join("\n");
}

function unknownOperation(search: Search, name: string): SearchStep {
  const near = search.find(name, 5).map(({ entry }) => entry.name);
  const hint = near.length > 0 ? ` Similar: ${near.join(", ")}.` : " search_operations finds them.";
  const text = `No operation is called ${JSON.stringify(name.slice(0, 100))}.${hint}`;
  return { kind: "answer", result: { content: [{ type: "text", text }], isError: true, _meta: {} } };
}

/** An operation for one who calls it by name: its text, the types of its arguments, its answer, and one call. */
function toCallText(operation: Operation): string {
  const schema = operation.completeSchema ?? operation.inputSchema;
  const { output } = operation;
  const returns =
    output === undefined
      ? ""
      : `returns ${output.status}${output.schema === undefined ? "" : ` ${toType(output.schema)}`}`;
  const example = { operation: operation.name, arguments: sampleArguments(schema) };
  const types = [
    `arguments: ${toType(schema)}`,
    ...toDeclarations(schema),
    returns,
    ...toDeclarations(toObject(output?.schema)),
  ];
  return [
    operation.name,
    cleanText(operation.description),
    types.filter((line) => line !== "").join("\n"),
    `Example: ${JSON.stringify(example)}`,
  ].join("\n\n");
}

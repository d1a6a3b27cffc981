/**
 * `src/tools.ts` of a generated server: the one file that a document decides. One tool is one entry, one property a line,
 * so that a change of the API is a change a person can read.
 */
import type { Operation } from "../../openapi/ir.ts";
import { omit } from "../../openapi/json.ts";
import { toSearchIndex } from "../../openapi/search/search-index.ts";
import { toKey, toLiteral } from "./literal.ts";
import type { Surface, Variable } from "./template/settings.ts";

/** What the file holds. */
export interface ToolsFile {
  readonly server: { readonly name: string; readonly title: string; readonly version: string };
  readonly baseUrl: string;
  readonly instructions: string;
  readonly surface: Surface;
  readonly variables: readonly Variable[];
  readonly operations: readonly Operation[];
  /** What the document says of their tags. */
  readonly tags: Readonly<Record<string, string>>;
}

/** What only the compiler, and what only search and describe need. */
const UNUSED = ["operationId", "group", "pinned", "pagination"] as const;
const OF_SEARCH = ["output"] as const;

/** Writes the file. */
export function toToolsFile(file: ToolsFile): string {
  const { count, postings } = toSearchIndex(file.surface === "search" ? file.operations : [], file.tags);
  const unused = file.surface === "search" ? UNUSED : [...UNUSED, ...OF_SEARCH];
  return `/** Generated from the API's document: what it says, as data. The files beside this one are the same for every API. */
import type { Operation } from "./openapi/ir.ts";
import type { SearchIndex } from "./openapi/search/search-index.ts";
import type { Surface, Variable } from "./settings.ts";

/** The server as clients see it. */
export const SERVER = ${toLiteral(file.server)};

/** Where requests go, unless the variable API_BASE_URL says otherwise. */
export const BASE_URL: string = ${toLiteral(file.baseUrl)};

/** What every client is told about the API before any tool is called. */
export const INSTRUCTIONS: string = ${toLiteral(file.instructions)};

/** One tool per operation, or three tools to search, describe and call them. */
export const SURFACE: Surface = ${toLiteral(file.surface)};

/** The variables that hold credentials. */
export const VARIABLES: readonly Variable[] = [
${file.variables.map((variable) => `  ${toLiteral(variable)},\n`).join("")}];

/** Gives an entry its type by itself: the type of a list of thousands of literals is beyond the compiler. */
const tool = (operation: Operation): Operation => operation;

/** The operations: what a model is shown of each, and how its arguments become a request. */
export const TOOLS: readonly Operation[] = [
${file.operations.map((operation) => toEntry(operation, file.baseUrl, unused)).join("")}];

/** The words by which operations are found; none where each is a tool. */
export const SEARCH_INDEX: SearchIndex = {
  count: ${count},
  postings: {
${Object.entries(postings)
  .map(([word, text]) => `    ${toKey(word)}: ${toLiteral(text)},\n`)
  .join("")}  },
};
`;
}

function toEntry(operation: Operation, baseUrl: string, unused: readonly string[]): string {
  const lines = Object.entries(omit({ ...operation }, ...unused)).map(([key, value]) => {
    const text = key === "server" && value === baseUrl ? "BASE_URL" : toLiteral(value);
    return `    ${key}: ${text},\n`;
  });
  return `  tool({\n${lines.join("")}  }),\n`;
}

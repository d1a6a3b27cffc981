/**
 * The place of the generated part: what one document becomes. Here it is empty, so that the files beside it can be
 * checked; a generated project has its own.
 */
import type { Operation } from "../../../openapi/ir.ts";
import type { SearchIndex } from "../../../openapi/search/search-index.ts";
import type { Surface, Variable } from "./settings.ts";

/** The server as clients see it. */
export const SERVER = { name: "template", title: "Template", version: "0.0.0" };

/** Where requests go, unless the variable API_BASE_URL says otherwise. */
export const BASE_URL: string = "https://api.example.com";

/** What every client is told about the API before any tool is called. */
export const INSTRUCTIONS: string = "";

/** One tool per operation, or three tools to search, describe and call them. */
export const SURFACE: Surface = "tools";

/** The variables that hold credentials. */
export const VARIABLES: readonly Variable[] = [];

/** The operations: what a model is shown of each, and how its arguments become a request. */
export const TOOLS: readonly Operation[] = [];

/** The words by which operations are found; none where each is a tool. */
export const SEARCH_INDEX: SearchIndex = { count: 0, postings: {} };

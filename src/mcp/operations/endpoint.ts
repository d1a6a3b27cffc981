/** What the tools of `/mcp/<api>` do: the list in pages, and calls by name. Nothing outside the offer can be called. */
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type inputRequired,
  type ListToolsResult,
  type McpServer,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";

import { Kept } from "../../catalog/kept.ts";
import type { Operations } from "../../catalog/operations.ts";
import type { Runs } from "../../code/runs.ts";
import type { Operation } from "../../openapi/ir.ts";
import { findSearchTool, SEARCH_TOOLS, serveSearchTool } from "../../openapi/search-tools.ts";
import { openSearch } from "../../openapi/search.ts";
import type { ApiIndex } from "../../openapi/storage.ts";
import { toTool } from "../../openapi/tool.ts";
import { toAnswer, toListed, unknownTool } from "../wire.ts";
import { callOperation } from "./call.ts";
import type { Offer } from "./offer.ts";

/** Tools in one page of the list: with ordinary schemas, well within what clients take in one message. */
const PAGE_SIZE = 200;

/** Characters of pages that are kept: a page is made of cards that lie in many files. */
const MAX_KEPT_PAGES = 4_000_000;

const pages = new Kept<readonly Tool[]>(MAX_KEPT_PAGES);

export interface EndpointDeps {
  readonly operations: Operations;
  readonly runs: Runs;
}

export interface EndpointParts extends EndpointDeps {
  readonly server: McpServer;
  readonly index: ApiIndex;
  readonly offer: Offer;
  /** Only what reads is let out. */
  readonly readOnly: boolean;
}

export class OperationEndpoint {
  readonly #parts: EndpointParts;

  constructor(parts: EndpointParts) {
    this.#parts = parts;
  }

  /** One page of the list. A cursor is the name of the first tool of the page. */
  async list(cursor: string | undefined): Promise<ListToolsResult> {
    const { entries, surface } = this.#parts.offer;
    if (surface === "search") return { tools: this.#searchTools() };
    const start = cursor === undefined ? 0 : entries.findIndex(({ name }) => name === cursor);
    if (start < 0) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor");
    const names = entries.slice(start, start + PAGE_SIZE).map(({ name }) => name);
    const next = entries[start + PAGE_SIZE]?.name;
    return { tools: [...(await this.#page(names))], ...(next === undefined ? {} : { nextCursor: next }) };
  }

  /** Calls a tool of the list. @throws {ProtocolError} when there is none of that name. */
  async call(
    name: string,
    input: unknown,
    ctx: ServerContext,
  ): Promise<CallToolResult | ReturnType<typeof inputRequired>> {
    if (this.#parts.offer.surface === "search") return await this.#callSearchTool(name, input, ctx);
    const operation = await this.#load(name);
    if (operation === undefined) throw unknownTool(name);
    return await this.#callOperation(operation, input, ctx);
  }

  async #callSearchTool(name: string, input: unknown, ctx: ServerContext): ReturnType<OperationEndpoint["call"]> {
    const tool = findSearchTool(name);
    if (tool === undefined) throw unknownTool(name);
    const { index, offer } = this.#parts;
    const search = openSearch(index.operations, index.search, new Set(offer.entries.map((entry) => entry.name)));
    const step = await serveSearchTool(tool, input, { search, load: (wanted) => this.#load(wanted) });
    if (step.kind === "answer") return toAnswer(step.result);
    return await this.#callOperation(step.operation, step.arguments, ctx);
  }

  #callOperation(operation: Operation, input: unknown, ctx: ServerContext): ReturnType<typeof callOperation> {
    const { runs, server, index, readOnly } = this.#parts;
    return callOperation(operation, input, { runs, server, ctx, api: index.api, readOnly });
  }

  /** The card of an operation that is offered here. */
  async #load(name: string): Promise<Operation | undefined> {
    const { operations, index, offer } = this.#parts;
    return offer.entries.some((entry) => entry.name === name) ? await operations.card(index.api, name) : undefined;
  }

  async #page(names: readonly string[]): Promise<readonly Tool[]> {
    const { operations, index } = this.#parts;
    return await pages.get(`${index.digest} ${names.join(" ")}`, async () => {
      const tools = (await operations.cards(index.api, names)).map((card) => toListed(toTool(card)));
      return { value: tools, size: JSON.stringify(tools).length };
    });
  }

  /** The three tools; the first says why the operations are not listed. */
  #searchTools(): Tool[] {
    const { entries, limit } = this.#parts.offer;
    const why = `It has ${entries.length}; more than ${limit} are not listed one by one.`;
    const { search, describe, call } = SEARCH_TOOLS;
    return [{ ...search, description: `${search.description} ${why}` }, describe, call].map(toListed);
  }
}

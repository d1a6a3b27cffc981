/** The words about a result that is not shown whole: where the rest is, and how to get at it. */
import type { ContentBlock } from "@modelcontextprotocol/server";

import { count } from "./count.ts";
import type { Keeping, KeptResult } from "./kept-result.ts";

/** The address of a result as an MCP resource. */
export function toResultUri(id: string): string {
  return `codeforge://results/${id}`;
}

/** The address of a run in the history as an MCP resource. */
export function toRunUri(id: string): string {
  return `codeforge://runs/${id}`;
}

/** Says that a result was cut, and where the whole of it is. */
export function describeKeeping(keeping: Keeping): string {
  if (keeping.ok) {
    const { id, characters, expiresMs } = keeping.kept;
    return (
      `The result is cut: it has ${count(characters, "character")}. The whole is kept until ${toMinute(expiresMs)}. ` +
      `Read it in a later block: import { results } from "codeforge"; const value = await results.read("${id}");`
    );
  }
  const { reason, characters } = keeping;
  const cut = `The result is cut, and the rest of its ${count(characters, "character")} is lost`;
  switch (reason) {
    case "off":
      return `${cut}: this server keeps no results. Return less.`;
    case "storage":
      return `${cut}: the server's storage did not take it. Return less, or try again.`;
  }
}

/** The link to a result that is kept. */
export function toLink(kept: KeptResult): ContentBlock {
  const { id, isJson, bytes, expiresMs } = kept;
  return {
    type: "resource_link",
    uri: toResultUri(id),
    name: `result ${id}`,
    description: `The whole result, kept until ${toMinute(expiresMs)}`,
    mimeType: isJson ? "application/json" : "text/plain",
    size: bytes,
  };
}

function toMinute(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

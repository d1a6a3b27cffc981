/** The two plain shapes of a tool result. */
import type { CallToolResult } from "@modelcontextprotocol/server";

/** A failed call, as text for the model. `structuredContent` is absent by the specification's wish. */
export function errorResult(text: string): CallToolResult {
  return { isError: true, content: [{ type: "text", text }] };
}

/** A successful call with text only. */
export function textResult(text: string): CallToolResult {
  return { content: [{ type: "text", text }] };
}

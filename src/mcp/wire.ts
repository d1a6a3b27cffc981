/** What `src/openapi/` makes of tools and answers, in the SDK's types. */
import { ProtocolError, ProtocolErrorCode, type CallToolResult, type Tool } from "@modelcontextprotocol/server";

import type { ToolResult } from "../openapi/result.ts";
import type { ToolEntry } from "../openapi/tool.ts";

/** An entry of `tools/list`. */
export function toListed({ inputSchema, ...tool }: ToolEntry): Tool {
  return { ...tool, inputSchema: { ...inputSchema, type: "object" } };
}

/** The result of `tools/call`. */
export function toAnswer({ content, ...rest }: ToolResult): CallToolResult {
  return { ...rest, content: [...content] };
}

/** What a call of a tool that is not listed is answered with. */
export function unknownTool(name: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
}

/** The `tools/list` entry of an operation: what a model is shown, and nothing of how the request is made. */
import type { Annotations, Operation, Schema } from "./ir.ts";
import { defined } from "./json.ts";

/** One entry of an MCP `tools/list` answer. */
export interface ToolEntry {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly annotations: Annotations;
}

/** The tool an operation is. No `outputSchema`: see rule M12. */
export function toTool({ name, title, description, inputSchema, annotations }: Operation): ToolEntry {
  return defined({ name, title, description, inputSchema, annotations });
}

/** The `tools/list` entry of an operation: what a model is shown, and nothing of how the request is made. */
import type { Annotations, Operation, Schema } from "./ir.ts";
import { defined } from "./json.ts";
import { FULL, toProfile, type Profile } from "./profile.ts";

/** One entry of an MCP `tools/list` answer. */
export interface ToolEntry {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly annotations: Annotations;
}

/** The tool an operation is, as a client of this profile is shown it. No `outputSchema`: see rule M12. */
export function toTool(operation: Operation, profile: Profile = FULL): ToolEntry {
  const { name, title, description, annotations } = operation;
  const inputSchema = profile === FULL ? operation.inputSchema : toProfile(operation.inputSchema, profile);
  return defined({ name, title, description, inputSchema, annotations });
}

/**
 * An output schema that no honest answer breaks (rule M12), for clients that want one: nothing required, no formats, no
 * closed lists of values or names. Only where it is small; otherwise the tool has none.
 */
import type { Output, Schema } from "./ir.ts";
import { omit, toObject } from "./json.ts";
import { MAX_OUTPUT_BYTES } from "./output.ts";
import { mapParts } from "./schema/walk.ts";

/** The loose schema of an answer as `toToolResult` shapes it, or undefined when there is none to give. */
export function toLooseOutput(output: Output | undefined): Schema | undefined {
  if (output?.schema === undefined || output.truncated === true) return undefined;
  const definitions = toObject(output.schema["$defs"]);
  const names = Object.entries(definitions).map(([name, part]) => [name, loosen(toObject(part))]);
  const loose = loosen(omit(output.schema, "$defs"));
  const root = loose["type"] === "object" ? loose : { type: "object", properties: { result: loose } };
  const schema = names.length === 0 ? root : { ...root, $defs: Object.fromEntries(names) };
  return JSON.stringify(schema).length <= MAX_OUTPUT_BYTES ? schema : undefined;
}

function loosen(schema: Schema): Schema {
  const open = omit(schema, "required", "format", "additionalProperties", "enum", "const", "pattern", "not");
  const { oneOf, ...rest } = open;
  return mapParts(oneOf === undefined ? rest : { ...rest, anyOf: oneOf }, loosen);
}

/** Following a reference within one schema. */
import type { Schema } from "../ir.ts";
import { toObject } from "../json.ts";
import { definitionName } from "../schema/walk.ts";

/** The schema itself, or the definition that it names. */
export function resolveDefinition(part: Schema, root: Schema): Schema {
  const name = definitionName(part);
  return name === undefined ? part : toObject(toObject(root["$defs"])[name]);
}

/**
 * Arguments as models really send them (rule M5): a JSON text where an object or a list belongs, a decimal text where a
 * 64-bit integer does. Nothing else is guessed; whatever does not fit is left for validation to name.
 */
import type { Schema } from "./ir.ts";
import { isObject, toList, toObject } from "./json.ts";
import { definitionName } from "./schema/walk.ts";

const MAX_DEPTH = 100;

/** The value with what can be read read; 64-bit integers beyond JavaScript's own become BigInt. */
export function coerce(value: unknown, schema: Schema, definitions: Schema, depth = 0): unknown {
  if (depth > MAX_DEPTH) return value;
  const target = resolve(schema, definitions);
  const types = typesOf(target, definitions);
  if (typeof value === "string") {
    if (types.includes("string") || types.length === 0) return value;
    if (types.includes("integer") && /^-?\d{1,20}$/.test(value)) {
      const number = Number(value);
      return Number.isSafeInteger(number) ? number : BigInt(value);
    }
    const parsed = types.some((type) => type === "object" || type === "array") ? parseEmbedded(value) : undefined;
    return parsed === undefined ? value : coerce(parsed, schema, definitions, depth + 1);
  }
  if (Array.isArray(value) && isObject(target["items"])) {
    const { items } = target;
    return value.map((item: unknown) => coerce(item, items, definitions, depth + 1));
  }
  if (!isObject(value)) return value;
  const properties = toObject(target["properties"]);
  const additional = target["additionalProperties"];
  const entries = Object.entries(value).map(([name, member]): [string, unknown] => {
    const property = Object.hasOwn(properties, name) ? properties[name] : additional;
    return [name, isObject(property) ? coerce(member, property, definitions, depth + 1) : member];
  });
  return Object.fromEntries(entries);
}

function resolve(schema: Schema, definitions: Schema): Schema {
  let target = schema;
  for (let hops = 0; hops < MAX_DEPTH; hops++) {
    const name = definitionName(target);
    if (name === undefined) break;
    target = toObject(definitions[name]);
  }
  return target;
}

/** The types a schema names, those of its branches included; none at all when one branch does not say. */
function typesOf(schema: Schema, definitions: Schema): string[] {
  const type = schema["type"];
  const own = typeof type === "string" ? [type] : toList(type).filter((name) => typeof name === "string");
  const branches = [...toList(schema["oneOf"]), ...toList(schema["anyOf"])].filter(isObject);
  const types = branches.map((branch) => resolve(branch, definitions)["type"]);
  return own.length > 0 || types.includes(undefined) ? own : types.flat().filter((name) => typeof name === "string");
}

function parseEmbedded(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Input schemas for clients that understand less of JSON Schema (rule M9): without references, unions or formats. Only
 * what such a client is shown changes, and it never becomes stricter; a call is still checked against the whole schema.
 */
import type { Schema } from "./ir.ts";
import { isObject, omit, toList, toObject, toStrings } from "./json.ts";
import { definitionName, hasParts, mapParts, ordered } from "./schema/walk.ts";

/** What a client understands. */
export interface Profile {
  readonly refs: boolean;
  readonly unions: boolean;
  readonly formats: boolean;
  /** The longest tool name, for `maxNameLength` when a document is compiled. */
  readonly maxNameLength?: number;
}

/** Everything JSON Schema has, as model APIs take it. */
export const FULL: Profile = { refs: true, unions: true, formats: true };

/** Clients like Cursor: no references, no unions, no formats, names of at most 50 characters. */
export const PLAIN: Profile = { refs: false, unions: false, formats: false, maxNameLength: 50 };

/** Without references a schema is written out as deep as it stays within this many characters. */
const MAX_LENGTH = 16 * 1024;
const MAX_INLINE = 4;

/** The input schema as a client of this profile is shown it. */
export function toProfile(schema: Schema, profile: Profile): Schema {
  let shown = adaptTo(schema, profile, 0);
  for (let depth = 1; depth <= MAX_INLINE && schema["$defs"] !== undefined && !profile.refs; depth++) {
    const deeper = adaptTo(schema, profile, depth);
    if (JSON.stringify(deeper).length > MAX_LENGTH) break;
    shown = deeper;
  }
  return shown;
}

function adaptTo(schema: Schema, profile: Profile, maxInline: number): Schema {
  const definitions = toObject(schema["$defs"]);
  const adapt = (part: Schema, path: readonly string[]): Schema => {
    const name = definitionName(part);
    if (name !== undefined && !profile.refs) return inline(part, name, path);
    const plain = profile.formats ? part : omit(part, "format");
    const inner = mapParts(plain, (sub) => adapt(sub, path));
    return profile.unions ? inner : withoutUnions(inner);
  };
  /** What recurs, or lies too deep, keeps its type. */
  const inline = (part: Schema, name: string, path: readonly string[]): Schema => {
    const target = toObject(definitions[name]);
    const again = path.includes(name) || path.length >= maxInline;
    const opened = again && hasParts(target) ? typeOnly(target) : adapt(target, [...path, name]);
    return ordered({ ...opened, ...omit(part, "$ref") });
  };
  const root = adapt(omit(schema, "$defs"), []);
  if (!profile.refs || Object.keys(definitions).length === 0) return root;
  const kept = Object.entries(definitions).map(([name, part]) => [name, adapt(toObject(part), [name])]);
  return { ...root, $defs: Object.fromEntries(kept) };
}

function typeOnly(schema: Schema): Schema {
  return schema["type"] === undefined
    ? {}
    : { type: schema["type"], ...(schema["type"] === "array" ? { items: {} } : {}) };
}

/** A choice as one schema that accepts all its branches; null is left unsaid. */
function withoutUnions(schema: Schema): Schema {
  const types = toStrings(schema["type"]).filter((type) => type !== "null");
  const [type] = types;
  const single = Array.isArray(schema["type"])
    ? { ...omit(schema, "type"), ...(types.length === 1 ? { type } : {}) }
    : schema;
  const branches = [...toList(single["oneOf"]), ...toList(single["anyOf"])].filter(isObject);
  const rest = omit(single, "oneOf", "anyOf", "allOf", "not");
  const real = branches.filter((branch) => branch["type"] !== "null");
  const [only] = real;
  if (only === undefined) return ordered(rest);
  return ordered({ ...(real.length === 1 ? only : joinBranches(real)), ...rest });
}

function joinBranches(branches: readonly Schema[]): Schema {
  const types = new Set(branches.map((branch) => branch["type"]));
  const [type] = types;
  if (types.size !== 1 || typeof type !== "string") return {};
  const values = branches.map((branch) => (branch["const"] === undefined ? toList(branch["enum"]) : [branch["const"]]));
  if (values.every((list) => list.length > 0)) return { type, enum: [...new Set(values.flat())] };
  if (type !== "object") return type === "array" ? { type, items: {} } : { type };
  const properties = new Map<string, Schema>();
  for (const branch of branches) {
    for (const [name, part] of Object.entries(toObject(branch["properties"]))) {
      const known = properties.get(name);
      const next = toObject(part);
      properties.set(
        name,
        known === undefined
          ? next
          : JSON.stringify(known) === JSON.stringify(next)
            ? known
            : joinBranches([known, next]),
      );
    }
  }
  const required = branches
    .map((branch) => toStrings(branch["required"]))
    .reduce((sum, list) => sum.filter((name) => list.includes(name)));
  return { type, properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
}

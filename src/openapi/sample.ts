/**
 * A value that a schema accepts, as small as it can be: what is required and nothing else, or one level of everything.
 * For examples in descriptions and for trying operations; deterministic.
 */
import type { Schema } from "./ir.ts";
import { isObject, toList, toObject, toStrings, toText } from "./json.ts";
import { samplePattern } from "./sample-pattern.ts";
import { definitionName } from "./schema/walk.ts";

const MAX_DEPTH = 12;
const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  email: "user@example.com",
  uri: "https://example.com/",
  url: "https://example.com/",
  uuid: "123e4567-e89b-12d3-a456-426614174000",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  hostname: "example.com",
};

/** What is filled in: `required` only, or `all` properties down to a small depth. */
export type Extent = "required" | "all";

/** A value for a schema; `definitions` are its root's `$defs`. */
export function sample(schema: Schema, definitions: Schema, extent: Extent = "required", depth = 0): unknown {
  if (depth > MAX_DEPTH) return null;
  const name = definitionName(schema);
  if (name !== undefined) return sample(toObject(definitions[name]), definitions, extent, depth + 1);
  if (schema["const"] !== undefined) return schema["const"];
  const [first] = toList(schema["enum"]);
  if (first !== undefined) return first;
  if (schema["default"] !== undefined && schema["default"] !== null) return schema["default"];
  const parts = toList(schema["allOf"]).filter(isObject);
  const branch = [...toList(schema["oneOf"]), ...toList(schema["anyOf"])].find(isObject);
  const chosen = [...parts, ...(branch === undefined ? [] : [branch])];
  if (chosen.length > 0) {
    // What a branch requires may be declared beside it.
    const required = [...toStrings(schema["required"]), ...chosen.flatMap((part) => toStrings(part["required"]))];
    const own = ownSample({ ...schema, required }, definitions, extent, depth);
    const values = chosen.map((part) => (isTyped(part) ? sample(part, definitions, extent, depth + 1) : undefined));
    const known = [own, ...values].filter((value) => value !== undefined);
    return known.every(isObject) ? Object.assign({}, ...known) : known[0];
  }
  return ownSample(schema, definitions, extent, depth) ?? "text";
}

function isTyped(schema: Schema): boolean {
  return ["$ref", "type", "const", "enum", "oneOf", "anyOf", "allOf", "properties"].some(
    (keyword) => keyword in schema,
  );
}

function ownSample(schema: Schema, definitions: Schema, extent: Extent, depth: number): unknown {
  const types = typeof schema["type"] === "string" ? [schema["type"]] : toStrings(schema["type"]);
  switch (types.find((type) => type !== "null") ?? types[0]) {
    case "string":
      return sampleText(schema);
    case "integer":
    case "number":
      return sampleNumber(schema);
    case "boolean":
      return true;
    case "null":
      return null;
    case "array":
      return sampleList(schema, definitions, extent, depth);
    case "object":
      return sampleObject(schema, definitions, extent, depth);
    default:
      return schema["properties"] === undefined ? undefined : sampleObject(schema, definitions, extent, depth);
  }
}

function sampleText(schema: Schema): string {
  const format = toText(schema["format"]);
  if (schema["contentEncoding"] === "base64") return "aGVsbG8=";
  const pattern = toText(schema["pattern"]);
  const matching = pattern === undefined ? undefined : samplePattern(pattern);
  const text = (format === undefined ? undefined : FORMATS[format]) ?? "text";
  const least = typeof schema["minLength"] === "number" ? schema["minLength"] : 0;
  const most = typeof schema["maxLength"] === "number" ? schema["maxLength"] : Number.POSITIVE_INFINITY;
  const last = matching?.at(-1) ?? "x";
  return (matching ?? text).padEnd(Math.min(least, 1000), last).slice(0, most);
}

function sampleNumber(schema: Schema): number {
  const bound = (keyword: string): number | undefined => {
    const value = schema[keyword];
    return typeof value === "number" ? value : undefined;
  };
  const above = bound("exclusiveMinimum");
  const least = bound("minimum") ?? (above === undefined ? undefined : above + 1);
  const below = bound("exclusiveMaximum");
  const most = bound("maximum") ?? (below === undefined ? undefined : below - 1);
  const step = bound("multipleOf") ?? 1;
  const value = Math.ceil((least ?? Math.min(1, most ?? 1)) / step) * step;
  return schema["type"] === "integer" ? Math.ceil(value) : value;
}

function sampleList(schema: Schema, definitions: Schema, extent: Extent, depth: number): unknown[] {
  const tuple = toList(schema["prefixItems"]).filter(isObject);
  const items = toObject(schema["items"]);
  const least = typeof schema["minItems"] === "number" ? schema["minItems"] : 0;
  if (tuple.length > 0) return tuple.map((item) => sample(item, definitions, extent, depth + 1));
  const count = Math.min(10, Math.max(least, extent === "all" && depth < 3 ? 1 : Math.min(1, least)));
  return Array.from({ length: depth === 1 ? Math.max(1, count) : count }, () =>
    sample(items, definitions, extent, depth + 1),
  );
}

function sampleObject(schema: Schema, definitions: Schema, extent: Extent, depth: number): Schema {
  const required = toStrings(schema["required"]);
  const entries = Object.entries(toObject(schema["properties"])).filter(
    ([name]) => required.includes(name) || (extent === "all" && depth < 3),
  );
  return Object.fromEntries(
    entries.map(([name, part]) => [name, sample(toObject(part), definitions, extent, depth + 1)]),
  );
}

/** Arguments for an operation's input schema. */
export function sampleArguments(inputSchema: Schema, extent: Extent = "required"): Schema {
  return toObject(sample(inputSchema, toObject(inputSchema["$defs"]), extent));
}

/**
 * Where schemas are inside a schema. Everything that walks or rewrites one goes through here, so that a property named
 * `items` or `$ref` is never taken for a keyword.
 */
import { isObject, toObject } from "../json.ts";
import type { Schema } from "../ir.ts";

const SINGLE = ["items", "additionalProperties", "not"] as const;
const LISTS = ["prefixItems", "oneOf", "anyOf", "allOf"] as const;
const MAPS = ["properties", "patternProperties"] as const;
const IN_PLACE: ReadonlySet<string> = new Set(["not", "oneOf", "anyOf", "allOf"]);

/** The order in which keywords are written: what a thing is, then what it is for, then its bounds, then its parts. */
const ORDER: readonly string[] = [
  "$ref",
  "type",
  "const",
  "enum",
  "format",
  "contentEncoding",
  "oneOf",
  "anyOf",
  "allOf",
  "not",
  "default",
  "description",
  "minimum",
  "exclusiveMinimum",
  "maximum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxLength",
  "pattern",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minProperties",
  "maxProperties",
  "items",
  "prefixItems",
  "properties",
  "patternProperties",
  "required",
  "additionalProperties",
  "$defs",
];
const RANK = new Map(ORDER.map((keyword, index) => [keyword, index]));

/** The keywords a schema of the representation may have. */
export const KEYWORDS: ReadonlySet<string> = new Set(ORDER);

/** The same schema with its keywords in their one order. */
export function ordered(schema: Schema): Schema {
  const rank = (keyword: string): number => RANK.get(keyword) ?? ORDER.length;
  return Object.fromEntries(Object.entries(schema).toSorted(([a], [b]) => rank(a) - rank(b)));
}

/** Whether the schema says something about parts of a value, or is a choice: more than a type and its bounds. */
export function hasParts(schema: Schema): boolean {
  return "$ref" in schema || [...SINGLE, ...LISTS, ...MAPS].some((keyword) => schema[keyword] !== undefined);
}

const DEFINITIONS = "#/$defs/";

/** The name of the definition a finished schema refers to, if it is a reference. */
export function definitionName(schema: Schema): string | undefined {
  const ref = schema["$ref"];
  return typeof ref === "string" && ref.startsWith(DEFINITIONS) ? ref.slice(DEFINITIONS.length) : undefined;
}

/** The reference to a definition. */
export function toReference(name: string): string {
  return `${DEFINITIONS}${name}`;
}

/** Visits each direct sub-schema; `deeper` is 0 when it speaks of the same value and 1 when of a part of it. */
export function forEachPart(schema: Schema, visit: (part: Schema, deeper: 0 | 1) => void): void {
  for (const keyword of SINGLE) {
    const part = schema[keyword];
    if (isObject(part)) visit(part, IN_PLACE.has(keyword) ? 0 : 1);
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const part of list) if (isObject(part)) visit(part, IN_PLACE.has(keyword) ? 0 : 1);
  }
  for (const keyword of MAPS)
    for (const part of Object.values(toObject(schema[keyword]))) if (isObject(part)) visit(part, 1);
}

/** A copy with each direct sub-schema replaced; the same object when nothing changed. */
export function mapParts(schema: Schema, change: (part: Schema, deeper: 0 | 1) => Schema): Schema {
  let copy: Record<string, unknown> | undefined;
  const replace = (keyword: string, value: unknown): void => {
    copy ??= { ...schema };
    copy[keyword] = value;
  };
  for (const keyword of SINGLE) {
    const part = schema[keyword];
    if (!isObject(part)) continue;
    const result = change(part, IN_PLACE.has(keyword) ? 0 : 1);
    if (result !== part) replace(keyword, result);
  }
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (!Array.isArray(list)) continue;
    const deeper = IN_PLACE.has(keyword) ? 0 : 1;
    const results = list.map((part: unknown) => (isObject(part) ? change(part, deeper) : part));
    if (results.some((result, i) => result !== list[i])) replace(keyword, results);
  }
  for (const keyword of MAPS) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    const results = Object.entries(map).map(([name, part]): [string, unknown] => [
      name,
      isObject(part) ? change(part, 1) : part,
    ]);
    if (results.some(([name, result]) => result !== map[name])) replace(keyword, Object.fromEntries(results));
  }
  return copy ?? schema;
}

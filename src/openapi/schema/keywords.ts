/**
 * The keywords of one schema, brought to JSON Schema 2020-12 (rule M9): `nullable`, boolean bounds, `format: byte`,
 * types that do not exist. Looks at this one object only; its parts are somebody else's.
 */
import type { Schema } from "../ir.ts";
import { isObject, toList, toStrings } from "../json.ts";
import { cleanText } from "../text.ts";

const TYPES: ReadonlySet<string> = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const NUMBERS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"] as const;
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"] as const;

/** Everything in a raw schema that is not another schema. */
export function plainKeywords(raw: Schema): Record<string, unknown> {
  const out: Record<string, unknown> = {};
  const types = readTypes(raw["type"]);
  const [type] = types;
  if (type !== undefined) out["type"] = types.length === 1 ? type : types;
  else if (raw["type"] === "file") Object.assign(out, { type: "string", format: "binary" });

  if (raw["const"] !== undefined) out["const"] = raw["const"];
  const values = toList(raw["enum"]);
  if (values.length > 0) out["enum"] = unique(values.map((value) => ofType(value, types)));
  if (typeof raw["format"] === "string") out["format"] = cleanText(raw["format"]);
  if (typeof raw["contentEncoding"] === "string") out["contentEncoding"] = raw["contentEncoding"];
  else if (typeof raw["contentMediaType"] === "string" && types.includes("string")) out["format"] = "binary";
  if (out["format"] === "byte" || out["format"] === "base64") {
    delete out["format"];
    out["contentEncoding"] = "base64";
  }

  if (raw["default"] !== undefined) out["default"] = raw["default"];
  if (typeof raw["description"] === "string") {
    const description = cleanText(raw["description"]);
    if (description !== "") out["description"] = description;
  }
  readBounds(raw, out);
  if (typeof raw["pattern"] === "string" && isPattern(raw["pattern"])) out["pattern"] = raw["pattern"];
  if (raw["uniqueItems"] === true) out["uniqueItems"] = true;
  const required = toStrings(raw["required"]);
  if (required.length > 0) out["required"] = required;
  return out;
}

function readTypes(type: unknown): string[] {
  const names = typeof type === "string" ? [type] : toStrings(type);
  return [...new Set(names.map((name) => name.toLowerCase()).filter((name) => TYPES.has(name)))];
}

function readBounds(raw: Schema, out: Record<string, unknown>): void {
  for (const keyword of NUMBERS) if (Number.isFinite(raw[keyword])) out[keyword] = raw[keyword];
  for (const keyword of COUNTS) if (Number.isInteger(raw[keyword])) out[keyword] = raw[keyword];
  if (typeof out["multipleOf"] === "number" && out["multipleOf"] <= 0) delete out["multipleOf"];
  for (const [bound, exclusive] of [
    ["minimum", "exclusiveMinimum"],
    ["maximum", "exclusiveMaximum"],
  ] as const) {
    if (raw[exclusive] !== true || out[bound] === undefined) continue;
    out[exclusive] = out[bound];
    delete out[bound];
  }
}

/** `enum: [1, 2]` of a string means "1" and "2": as written, no value at all would be accepted. */
function ofType(value: unknown, types: readonly string[]): unknown {
  const isNumeric = types.includes("number") || types.includes("integer");
  if (types.includes("string") && !isNumeric && (typeof value === "number" || typeof value === "boolean"))
    return String(value);
  if (isNumeric && !types.includes("string") && typeof value === "string" && value.trim() !== "") {
    return Number.isFinite(Number(value)) ? Number(value) : value;
  }
  return value;
}

function unique(values: readonly unknown[]): unknown[] {
  const seen = new Map(values.map((value) => [JSON.stringify(value), value]));
  return [...seen.values()];
}

/** A pattern that no validator can compile would make every value fail, so it is left out. */
export function isPattern(pattern: string): boolean {
  try {
    return new RegExp(pattern, "u").source !== "";
  } catch {
    return false;
  }
}

/** The schema, null allowed: beside a type, in an enum, as a branch of a union. */
export function withNull(schema: Schema): Schema {
  const union = ["oneOf", "anyOf"].find((keyword) => Array.isArray(schema[keyword]));
  if (union !== undefined) {
    const branches = toList(schema[union]);
    const known = branches.some((branch) => isObject(branch) && branch["type"] === "null");
    return known ? widened(schema) : { ...widened(schema), [union]: [...branches, { type: "null" }] };
  }
  if (schema["$ref"] !== undefined || schema["allOf"] !== undefined) {
    const { description, default: fallback, ...rest } = schema;
    return {
      anyOf: [rest, { type: "null" }],
      ...(fallback === undefined ? {} : { default: fallback }),
      ...(description === undefined ? {} : { description }),
    };
  }
  return widened(schema);
}

function widened(schema: Schema): Schema {
  const out: Record<string, unknown> = { ...schema };
  const { type, enum: values, const: only } = schema;
  if (typeof type === "string" && type !== "null") out["type"] = [type, "null"];
  else if (Array.isArray(type) && !type.includes("null")) out["type"] = [...type, "null"];
  if (Array.isArray(values) && !values.includes(null)) out["enum"] = [...values, null];
  if (only !== undefined && only !== null) {
    delete out["const"];
    out["enum"] = [only, null];
  }
  return out;
}

const DESCRIPTIONS =
  /^(?:title|description|default|deprecated|nullable|readOnly|writeOnly|examples?|externalDocs|xml|x-.*)$/;

/** Whether a raw schema only describes: beside a reference it changes nothing but words. */
export function isDescription(raw: Schema): boolean {
  return Object.keys(raw).every((keyword) => DESCRIPTIONS.test(keyword));
}

/** Types that are left unsaid but meant: properties make an object, items an array; an array has items. */
export function infer(out: Record<string, unknown>, composed: boolean): void {
  const free = out["type"] === undefined && out["oneOf"] === undefined && out["anyOf"] === undefined && !composed;
  if (free && out["properties"] !== undefined) out["type"] = "object";
  else if (free && (out["items"] !== undefined || out["prefixItems"] !== undefined)) out["type"] = "array";
  if (out["type"] === "array" && out["items"] === undefined && out["prefixItems"] === undefined) out["items"] = {};
}

/**
 * Merging the parts of an `allOf` (rule M9). Plain objects become one object, because models and clients read one object
 * far better than an intersection; whatever cannot be joined without changing its meaning stays an `allOf`.
 */
import type { Schema } from "../ir.ts";
import { isObject, toObject, toStrings } from "../json.ts";
import { hasParts, ordered } from "./walk.ts";

const OBJECT_KEYWORDS: ReadonlySet<string> = new Set(
  "type properties required additionalProperties minProperties maxProperties description default".split(" "),
);
const ANNOTATIONS: ReadonlySet<string> = new Set(["description", "default"]);

/** Whether a schema is an object described by properties alone: no reference, no choice, no condition. */
export function isPlainObject(schema: Schema): boolean {
  if (!Object.keys(schema).every((keyword) => OBJECT_KEYWORDS.has(keyword))) return false;
  const { type } = schema;
  return type === undefined || type === "object" || (Array.isArray(type) && type.includes("object"));
}

/** Whether a schema only describes: it accepts every value. */
export function isAnnotation(schema: Schema): boolean {
  return Object.keys(schema).every((keyword) => ANNOTATIONS.has(keyword));
}

/** Joins the parts of an `allOf`, in order; later descriptions win. */
export function mergeParts(parts: readonly Schema[]): Schema {
  const plain = parts.filter((part) => isPlainObject(part));
  const others = parts.filter((part) => !isPlainObject(part));
  const merged = plain.length === 0 ? {} : mergeObjects(plain);
  const [only] = others;
  if (only === undefined) return ordered(merged);
  if (others.length === 1 && isAnnotation(merged)) return ordered({ ...only, ...merged });
  if (isAnnotation(merged)) {
    const joined = others.reduce<Schema | undefined>(
      (sum, part) => (sum === undefined ? part : join(sum, part)),
      undefined,
    );
    if (joined !== undefined && joined["allOf"] === undefined) return ordered({ ...joined, ...merged });
  }
  return ordered({ ...merged, allOf: others });
}

function mergeObjects(parts: readonly Schema[]): Schema {
  const out: Record<string, unknown> = {};
  const properties = new Map<string, Schema>();
  const required: string[] = [];
  const open: unknown[] = [];
  const types = parts.map((part) => part["type"]).filter((type) => type !== undefined);
  for (const part of parts) {
    for (const keyword of ["description", "default"]) if (part[keyword] !== undefined) out[keyword] = part[keyword];
    for (const [name, schema] of Object.entries(toObject(part["properties"]))) {
      if (!isObject(schema)) continue;
      const known = properties.get(name);
      properties.set(name, known === undefined ? schema : join(known, schema));
    }
    required.push(...toStrings(part["required"]));
    if (part["additionalProperties"] !== undefined) open.push(part["additionalProperties"]);
    tighten(out, part, "minProperties", Math.max);
    tighten(out, part, "maxProperties", Math.min);
  }
  if (types.length > 0 || properties.size > 0) {
    const nullable = types.length > 0 && types.every((type) => Array.isArray(type) && type.includes("null"));
    out["type"] = nullable ? ["object", "null"] : "object";
  }
  if (properties.size > 0) out["properties"] = Object.fromEntries(properties);
  if (required.length > 0) out["required"] = [...new Set(required)];
  // Closed only when every part is; otherwise a closed part would refuse what its neighbours declare.
  const openest = open.find((value) => value !== false) ?? (open.length === parts.length ? false : undefined);
  if (openest !== undefined) out["additionalProperties"] = openest;
  return ordered(out);
}

function tighten(
  out: Record<string, unknown>,
  part: Schema,
  keyword: string,
  pick: (a: number, b: number) => number,
): void {
  const value = part[keyword];
  if (typeof value !== "number") return;
  const known = out[keyword];
  out[keyword] = typeof known === "number" ? pick(known, value) : value;
}

/** One schema for a value that has to satisfy both: keywords joined where they agree, `allOf` where they do not. */
export function join(a: Schema, b: Schema): Schema {
  if (isAnnotation(a)) return ordered({ ...b, ...a, ...pick(b) });
  if (isAnnotation(b)) return ordered({ ...a, ...b });
  if (JSON.stringify(a) === JSON.stringify(b)) return a;
  if (a["type"] === "object" && b["type"] === "object" && isPlainObject(a) && isPlainObject(b)) {
    return mergeObjects([a, b]);
  }
  const agree = Object.keys(b).every(
    (keyword) =>
      ANNOTATIONS.has(keyword) || a[keyword] === undefined || JSON.stringify(a[keyword]) === JSON.stringify(b[keyword]),
  );
  if (agree && !hasParts(a) && !hasParts(b)) return ordered({ ...a, ...b });
  return { allOf: [a, b] };
}

function pick(schema: Schema): Schema {
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => ANNOTATIONS.has(keyword)));
}

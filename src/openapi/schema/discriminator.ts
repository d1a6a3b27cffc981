/**
 * Discriminators (rule M9): which values of which property select a schema. The keyword itself is OpenAPI's and means
 * nothing to a JSON Schema reader, so its values become `const` or `enum` in the branches.
 */
import type { Schema } from "../ir.ts";
import { isObject, omit, toList, toObject, toStrings, toText, type Json } from "../json.ts";
import { lastToken, type Refs } from "../refs.ts";
import { isPlainObject } from "./merge.ts";
import { ordered } from "./walk.ts";

/** The discriminator of one schema. */
export interface Discriminator {
  readonly property: string;
  /** Mapped values by the pointer of the schema they select, in the order written. */
  readonly mapped: ReadonlyMap<string, readonly string[]>;
}

/**
 * Reads a schema's discriminator: its own, or the one in a part of its `allOf`, where types that inherit put it. Mapped
 * names that lead nowhere are left out.
 */
export function readDiscriminator(raw: Json, refs: Refs): Discriminator | undefined {
  const holder = [raw, ...toList(raw["allOf"]).filter(isObject)].find((each) => each["discriminator"] !== undefined);
  if (holder === undefined || (holder !== raw && isUnion(holder))) return undefined;
  const written = holder["discriminator"];
  const property = toText(isObject(written) ? written["propertyName"] : written);
  if (property === undefined) return undefined;
  const mapped = new Map<string, string[]>();
  for (const [value, ref] of Object.entries(toObject(toObject(written)["mapping"]))) {
    const pointer = typeof ref === "string" ? locate(ref, refs) : undefined;
    if (pointer !== undefined) mapped.set(pointer, [...(mapped.get(pointer) ?? []), value]);
  }
  return { property, mapped };
}

/** Whether a raw schema is a choice among others. */
export function isUnion(raw: Json): boolean {
  return toList(raw["oneOf"]).length > 0 || toList(raw["anyOf"]).length > 0;
}

/** A raw schema without the choice of subtypes it announces: what is left are its own properties. */
export function withoutChoice(raw: Json): Json {
  const parts = toList(raw["allOf"]).map((part) =>
    isObject(part) && !isUnion(part) ? omit(part, "discriminator") : part,
  );
  const plain = omit(raw, "discriminator", "oneOf", "anyOf");
  return parts.length === 0 ? plain : { ...plain, allOf: parts };
}

/** The values that select the schema at `pointer`: those mapped, or its name. */
export function valuesOf(discriminator: Discriminator, pointer: string): readonly string[] {
  return discriminator.mapped.get(pointer) ?? [lastToken(pointer)];
}

/** A mapping may hold a reference or a bare schema name. */
function locate(ref: string, refs: Refs): string | undefined {
  for (const candidate of [ref, `#/components/schemas/${ref}`, `#/definitions/${ref}`]) {
    try {
      return refs.follow(candidate).pointer;
    } catch {
      // Not this one.
    }
  }
  return undefined;
}

/**
 * The schema of a branch with its discriminator's values written into it, or undefined when it says so already.
 * `known` is the property as the branch declares it, references followed.
 */
export function tagBranch(
  branch: Schema,
  known: Schema | undefined,
  property: string,
  values: readonly string[],
): Schema | undefined {
  const required = toStrings(branch["required"]);
  const said = known?.["const"] === undefined ? known?.["enum"] : [known["const"]];
  const narrow = Array.isArray(said) && said.length > 0 && said.every((value) => values.includes(String(value)));
  if (narrow && required.includes(property)) return undefined;
  const base = omit(known ?? {}, "enum", "const", "default");
  const [only] = values;
  const choice = values.length === 1 ? { const: only } : { enum: values };
  const tag = narrow && known !== undefined ? known : ordered({ type: "string", ...base, ...choice });
  if (!isPlainObject(branch)) {
    return { allOf: [branch, { type: "object", properties: { [property]: tag }, required: [property] }] };
  }
  return ordered({
    ...branch,
    type: "object",
    properties: { ...toObject(branch["properties"]), [property]: tag },
    required: required.includes(property) ? required : [...required, property],
  });
}

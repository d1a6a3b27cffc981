/**
 * Raw schemas to the representation's (rule M9), for one direction: input leaves out what only a server may write,
 * output what only a client may. References stay references, to be inlined or shared when a tool is put together, so a
 * component is brought into form once however many operations use it.
 */
import type { Schema } from "../ir.ts";
import { isObject, omit, toList, toObject, toStrings } from "../json.ts";
import type { Refs } from "../refs.ts";
import { sha256 } from "../sha256.ts";
import { Skip } from "../skip.ts";
import { isUnion, readDiscriminator, tagBranch, valuesOf, withoutChoice, type Discriminator } from "./discriminator.ts";
import { infer, isDescription, isPattern, plainKeywords, withNull } from "./keywords.ts";
import { isPlainObject, mergeParts } from "./merge.ts";
import { ordered } from "./walk.ts";

/** Which way a schema's values travel. */
export type Direction = "input" | "output";

/** The schemas of one document in one direction. */
export interface Schemas {
  /** The schema in normal form; its `$ref`s name components. @throws {Skip} */
  normalise(raw: unknown): Schema;
  /** A component in normal form, by the name a `$ref` gave. @throws {Skip} */
  component(id: string): Schema;
  /** The schema with references at its root followed, siblings joined in. */
  expand(schema: Schema): Schema;
  /** The component an id finally stands for: one that is no more than a reference to another is that other. */
  canonical(id: string): string;
}

const MAX_COMPOSITION = 50;
const MAX_LEVELS = 400;
const NOTHING: ReadonlySet<string> = new Set();

/** Separates a pointer from what was done to its schema, in the id of a derived component. */
export const DERIVED = "\n";

/** Creates the schemas of a document; everything computed is remembered. */
export function createSchemas(refs: Refs, direction: Direction): Schemas {
  const components = new Map<string, Schema>();
  const derived = new Map<string, () => Schema>();
  /** Properties that were left out of a schema: no other part of it may require them. */
  const removals = new WeakMap<Schema, ReadonlySet<string>>();
  const composed = new WeakMap<Schema, string>();
  const busy: string[] = [];
  let level = 0;
  const flag = direction === "input" ? "readOnly" : "writeOnly";

  function component(id: string): Schema {
    const known = components.get(id);
    if (known !== undefined) return known;
    if (busy.includes(id) || busy.length > MAX_COMPOSITION) {
      throw new Skip("unresolvable_ref", `${JSON.stringify(id.split(DERIVED)[0])} is composed of itself`);
    }
    busy.push(id);
    try {
      const schema = (derived.get(id) ?? (() => normalise(refs.follow(id).value)))();
      components.set(id, schema);
      return schema;
    } finally {
      busy.pop();
    }
  }

  /** A component made from another one when somebody asks for it. */
  function derive(pointer: string, how: string, make: () => Schema): string {
    const id = `${pointer}${DERIVED}${how}`;
    if (!derived.has(id)) derived.set(id, make);
    return id;
  }

  /** Counts its own recursion: compositions of compositions are as deep as a document likes. */
  function normalise(raw: unknown): Schema {
    if (level >= MAX_LEVELS) throw new Skip("unresolvable_ref", "a schema is composed too many levels deep");
    level++;
    try {
      return toNormal(raw);
    } finally {
      level--;
    }
  }

  function toNormal(raw: unknown): Schema {
    if (raw === false) return { not: {} };
    if (!isObject(raw)) return {};
    if (typeof raw["$ref"] === "string") return reference(raw, raw["$ref"]);
    const discriminator = readDiscriminator(raw, refs);
    const union = isUnion(raw);
    if (discriminator !== undefined && !union && discriminator.mapped.size > 0) return subtypes(raw, discriminator);
    const { schema, removed } = own(raw, union ? discriminator : undefined);
    const parts = toList(raw["allOf"]).map(part);
    let out = schema;
    if (parts.length > 0) {
      const all = Object.keys(schema).length === 0 ? parts : [...parts, schema];
      for (const each of parts) for (const name of removals.get(each) ?? NOTHING) removed.add(name);
      out = without(mergeParts(all), removed);
    }
    if (raw["nullable"] === true || raw["x-nullable"] === true) out = withNull(out);
    out = ordered(out);
    if (removed.size > 0) removals.set(out, removed);
    return out;
  }

  function reference(raw: Schema, ref: string): Schema {
    const { pointer } = refs.follow(ref);
    const siblings = refs.siblings ? normalise(omit(raw, "$ref", "$defs", "$id", "$schema")) : {};
    return { $ref: pointer, ...siblings };
  }

  /** Everything of a schema but its `allOf` and its nullability. */
  function own(raw: Schema, discriminator: Discriminator | undefined): { schema: Schema; removed: Set<string> } {
    const out: Record<string, unknown> = plainKeywords(raw);
    const removed = new Set<string>();
    const properties = Object.entries(toObject(raw["properties"])).filter(([name, value]) => {
      if (isHidden(value, 0)) removed.add(name);
      return !removed.has(name);
    });
    if (isObject(raw["properties"]) && (properties.length > 0 || removed.size === 0)) {
      out["properties"] = Object.fromEntries(properties.map(([name, value]) => [name, nested(value)]));
    }
    const patterns = Object.entries(toObject(raw["patternProperties"])).filter(([pattern]) => isPattern(pattern));
    if (patterns.length > 0) {
      out["patternProperties"] = Object.fromEntries(patterns.map(([name, value]) => [name, nested(value)]));
    }
    const additional = raw["additionalProperties"];
    if (typeof additional === "boolean") out["additionalProperties"] = additional;
    else if (isObject(additional)) out["additionalProperties"] = nested(additional);
    for (const keyword of ["oneOf", "anyOf"]) {
      const branches = toList(raw[keyword]);
      if (branches.length > 0) out[keyword] = branches.map((branch) => tagged(nested(branch), discriminator));
    }
    if (isObject(raw["not"])) out["not"] = nested(raw["not"]);
    const tuple = Array.isArray(raw["items"]) ? raw["items"] : toList(raw["prefixItems"]);
    if (tuple.length > 0) out["prefixItems"] = tuple.map(nested);
    if (isObject(raw["items"])) out["items"] = nested(raw["items"]);
    infer(out, toList(raw["allOf"]).length > 0);
    return { schema: without(out, removed), removed };
  }

  /**
   * A schema inside another. An `allOf` in there is put together only when somebody asks for it: a type may well have
   * a property that is composed of the type itself.
   */
  function nested(raw: unknown): Schema {
    if (!isObject(raw) || typeof raw["$ref"] === "string") return normalise(raw);
    const parts = toList(raw["allOf"]);
    if (parts.length === 0) return normalise(raw);
    const annotated = asAnnotatedReference(raw, parts);
    if (annotated !== undefined) return annotated;
    let id = composed.get(raw);
    if (id === undefined) {
      const stem = parts.find((each) => isObject(each) && typeof each["$ref"] === "string");
      const pointer = isObject(stem) ? String(stem["$ref"]) : "#/allOf";
      id = derive(pointer, `allOf=${sha256(JSON.stringify(raw))}`, () => normalise(raw));
      composed.set(raw, id);
    }
    return { $ref: id };
  }

  /** An `allOf` that only describes one reference: how 3.0 documents put a description beside a `$ref`. */
  function asAnnotatedReference(raw: Schema, parts: readonly unknown[]): Schema | undefined {
    const all = [...parts.filter(isObject), omit(raw, "allOf")];
    const references = all.filter((each) => typeof each["$ref"] === "string");
    const others = all.filter((each) => typeof each["$ref"] !== "string");
    const [reference] = references;
    if (reference === undefined || references.length > 1 || !others.every(isDescription)) return undefined;
    const schema: Schema = Object.assign({ ...normalise(reference) }, ...others.map(plainKeywords));
    return raw["nullable"] === true || raw["x-nullable"] === true ? withNull(schema) : schema;
  }

  function tagged(branch: Schema, discriminator: Discriminator | undefined): Schema {
    const pointer = branch["$ref"];
    if (discriminator === undefined || typeof pointer !== "string") return branch;
    const { property } = discriminator;
    return { ...branch, $ref: tag(pointer, pointer, property, valuesOf(discriminator, pointer)) };
  }

  /** The id of the schema at `source`, its discriminator property fixed. */
  function tag(pointer: string, source: string, property: string, values: readonly string[]): string {
    return derive(source, `${property}=${JSON.stringify(values)}`, () => {
      const branch = expand({ $ref: source });
      if (removals.get(branch)?.has(property) === true) return { $ref: pointer };
      const known = toObject(branch["properties"])[property];
      const result = tagBranch(branch, isObject(known) ? expand(known) : undefined, property, values);
      return result ?? { $ref: source };
    });
  }

  /** A base type that names its subtypes is any of them. Each is taken without its own subtypes. */
  function subtypes(raw: Schema, { property, mapped }: Discriminator): Schema {
    const branches = [...mapped].map(([pointer, values]) => ({
      $ref: tag(pointer, baseOf(pointer), property, values),
    }));
    const { description } = plainKeywords(raw);
    const choice: Schema = description === undefined ? { anyOf: branches } : { anyOf: branches, description };
    return raw["nullable"] === true ? withNull(choice) : choice;
  }

  /** The id of a schema taken for its own properties alone, without the choice of subtypes it announces. */
  function baseOf(pointer: string): string {
    return derive(pointer, "base", () => {
      const { value } = refs.follow(pointer);
      return normalise(isObject(value) ? withoutChoice(value) : value);
    });
  }

  /** One part of an `allOf`: a plain object is opened, so that it can be merged; anything else stays a reference. */
  function part(raw: unknown): Schema {
    const inline = isObject(raw) && typeof raw["$ref"] !== "string" && !isUnion(raw);
    const schema = normalise(inline ? withoutChoice(raw) : raw);
    const pointer = schema["$ref"];
    if (typeof pointer !== "string") return schema;
    const lent = isBaseOfBusy(pointer) ? baseOf(pointer) : pointer;
    const opened = expand({ ...schema, $ref: lent });
    return isPlainObject(opened) || lent !== pointer ? opened : schema;
  }

  /** Whether a subtype that is being composed right now names the schema it is itself a choice of. */
  function isBaseOfBusy(pointer: string): boolean {
    const { value } = refs.follow(pointer);
    if (!isObject(value)) return false;
    const branches = [...toList(value["oneOf"]), ...toList(value["anyOf"])];
    if (branches.length === 0) return (readDiscriminator(value, refs)?.mapped.size ?? 0) > 0;
    return branches.some((branch) => {
      if (!isObject(branch) || typeof branch["$ref"] !== "string") return false;
      const target = refs.follow(branch["$ref"]).pointer;
      return busy.some((id) => id.split(DERIVED)[0] === target);
    });
  }

  function canonical(id: string): string {
    let out = id;
    for (let hops = 0; out.includes(DERIVED) && hops < MAX_COMPOSITION; hops++) {
      const { $ref: next, ...siblings } = component(out);
      if (typeof next !== "string" || Object.keys(siblings).length > 0) break;
      out = next;
    }
    return out;
  }

  function expand(schema: Schema): Schema {
    let out = schema;
    for (let hops = 0; typeof out["$ref"] === "string" && hops < MAX_COMPOSITION; hops++) {
      const target = component(out["$ref"]);
      const siblings = omit(out, "$ref");
      if (Object.keys(siblings).length === 0) out = target;
      else {
        const joined = mergeParts([target, siblings]);
        const removed = removals.get(target);
        if (removed !== undefined) removals.set(joined, removed);
        out = joined;
      }
    }
    return out;
  }

  /** Whether a property is left out: marked itself, behind a reference, or in a part of an `allOf`. */
  function isHidden(raw: unknown, depth: number): boolean {
    if (!isObject(raw) || depth > MAX_COMPOSITION) return false;
    if (typeof raw["$ref"] === "string") {
      if (refs.siblings && raw[flag] === true) return true;
      return isHidden(refs.follow(raw["$ref"]).value, depth + 1);
    }
    return raw[flag] === true || toList(raw["allOf"]).some((each) => isHidden(each, depth + 1));
  }

  return { normalise, component, expand, canonical };
}

/** The schema with the named properties no longer required. */
function without(schema: Schema, names: ReadonlySet<string>): Schema {
  if (names.size === 0 || schema["required"] === undefined) return schema;
  const required = toStrings(schema["required"]).filter((name) => !names.has(name));
  return required.length > 0 ? { ...schema, required } : omit(schema, "required");
}

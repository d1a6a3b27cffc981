/**
 * Arguments against an operation's input schema (rule M15): all problems at once, each with its path and what would be
 * accepted. Formats and patterns are notes and not checks; the API itself is the judge of a date.
 */
import { Validator, type OutputUnit } from "@cfworker/json-schema";

import { coerce } from "./coerce.ts";
import { isTooDeep, MAX_DEPTH } from "./depth.ts";
import type { Operation, Schema } from "./ir.ts";
import { isObject, omit, toList, toObject, toStrings, type Json } from "./json.ts";
import { mapParts } from "./schema/walk.ts";

/** One thing wrong with the arguments: where, as `filter.tags[2]`, and what to do about it. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export type ArgumentsResult =
  | { readonly ok: true; readonly arguments: Json }
  | { readonly ok: false; readonly problems: readonly Problem[] };

const MAX_PROBLEMS = 20;

/** What is checked against: an operation, or a tool of another kind that takes arguments. */
export type Checked = Pick<Operation, "name" | "inputSchema" | "completeSchema" | "parameters" | "body">;

/** By schema, so that a copy of an operation, with other credentials, shares what was built for it. */
const validators = new WeakMap<Schema, Validator>();

/** Checks a call's arguments and brings them into the form the request is built from. */
export function readArguments(operation: Checked, input: unknown): ArgumentsResult {
  if (input !== undefined && !isObject(input)) {
    return { ok: false, problems: [{ path: "", message: "arguments have to be one JSON object" }] };
  }
  if (isTooDeep(input)) {
    return { ok: false, problems: [{ path: "", message: `is nested more than ${MAX_DEPTH} levels deep` }] };
  }
  const schema = operation.completeSchema ?? operation.inputSchema;
  const properties = toObject(schema["properties"]);
  const unknown = Object.keys(input ?? {}).filter((key) => !Object.hasOwn(properties, key));
  const known = omit(dropNulls(operation, input ?? {}), ...unknown);
  const values = toObject(coerce(known, schema, toObject(schema["$defs"])));
  const accepted = Object.keys(properties).join(", ") || "none";
  const problems = unknown.map((key) => ({
    path: key,
    message: `is not an argument of ${operation.name}; accepted: ${accepted}`,
  }));
  problems.push(...checkAgainst(schema, values));
  return problems.length === 0
    ? { ok: true, arguments: values }
    : { ok: false, problems: problems.slice(0, MAX_PROBLEMS) };
}

/** A null for an optional parameter is no value at all. In a JSON body it is one, and stays. */
function dropNulls(operation: Checked, input: Json): Json {
  const dropped = operation.parameters.filter((plan) => plan.required !== true).map((plan) => plan.key);
  const form = operation.body?.format === "form" || operation.body?.format === "multipart";
  const required = toStrings(operation.inputSchema["required"]);
  const fields = form ? (operation.body?.flat ?? []).filter((name) => !required.includes(name)) : [];
  const optional = new Set([...dropped, ...fields]);
  const isGiven = ([key, value]: [string, unknown]): boolean =>
    value !== undefined && (value !== null || !optional.has(key));
  return Object.fromEntries(Object.entries(input).filter(isGiven));
}

/** Every problem of a value with a schema, without a change to either. */
export function checkAgainst(schema: Schema, values: Json): Problem[] {
  let validator = validators.get(schema);
  if (validator === undefined) {
    validator = toValidator(schema);
    validators.set(schema, validator);
  }
  let result: ReturnType<Validator["validate"]>;
  try {
    result = validator.validate(toNumbers(values));
  } catch (error) {
    return [{ path: "", message: `could not be checked: ${error instanceof Error ? error.message : String(error)}` }];
  }
  return result.valid ? [] : toProblems(result.errors);
}

/**
 * A copy the validator may annotate, less strict in three places. `format` and patterns decide nothing: the API is the
 * better judge, and a document's regular expression may take for ever on a text somebody else wrote. `oneOf` asks for one
 * branch at least: documents overlap their branches all the time, and which one was meant is the API's to say.
 */
function lenient(schema: Schema): Schema {
  const patterned = schema["patternProperties"] !== undefined;
  const { oneOf, anyOf, ...rest } = omit(
    schema,
    "format",
    "pattern",
    "patternProperties",
    ...(patterned ? ["additionalProperties"] : []),
  );
  const unions = [oneOf, anyOf].filter((union) => union !== undefined);
  const [only] = unions;
  const choice =
    unions.length > 1
      ? { allOf: [...toList(rest["allOf"]), ...unions.map((union) => ({ anyOf: union }))] }
      : { anyOf: only };
  return mapParts({ ...rest, ...(only === undefined ? {} : choice) }, lenient);
}

function toValidator(schema: Schema): Validator {
  const definitions = Object.entries(toObject(schema["$defs"])).map(([name, part]) => [name, lenient(toObject(part))]);
  return new Validator({ ...lenient(omit(schema, "$defs")), $defs: Object.fromEntries(definitions) }, "2020-12", false);
}

function toNumbers(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(toNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, toNumbers(member)]));
}

/** Keywords that only say that something below them failed. */
const WRAPPERS: ReadonlySet<string> = new Set([
  "properties",
  "items",
  "prefixItems",
  "$ref",
  "allOf",
  "additionalProperties",
]);

function toProblems(errors: readonly OutputUnit[]): Problem[] {
  const unions = errors.filter(({ keyword }) => keyword === "anyOf");
  const problems = new Map<string, Problem>();
  for (const { keyword, instanceLocation, keywordLocation, error } of errors) {
    if (WRAPPERS.has(keyword)) continue;
    // Of a union only the union itself is told: its branches contradict each other.
    const inside = unions.some((union) =>
      keyword === "false"
        ? instanceLocation.startsWith(`${union.instanceLocation}/`)
        : keywordLocation.startsWith(`${union.keywordLocation}/`),
    );
    if (inside) continue;
    const path = toPath(instanceLocation);
    problems.set(`${path} ${error}`, { path, message: reword(keyword, error) });
  }
  return [...problems.values()];
}

function toPath(location: string): string {
  return location
    .replace(/^#\/?/, "")
    .split("/")
    .filter((token) => token !== "")
    .map((token) => decodeToken(token))
    .reduce(
      (path, token) => (/^\d+$/.test(token) ? `${path}[${token}]` : path === "" ? token : `${path}.${token}`),
      "",
    );
}

function decodeToken(token: string): string {
  try {
    return decodeURIComponent(token).replaceAll("~1", "/").replaceAll("~0", "~");
  } catch {
    return token;
  }
}

function reword(keyword: string, error: string): string {
  if (keyword === "false") return "is not a known property";
  if (keyword === "anyOf") return "fits none of the alternatives";
  return error
    .replace(
      /^Instance type "(\w+)" is invalid\. Expected "(.*)"\.$/,
      (_, actual: string, wanted: string) => `is ${actual}; expected ${wanted.replaceAll('", "', " or ")}`,
    )
    .replace(/^Instance does not have required property "(.*)"\.$/, 'lacks "$1"')
    .replace(/^Instance does not match any of /, "is none of ")
    .replace(/^Instance does not match /, "has to be ");
}

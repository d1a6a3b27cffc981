/**
 * A skill's input against its JSON Schema: every problem at once. What would let a schema run for ever on the server
 * (references, comparisons of every item with every other) is refused when it is saved; patterns and formats are notes,
 * as they are for the operations of an API.
 */
import { isObject } from "../openapi/json.ts";
import { checkAgainst, type Problem } from "../openapi/validate.ts";

/** Longest input of a run, in characters of JSON. */
const MAX_INPUT_LENGTH = 1024 * 1024;

/** Keywords that are not read, with what to do instead. */
const REFUSED: Readonly<Record<string, string>> = {
  $ref: "write the schema out where it is used; references are not read",
  $dynamicRef: "write the schema out where it is used; references are not read",
  $recursiveRef: "write the schema out where it is used; references are not read",
  uniqueItems: "check in main.ts that items differ",
};

interface SchemaProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** What is wrong with the schema itself; nothing when there is none. */
export function inputSchemaProblems(schema: Readonly<Record<string, unknown>> | undefined): SchemaProblem[] {
  if (schema === undefined) return [];
  const problems: SchemaProblem[] = [];
  if (schema["type"] !== "object")
    problems.push({ path: ["type"], message: 'an input is one JSON object: "type: object"' });
  const visit = (value: unknown, path: readonly PropertyKey[]): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries(value)) {
      const message = Array.isArray(value) || isName(path) ? undefined : REFUSED[key];
      if (message !== undefined) problems.push({ path: [...path, key], message });
      if (!DATA.has(key) || isName(path)) visit(part, [...path, key]);
    }
  };
  visit(schema, []);
  return problems;
}

/** Keywords whose values are data, in which a key means nothing. */
const DATA: ReadonlySet<string> = new Set(["const", "default", "enum", "examples"]);

/** Whether the keys at this path are names of properties and no keywords. */
function isName(path: readonly PropertyKey[]): boolean {
  const last = path.at(-1);
  return (last === "properties" || last === "$defs" || last === "patternProperties") && !isName(path.slice(0, -1));
}

export type InputResult =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Checks an input and gives its JSON text. Without a schema, any JSON object or none will do. */
export function readInput(schema: Readonly<Record<string, unknown>> | undefined, input: unknown): InputResult {
  const value = input ?? {};
  const fail = (message: string): InputResult => ({ ok: false, problems: [{ path: "", message }] });
  if (!isObject(value)) return fail("has to be one JSON object");
  const json = JSON.stringify(value);
  if (json.length > MAX_INPUT_LENGTH) return fail(`is longer than ${MAX_INPUT_LENGTH} characters of JSON`);
  const problems = schema === undefined ? [] : checkAgainst(schema, value);
  return problems.length === 0 ? { ok: true, json } : { ok: false, problems };
}

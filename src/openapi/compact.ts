/**
 * An operation's input and result on one line, for a list of hits: required things first, what is deep or long as `…`.
 * It says whether an operation is the right one; the card says how to call it.
 */
import { BODY_KEY, type Operation, type ParameterPlace, type Schema } from "./ir.ts";
import { isObject, toList, toObject, toStrings } from "./json.ts";
import { definitionName } from "./schema/walk.ts";
import { literal, propertyName } from "./typescript.ts";

const MAX_PROPERTIES = 8;
const MAX_LITERALS = 4;
const MAX_DEPTH = 2;

const PLACES: readonly ParameterPlace[] = ["path", "query", "querystring", "header", "cookie"];

/** `(path: { id: string }, body: { name: string; … }) → { id: string; … }[]` */
export function toCompactSignature(operation: Operation): string {
  return `${toCompactInput(operation)} → ${toCompactResult(operation)}`;
}

/** What a request takes, by place and wire name. */
export function toCompactInput(operation: Operation): string {
  const schema = operation.completeSchema ?? operation.inputSchema;
  const properties = toObject(schema["properties"]);
  const parts: string[] = [];
  for (const place of PLACES) {
    const plans = operation.parameters.filter((plan) => plan.in === place && plan.key !== undefined);
    if (plans.length === 0) continue;
    const members = plans.map((plan): Member => ({
      name: plan.name,
      isRequired: plan.required === true,
      schema: toObject(properties[plan.key ?? ""]),
    }));
    parts.push(`${place}: ${object(members, schema, 1)}`);
  }
  if (operation.body !== undefined) parts.push(`body: ${compactBody(operation, properties, schema)}`);
  return `(${parts.join(", ")})`;
}

/** What the answer of the first success is. */
export function toCompactResult({ output }: Operation): string {
  if (output?.schema !== undefined) return compact(output.schema, output.schema, 0);
  return output?.mediaType ?? "nothing";
}

function compactBody({ body }: Operation, properties: Schema, root: Schema): string {
  const type =
    body?.flat === undefined
      ? compact(toObject(properties[BODY_KEY]), root, 0)
      : object(
          body.flat.map((name) => ({
            name,
            isRequired: toStrings(root["required"]).includes(name),
            schema: toObject(properties[name]),
          })),
          root,
          1,
        );
  return body?.format === "json" ? type : `${type} as ${body?.mediaType ?? ""}`;
}

interface Member {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

function object(members: readonly Member[], root: Schema, depth: number): string {
  const sorted = members.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
  const required = sorted.filter(({ isRequired }) => isRequired).length;
  const shown = sorted.slice(0, Math.max(MAX_PROPERTIES, Math.min(required, 2 * MAX_PROPERTIES)));
  const texts = shown.map(
    ({ name, isRequired, schema }) => `${propertyName(name)}${isRequired ? "" : "?"}: ${compact(schema, root, depth)}`,
  );
  if (shown.length < members.length) texts.push("…");
  return texts.length === 0 ? "{}" : `{ ${texts.join("; ")} }`;
}

function compact(schema: Schema, root: Schema, depth: number): string {
  const name = definitionName(schema);
  if (name !== undefined)
    return depth >= MAX_DEPTH ? "{…}" : compact(toObject(toObject(root["$defs"])[name]), root, depth + 1);
  if (schema["const"] !== undefined) return literal(schema["const"]);
  const values = toList(schema["enum"]);
  if (values.length > 0) {
    const shown = values.slice(0, MAX_LITERALS).map(literal).join(" | ");
    return values.length > MAX_LITERALS ? `${shown} | …` : shown;
  }
  const branches = [...toList(schema["oneOf"]), ...toList(schema["anyOf"])].filter(isObject);
  if (branches.length > 0) {
    const types = [...new Set(branches.map((branch) => compact(branch, root, depth + 1)))];
    return types.length > 2 ? `${types[0] ?? ""} | …` : types.join(" | ");
  }
  const part = toList(schema["allOf"]).find(isObject);
  if (part !== undefined) return compact(part, root, depth);
  const type = toStrings([schema["type"]].flat()).filter((each) => each !== "null");
  if (type.includes("array")) return `${list(compact(toObject(schema["items"]), root, depth))}[]`;
  const properties = Object.entries(toObject(schema["properties"]));
  if (properties.length > 0) {
    if (depth >= MAX_DEPTH) return "{…}";
    const required = toStrings(schema["required"]);
    const members = properties.map(([key, value]): Member => ({
      name: key,
      isRequired: required.includes(key),
      schema: toObject(value),
    }));
    return object(members, root, depth + 1);
  }
  if (type.includes("object")) return "{…}";
  return type.map((each) => (each === "integer" ? "number" : each)).join(" | ") || "unknown";
}

function list(type: string): string {
  return /[|]/.test(type) && !type.startsWith("{") ? `(${type})` : type;
}

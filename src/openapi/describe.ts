/**
 * An operation in words a model can program against (rule M17): method and URL, the type of every part of the request
 * under its name on the wire, one `fetch` that was really built, credentials by name and place, pages, the answer.
 */
import type { Operation, ParameterPlace, Schema } from "./ir.ts";
import { isObject, toObject, toStrings } from "./json.ts";
import { buildRequest } from "./request.ts";
import { sampleArguments } from "./sample.ts";
import { cleanText } from "./text.ts";
import { propertyName, toDeclarations, toType } from "./typescript.ts";

const PLACES: readonly ParameterPlace[] = ["path", "query", "querystring", "header", "cookie"];

/** One line: `shop.list_bins GET /bins — List all bins`. */
export function toHeadline(
  api: string,
  { name, method, path, title }: Pick<Operation, "name" | "method" | "path"> & { readonly title?: string },
): string {
  return `${api}.${name} ${method} ${path}${title === undefined || title === "" ? "" : ` — ${title}`}`;
}

/** The types of a request's parts, by wire names, and of its answer. */
export function toSignature(operation: Operation): string {
  const schema = operation.completeSchema ?? operation.inputSchema;
  const properties = toObject(schema["properties"]);
  const required = toStrings(schema["required"]);
  const lines: string[] = [];
  for (const place of PLACES) {
    const plans = operation.parameters.filter((plan) => plan.in === place && plan.key !== undefined);
    if (plans.length === 0) continue;
    const members = plans.map(
      (plan) =>
        `${propertyName(plan.name)}${plan.required === true ? "" : "?"}: ${toType(toObject(properties[plan.key ?? ""]))}`,
    );
    lines.push(`${place}: { ${members.join("; ")} }`);
  }
  if (operation.body !== undefined)
    lines.push(`body: ${bodyType(operation, properties, required)} // ${operation.body.mediaType}`);
  const { output } = operation;
  if (output !== undefined) {
    const type = output.schema === undefined ? "" : ` ${toType(output.schema)}`;
    const kind = output.mediaType === undefined ? "" : ` // ${output.mediaType}`;
    lines.push(`returns: ${output.status}${type}${kind}`);
  }
  return [...lines, ...toDeclarations(schema), ...toDeclarations(output?.schema ?? {})].join("\n");
}

function bodyType(operation: Operation, properties: Schema, required: readonly string[]): string {
  const flat = operation.body?.flat;
  if (flat === undefined) return toType(toObject(properties["body"]));
  const own = Object.fromEntries(flat.map((name) => [name, properties[name]]));
  return toType({ type: "object", properties: own, required: required.filter((name) => flat.includes(name)) });
}

/** The whole card as text. */
export function toCardText(api: string, operation: Operation): string {
  const credentials = operation.security.map(
    (use) => `${use.placeholders.join(" and ")} (${use.kind === "apiKey" ? `${use.in} ${use.name}` : use.kind})`,
  );
  const alternatives = operation.body?.alternatives ?? [];
  return [
    toHeadline(api, { name: operation.name, method: operation.method, path: operation.path }),
    cleanText(operation.description),
    toSignature(operation),
    isShortened(operation) || operation.output?.truncated === true
      ? "(Types are shortened: `unknown` and open records stand for more.)"
      : "",
    alternatives.length > 0 ? `Other body types: ${alternatives.join(", ")}` : "",
    credentials.length > 0 ? `Credentials, written by name: ${credentials.join("; ")}` : "",
    toExample(operation),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

function isShortened({ truncated, completeSchema }: Operation): boolean {
  return truncated === true && completeSchema === undefined;
}

/** A `fetch` call with the smallest arguments; empty when no small arguments are found. */
export function toExample(operation: Operation): string {
  const built = buildRequest(operation, sampleArguments(operation.completeSchema ?? operation.inputSchema));
  if (!built.ok) return "";
  const { method, url, headers, body } = built.request;
  const text = typeof body === "string" ? body : body === undefined ? undefined : "…";
  const init = [
    method === "GET" ? "" : `  method: ${JSON.stringify(method)},`,
    headers.length === 0
      ? ""
      : `  headers: { ${headers.map(([name, value]) => `${propertyName(name)}: ${JSON.stringify(value)}`).join(", ")} },`,
    text === undefined ? "" : `  body: ${isJsonObject(text) ? `JSON.stringify(${text})` : JSON.stringify(text)},`,
  ].filter((line) => line !== "");
  const options = init.length === 0 ? "" : `, {\n${init.join("\n")}\n}`;
  return `const response = await fetch(${JSON.stringify(url)}${options});`;
}

function isJsonObject(text: string): boolean {
  try {
    return isObject(JSON.parse(text));
  } catch {
    return false;
  }
}

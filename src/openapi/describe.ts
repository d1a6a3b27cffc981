/**
 * An operation in words a model can program against (rule M17): method and URL, the type of every part of the request
 * under its name on the wire, one `fetch` that was really built, credentials by name and place, pages, the answer.
 */
import { toCompactSignature } from "./compact.ts";
import { BODY_KEY, type Operation, type ParameterPlace, type Schema } from "./ir.ts";
import { isObject, toObject, toStrings } from "./json.ts";
import { toPaginationLoop } from "./pagination-loop.ts";
import { buildRequest } from "./request.ts";
import { sampleArguments } from "./sample.ts";
import { cleanText } from "./text.ts";
import { propertyName, toDeclarations, toType, type TypeStyle } from "./typescript.ts";

const PLACES: readonly ParameterPlace[] = ["path", "query", "querystring", "header", "cookie"];

/** One line: `shop.list_bins GET /bins — List all bins`. */
export function toHeadline(
  api: string,
  { name, method, path, title }: Pick<Operation, "name" | "method" | "path"> & { readonly title?: string },
): string {
  return `${api}.${name} ${method} ${path}${title === undefined || title === "" ? "" : ` — ${title}`}`;
}

/** The types of a request's parts, by wire names, and of its answer. */
export function toSignature(operation: Operation, style: TypeStyle = {}): string {
  const schema = operation.completeSchema ?? operation.inputSchema;
  const properties = toObject(schema["properties"]);
  const required = toStrings(schema["required"]);
  const lines: string[] = [];
  for (const place of PLACES) {
    const plans = operation.parameters.filter((plan) => plan.in === place && plan.key !== undefined);
    if (plans.length === 0) continue;
    const members = plans.map(
      (plan) =>
        `${propertyName(plan.name)}${plan.required === true ? "" : "?"}: ${toType(toObject(properties[plan.key ?? ""]), style)}`,
    );
    lines.push(`${place}: { ${members.join("; ")} }`);
  }
  if (operation.body !== undefined)
    lines.push(`body: ${bodyType(operation, properties, required, style)} // ${operation.body.mediaType}`);
  const { output } = operation;
  if (output !== undefined) {
    const type = output.schema === undefined ? "" : ` ${toType(output.schema, style)}`;
    const kind = output.mediaType === undefined ? "" : ` // ${output.mediaType}`;
    lines.push(`returns: ${output.status}${type}${kind}`);
  }
  return [...lines, ...toDeclarations(schema, style), ...toDeclarations(output?.schema ?? {}, style)].join("\n");
}

function bodyType(operation: Operation, properties: Schema, required: readonly string[], style: TypeStyle): string {
  const flat = operation.body?.flat;
  if (flat === undefined) return toType(toObject(properties[BODY_KEY]), style);
  const own = Object.fromEntries(flat.map((name) => [name, properties[name]]));
  return toType({ type: "object", properties: own, required: required.filter((name) => flat.includes(name)) }, style);
}

/** From everything to little: what is tried, in this order, when a card has to be short. */
const STYLES: readonly TypeStyle[] = [
  {},
  { notes: false },
  { notes: false, depth: 4 },
  { notes: false, depth: 3 },
  { notes: false, depth: 2 },
  { notes: false, depth: 1 },
];

/** The whole card as text, its types as deep as `fits` lets them be. */
export function toCardText(api: string, operation: Operation, fits: (text: string) => boolean = () => true): string {
  for (const style of STYLES) {
    const text = writeCard(api, operation, style);
    if (fits(text)) return text;
  }
  return toShortCard(api, operation);
}

/** What is left when even flat types are too long: what one line says, and the example. */
function toShortCard(api: string, operation: Operation): string {
  const notes = ["(Types are too long to be shown; this is their outline.)", toCompactSignature(operation)];
  return [toHeadline(api, operation), ...notes, toCredentialText(operation), toExample(operation)]
    .filter((part) => part !== "")
    .join("\n\n");
}

function writeCard(api: string, operation: Operation, style: TypeStyle): string {
  const alternatives = operation.body?.alternatives ?? [];
  const isCut = isShortened(operation) || operation.output?.truncated === true || style.depth !== undefined;
  const loop = toPaginationLoop(operation);
  return [
    toHeadline(api, { name: operation.name, method: operation.method, path: operation.path }),
    cleanText(operation.description),
    toSignature(operation, style),
    isCut ? "(Types are shortened: `unknown`, `object` and open records stand for more.)" : "",
    alternatives.length > 0 ? `Other body types: ${alternatives.join(", ")}` : "",
    toCredentialText(operation),
    toExample(operation),
    loop === "" ? "" : `All pages:\n${loop}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** The credentials of a request by name and place; empty when it takes none. */
export function toCredentialText({ security }: Operation): string {
  const uses = security.map(
    (use) => `${use.placeholders.join(" and ")} (${use.kind === "apiKey" ? `${use.in} ${use.name}` : use.kind})`,
  );
  return uses.length === 0 ? "" : `Credentials, written by name: ${uses.join("; ")}`;
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

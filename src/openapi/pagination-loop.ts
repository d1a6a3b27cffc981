/**
 * The loop that reads all pages of an operation's answer (rule M14), as code to be copied: it goes on as the API says,
 * and stops when there is no more. Empty when the answer does not say how.
 */
import type { Operation, Schema } from "./ir.ts";
import { isObject, toObject, toStrings } from "./json.ts";
import { buildRequest } from "./request.ts";
import { sampleArguments } from "./sample.ts";
import { definitionName } from "./schema/walk.ts";
import { propertyName } from "./typescript.ts";

/** The loop as lines of code. */
export function toPaginationLoop(operation: Operation): string {
  const { pagination } = operation;
  const built = buildRequest(operation, sampleArguments(operation.completeSchema ?? operation.inputSchema));
  if (pagination === undefined || operation.method !== "GET" || !built.ok) return "";
  const { url, headers } = built.request;
  const members = headers.map(([name, value]) => `${propertyName(name)}: ${JSON.stringify(value)}`);
  const init = members.length === 0 ? "" : `, { headers: { ${members.join(", ")} } }`;
  const items = itemsOf(operation.output?.schema ?? {});
  const name = operation.parameters.find(({ key }) => key === pagination.parameter)?.name;
  const set = name === undefined ? "" : `url.searchParams.set(${JSON.stringify(name)}, `;
  const start = [`const all = [];`, `const url = new URL(${JSON.stringify(url)});`];
  const read = [`  const page = await response.json();`, `  all.push(...page${items});`];
  if (pagination.style === "link") {
    return [
      `const all = [];`,
      `for (let next = ${JSON.stringify(url)}; next; ) {`,
      `  const response = await fetch(next${init});`,
      ...read,
      `  next = /<([^>]+)>; *rel="next"/.exec(response.headers.get("link") ?? "")?.[1];`,
      `}`,
    ].join("\n");
  }
  if (set === "") return "";
  if (pagination.style === "cursor") {
    if (pagination.next === undefined) return "";
    return [
      ...start,
      `for (let next; ; ) {`,
      `  if (next) ${set}next);`,
      `  const response = await fetch(url${init});`,
      ...read,
      `  next = page${access(pagination.next)};`,
      `  if (!next) break;`,
      `}`,
    ].join("\n");
  }
  const isPage = pagination.style === "page";
  return [
    ...start,
    isPage ? `for (let number = 1; ; number++) {` : `for (;;) {`,
    `  ${set}${isPage ? "number" : "all.length"});`,
    `  const response = await fetch(url${init});`,
    ...read,
    `  if (page${items}.length === 0) break;`,
    `}`,
  ].join("\n");
}

/** How the list of an answer is reached: nothing when the answer is the list. */
function itemsOf(schema: Schema): string {
  const root = follow(schema, schema);
  const entries = Object.entries(toObject(root["properties"])).map(([name, part]): [string, Schema] => [
    name,
    follow(toObject(part), schema),
  ]);
  const list = entries.find(([, part]) => part["type"] === "array" || toStrings(part["type"]).includes("array"));
  return list === undefined ? "" : access(list[0]);
}

function follow(part: Schema, root: Schema): Schema {
  const name = definitionName(part);
  const target = name === undefined ? part : toObject(root["$defs"])[name];
  return isObject(target) ? target : {};
}

function access(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

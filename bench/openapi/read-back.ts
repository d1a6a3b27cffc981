/**
 * Reads a built request back into arguments, by the rules of OpenAPI and RFC 6570 and with none of the code that wrote
 * it: a second opinion on every style. Knows of an operation only what a server knows: names, places, styles, types.
 */
import type { BodyPlan, Operation, ParameterPlan, Schema } from "../../src/openapi/ir.ts";
import { isObject, toList, toObject, toText } from "../../src/openapi/json.ts";
import type { BuiltRequest } from "../../src/openapi/request.ts";

type Pairs = [string, string][];

/** The arguments a server would understand; every plain value as text. */
export async function readBack(operation: Operation, request: BuiltRequest): Promise<Record<string, unknown>> {
  const url = new URL(request.url);
  const properties = toObject(operation.inputSchema["properties"]);
  const schemaOf = (plan: ParameterPlan): Schema =>
    resolve(toObject(properties[plan.key ?? ""]), operation.inputSchema);
  const found: Record<string, unknown> = {};
  const pairs = splitPairs(url.search.slice(1), "&");
  const raw = splitRaw(url.search.slice(1), "&");
  const cookies = splitRaw(header(request, "cookie"), "; ");
  const segments = matchPath(operation, request.url);
  for (const plan of operation.parameters) {
    if (plan.key === undefined) continue;
    const value = readParameter(plan, schemaOf(plan), { pairs, raw, cookies, segments, request });
    if (value !== undefined) found[plan.key] = value;
  }
  if (operation.body !== undefined) Object.assign(found, await readBody(operation, operation.body, request));
  return found;
}

interface Wire {
  readonly pairs: Pairs;
  readonly raw: Pairs;
  readonly cookies: Pairs;
  readonly segments: Readonly<Record<string, string>>;
  readonly request: BuiltRequest;
}

function readParameter(plan: ParameterPlan, schema: Schema, wire: Wire): unknown {
  if (plan.in === "querystring") return Object.fromEntries(wire.pairs);
  if (plan.in === "path") return readPath(plan, schema, wire.segments[plan.name]);
  if (plan.in === "header") {
    const text = header(wire.request, plan.name);
    return text === ""
      ? undefined
      : plan.content === undefined
        ? readList(text, schema, plan.explode, ",", (part) => part)
        : parseJson(text);
  }
  return readQuery(plan, schema, plan.in === "cookie" ? wire.cookies : wire.raw);
}

function readPath(plan: ParameterPlan, schema: Schema, segment: string | undefined): unknown {
  if (segment === undefined) return undefined;
  if (plan.content !== undefined) return parseJson(decodeURIComponent(segment));
  if (plan.style === "label")
    return readList(segment.slice(1), schema, plan.explode, plan.explode ? "." : ",", decodeURIComponent);
  if (plan.style !== "matrix") return readList(segment, schema, plan.explode, ",", decodeURIComponent);
  const parts = splitRaw(segment.slice(1), ";");
  if (!plan.explode) return readList(parts[0]?.[1] ?? "", schema, false, ",", decodeURIComponent);
  if (isType(schema, "array")) return parts.map(([, value]) => decodeURIComponent(value));
  if (isType(schema, "object"))
    return Object.fromEntries(parts.map(([name, value]) => [name, decodeURIComponent(value)]));
  return decodeURIComponent(parts[0]?.[1] ?? "");
}

function readQuery(plan: ParameterPlan, schema: Schema, raw: Pairs): unknown {
  const named = raw.filter(([name]) => decodeURIComponent(name) === plan.name).map(([, value]) => value);
  if (plan.content !== undefined) return named[0] === undefined ? undefined : parseJson(decodeURIComponent(named[0]));
  if (plan.style === "deepObject") return readDeep(plan.name, schema, raw);
  if (plan.explode && isType(schema, "array"))
    return named.length === 0 ? undefined : readItems(named.map(decodeURIComponent), schema);
  if (plan.explode && isType(schema, "object")) {
    const declared = toObject(schema["properties"]);
    const members = raw
      .map(([name, value]) => [decodeURIComponent(name), decodeURIComponent(value)] as const)
      .filter(([name]) => Object.hasOwn(declared, name));
    if (members.length === 0) return undefined;
    return Object.fromEntries(members.map(([name, value]) => [name, /^[{[]/.test(value) ? parseJson(value) : value]));
  }
  const [only] = named;
  if (only === undefined) return undefined;
  const separator = plan.style === "spaceDelimited" ? "%20" : plan.style === "pipeDelimited" ? "%7C" : ",";
  return readList(only, schema, false, separator, decodeURIComponent);
}

function readDeep(name: string, schema: Schema, raw: Pairs): unknown {
  const decoded = raw.map(([key, value]): [string, string] => [decodeURIComponent(key), decodeURIComponent(value)]);
  const mine = decoded.filter(([key]) => key.startsWith(`${name}[`) || key === name);
  if (mine.length === 0) return undefined;
  if (mine[0]?.[0] === name) return mine[0][1];
  const root: Record<string, unknown> = {};
  for (const [key, value] of mine) {
    const path = [...key.slice(name.length).matchAll(/\[([^\]]*)\]/g)].map((match) => match[1] ?? "");
    let node = root;
    path.forEach((part, i) => {
      const at = part === "" ? String(Object.keys(node).length) : part;
      if (i === path.length - 1) node[at] = value;
      else node = (node[at] ??= {}) as Record<string, unknown>;
    });
  }
  return withLists(root);
}

/** Members called 0, 1, 2 … are a list. */
function withLists(value: unknown): unknown {
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  const members = Object.entries(value).map(([key, member]): [string, unknown] => [key, withLists(member)]);
  return keys.every((key, i) => key === String(i)) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

/** Objects in a list have no form of their own: they are JSON. */
function readItems(items: string[], schema: Schema): unknown[] {
  const plain = ["string", "integer", "number", "boolean"].includes(String(toObject(schema["items"])["type"]));
  return items.map((item) => (plain || !/^[{[]/.test(item) ? item : parseJson(item)));
}

function readList(
  text: string,
  schema: Schema,
  explode: boolean,
  separator: string,
  decode: (text: string) => string,
): unknown {
  if (isType(schema, "array")) return text === "" ? [] : text.split(separator).map(decode);
  if (!isType(schema, "object")) return decode(text);
  const parts = text.split(separator);
  if (explode)
    return Object.fromEntries(splitRaw(text, separator).map(([name, value]) => [decode(name), decode(value)]));
  return Object.fromEntries(
    parts.flatMap((part, i) => (i % 2 === 0 ? [[decode(part), decode(parts[i + 1] ?? "")]] : [])),
  );
}

async function readBody(operation: Operation, plan: BodyPlan, request: BuiltRequest): Promise<Record<string, unknown>> {
  if (request.body === undefined) return {};
  const value = await readBodyValue(operation, plan, request);
  return plan.flat === undefined ? { body: value } : toObject(value);
}

async function readBodyValue(operation: Operation, plan: BodyPlan, request: BuiltRequest): Promise<unknown> {
  const { body = "" } = request;
  if (plan.format === "json") return JSON.parse(String(body));
  if (plan.format === "text") return body;
  if (plan.format === "binary") return btoa(String.fromCharCode(...(body as Uint8Array)));
  const schemas = bodySchemas(operation, plan);
  if (plan.format === "multipart") return await readMultipart(request, plan, schemas);
  const raw = splitRaw(String(body), "&");
  const entries = Object.entries(schemas).map(([name, schema]) => {
    const encoding = plan.encoding?.[name];
    const json = encoding?.style === undefined && isType(schema, "object");
    const style = {
      name,
      in: "query",
      style: encoding?.style ?? "form",
      explode: encoding?.style === undefined || encoding.explode === true,
    } as const;
    return [name, readQuery(json ? { ...style, content: "application/json" } : style, schema, raw)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

async function readMultipart(request: BuiltRequest, plan: BodyPlan, schemas: Record<string, Schema>): Promise<unknown> {
  const headers = request.headers.map(([name, value]): [string, string] => [name, value]);
  const form = await new Response(request.body as Uint8Array<ArrayBuffer>, { headers }).formData();
  const found: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    const values = await Promise.all(
      form.getAll(name).map((part) => readPart(part as unknown, plan.encoding?.[name]?.file === true)),
    );
    if (values.length > 0) found[name] = isType(schema, "array") ? values : values[0];
  }
  return found;
}

async function readPart(part: unknown, file: boolean): Promise<unknown> {
  if (!(part instanceof Blob)) return parseJson(String(part));
  if (file) return { base64: btoa(await part.text()), filename: (part as File).name, content_type: part.type };
  return parseJson(await part.text());
}

function bodySchemas(operation: Operation, plan: BodyPlan): Record<string, Schema> {
  const properties = toObject(operation.inputSchema["properties"]);
  const whole = resolve(toObject(properties["body"]), operation.inputSchema);
  const source =
    plan.flat === undefined
      ? toObject(whole["properties"])
      : Object.fromEntries(plan.flat.map((name) => [name, properties[name]]));
  return Object.fromEntries(
    Object.entries(source).map(([name, schema]) => [name, resolve(toObject(schema), operation.inputSchema)]),
  );
}

/** The path's parameters by matching the template against the URL as it was written. */
function matchPath(operation: Operation, url: string): Record<string, string> {
  const names: string[] = [];
  const template = (operation.path.split(/[#?]/)[0] ?? "").split(/\{([^{}]*)\}/);
  const pattern = template
    .map((part, i) => {
      if (i % 2 === 0)
        return [...part]
          .map((letter) =>
            /[\w/~:-]/.test(letter) ? letter : /[!$&'()*+,;=.@[\]]/.test(letter) ? `\\${letter}` : ".+?",
          )
          .join("");
      names.push(part);
      return "([^/?]*?)";
    })
    .join("");
  const path = url.slice(operation.server.length).split("?")[0] ?? "";
  const match = new RegExp(`^${pattern}$`).exec(path);
  if (match === null) throw new Error(`${path} does not match ${operation.path}`);
  return Object.fromEntries(names.map((name, i) => [name, match[i + 1] ?? ""]));
}

function header(request: BuiltRequest, name: string): string {
  return request.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? "";
}

function splitRaw(text: string, separator: string): Pairs {
  if (text === "") return [];
  return text.split(separator).map((part): [string, string] => {
    const at = part.indexOf("=");
    return at < 0 ? [part, ""] : [part.slice(0, at), part.slice(at + 1)];
  });
}

function splitPairs(text: string, separator: string): Pairs {
  return splitRaw(text, separator).map(([name, value]) => [decodeURIComponent(name), decodeURIComponent(value)]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function resolve(schema: Schema, root: Schema): Schema {
  const ref = toText(schema["$ref"]);
  return ref === undefined ? schema : resolve(toObject(toObject(root["$defs"])[ref.replace("#/$defs/", "")]), root);
}

/** Whether a value of this schema is a list or an object: said by its type, or by the first branch that says so. */
function isType(schema: Schema, type: string): boolean {
  const types = Array.isArray(schema["type"]) ? schema["type"] : [schema["type"]];
  if (types.includes(type)) return true;
  const branches = [
    ...toList(schema["allOf"]),
    ...toList(schema["oneOf"]).slice(0, 1),
    ...toList(schema["anyOf"]).slice(0, 1),
  ];
  return branches.some((branch) => isObject(branch) && isType(branch, type));
}

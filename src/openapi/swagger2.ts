/**
 * Swagger 2.0 to the structure of OpenAPI 3 (rule M0): parameters get a schema, bodies and answers their media types,
 * host and schemes become servers. `#/definitions/…` stay where they are, so that no reference has to be rewritten.
 */
import { defined, isObject, omit, toList, toObject, toStrings, toText, type Json } from "./json.ts";
import type { SourceDocument } from "./parse.ts";
import { createRefs, type Refs } from "./refs.ts";

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options"];
const PARAMETER_FIELDS = ["name", "in", "required", "description", "collectionFormat", "allowEmptyValue"];

/** The document with the structure of OpenAPI 3; `docUrl` decides the scheme when the document names none. */
export function upgradeSwagger(document: SourceDocument, docUrl: string | undefined): SourceDocument {
  const { root } = document;
  const refs = createRefs(document);
  const paths = Object.entries(toObject(root["paths"])).map(([path, item]) => [path, upgradeItem(item, root, refs)]);
  const schemes = Object.entries(toObject(root["securityDefinitions"])).map(([name, scheme]) => [
    name,
    upgradeScheme(scheme),
  ]);
  return {
    ...document,
    root: {
      ...root,
      servers: upgradeServers(root, docUrl),
      paths: Object.fromEntries(paths),
      components: { securitySchemes: Object.fromEntries(schemes) },
    },
  };
}

function upgradeServers(root: Json, docUrl: string | undefined): { url: string }[] {
  const host = toText(root["host"]);
  const basePath = `/${(toText(root["basePath"]) ?? "").replace(/^\/+/, "")}`;
  if (host === undefined || host === "") return [{ url: basePath }];
  const known = toStrings(root["schemes"]).filter((scheme) => scheme === "https" || scheme === "http");
  const fallback = docUrl?.startsWith("http:") === true ? "http" : "https";
  return (known.length > 0 ? known : [fallback]).map((scheme) => ({ url: `${scheme}://${host}${basePath}` }));
}

function upgradeScheme(scheme: unknown): unknown {
  return isObject(scheme) && scheme["type"] === "basic" ? { type: "http", scheme: "basic" } : scheme;
}

function upgradeItem(raw: unknown, root: Json, refs: Refs): unknown {
  if (!isObject(raw)) return raw;
  const item = typeof raw["$ref"] === "string" ? resolved(raw, refs) : raw;
  const shared = toList(item["parameters"]).map((parameter) => resolved(parameter, refs));
  const operations = METHODS.filter((method) => isObject(item[method])).map((method) => [
    method,
    upgradeOperation(toObject(item[method]), shared, root, refs),
  ]);
  return { ...omit(item, "parameters"), ...Object.fromEntries(operations) };
}

/** What a reference points at; the reference itself when it leads nowhere, so that the operation is skipped later. */
function resolved(value: unknown, refs: Refs): Json {
  try {
    return refs.deref(value);
  } catch {
    return toObject(value);
  }
}

function upgradeOperation(operation: Json, shared: readonly Json[], root: Json, refs: Refs): Json {
  const own = toList(operation["parameters"]).map((parameter) => resolved(parameter, refs));
  const replaced = (item: Json): boolean =>
    own.some((other) => other["name"] === item["name"] && other["in"] === item["in"]);
  const all = [...shared.filter((item) => !replaced(item)), ...own];
  const consumes = mediaTypes(operation["consumes"] ?? root["consumes"]);
  const produces = mediaTypes(operation["produces"] ?? root["produces"]);
  const responses = Object.entries(toObject(operation["responses"])).map(([status, response]) => [
    status,
    upgradeResponse(response, produces, refs),
  ]);
  return defined({
    ...operation,
    parameters: all.filter((item) => item["in"] !== "body" && item["in"] !== "formData").map(upgradeParameter),
    requestBody: upgradeBody(all, consumes),
    responses: Object.fromEntries(responses),
  });
}

function mediaTypes(value: unknown): string[] {
  const types = toStrings(value);
  return types.length > 0 ? types : ["application/json"];
}

function schemaOf(parameter: Json): Json {
  return omit(parameter, ...PARAMETER_FIELDS);
}

function upgradeParameter(parameter: Json): Json {
  if (typeof parameter["$ref"] === "string") return parameter;
  return defined({
    ...omit(parameter, "collectionFormat"),
    schema: schemaOf(parameter),
    ...(parameter["type"] === "array" ? arrayStyle(parameter) : {}),
  });
}

/** `collectionFormat` as style and explode; tab-separated has no counterpart and is written with commas. */
function arrayStyle(parameter: Json): { style?: string; explode: boolean } {
  switch (parameter["collectionFormat"]) {
    case "multi":
      return { style: "form", explode: true };
    case "ssv":
      return { style: "spaceDelimited", explode: false };
    case "pipes":
      return { style: "pipeDelimited", explode: false };
    default:
      return { explode: false };
  }
}

function upgradeBody(parameters: readonly Json[], consumes: readonly string[]): Json | undefined {
  const body = parameters.find((item) => item["in"] === "body");
  if (body !== undefined) {
    const content = consumes.map((type) => [type, { schema: body["schema"] ?? {} }]);
    return defined({
      required: body["required"] === true,
      description: body["description"],
      content: Object.fromEntries(content),
    });
  }
  const fields = parameters.filter((item) => item["in"] === "formData" && typeof item["name"] === "string");
  if (fields.length === 0) return undefined;
  const files = fields.some((field) => field["type"] === "file");
  const multipart = files || consumes.some((type) => type.startsWith("multipart/"));
  const named = fields.map((field) => [String(field["name"]), field] as const);
  const required = named.filter(([, field]) => field["required"] === true).map(([name]) => name);
  const arrays = named.filter(([, field]) => field["type"] === "array");
  const media = {
    schema: {
      type: "object",
      properties: Object.fromEntries(named.map(([name, field]) => [name, describedSchema(field)])),
      required,
    },
    encoding: Object.fromEntries(arrays.map(([name, field]) => [name, { style: "form", ...arrayStyle(field) }])),
  };
  const type = multipart ? "multipart/form-data" : "application/x-www-form-urlencoded";
  return { required: required.length > 0, content: { [type]: media } };
}

function describedSchema(field: Json): Json {
  return defined({ ...schemaOf(field), description: field["description"] });
}

function upgradeResponse(raw: unknown, produces: readonly string[], refs: Refs): Json {
  const response = resolved(raw, refs);
  if (response["schema"] === undefined) return response;
  const media = { schema: response["schema"] };
  return { ...omit(response, "schema"), content: Object.fromEntries(produces.map((type) => [type, media])) };
}

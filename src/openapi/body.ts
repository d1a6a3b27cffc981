/**
 * Request bodies (rule M8): the media type, the schema of what a model has to supply, and how single properties of forms
 * are written. Whether the properties become arguments of their own is decided in `layout.ts`.
 */
import type { BodyPlan, PropertyEncoding, Schema, Style } from "./ir.ts";
import { defined, isObject, toObject, toText, type Json } from "./json.ts";
import { concrete, formatOf, preferred } from "./media.ts";
import type { Refs } from "./refs.ts";
import type { Schemas } from "./schema/normalise.ts";
import { isPlainObject } from "./schema/merge.ts";
import { ordered } from "./schema/walk.ts";
import { Skip } from "./skip.ts";
import { cleanText } from "./text.ts";

/** A body as read: its plan without a layout, its schema, and whether its root is conditional (`if`). */
export interface BodyDraft {
  readonly plan: Omit<BodyPlan, "flat">;
  readonly schema: Schema;
  readonly description?: string;
  readonly conditional: boolean;
}

/** What a file is as an argument. */
const FILE: Schema = {
  type: "object",
  properties: {
    base64: { type: "string", contentEncoding: "base64" },
    filename: { type: "string" },
    content_type: { type: "string" },
  },
  required: ["base64"],
  additionalProperties: false,
};
const STYLES: readonly Style[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** Reads the body an operation takes; undefined when it takes none that can be sent. @throws {Skip} */
export function readBody(operation: Json, method: string, refs: Refs, schemas: Schemas): BodyDraft | undefined {
  if (operation["requestBody"] === undefined) return undefined;
  const raw = refs.deref(operation["requestBody"]);
  const content = toObject(raw["content"]);
  const mediaTypes = Object.keys(content);
  const required = raw["required"] === true;
  if (method === "GET" || method === "HEAD") {
    if (required) throw new Skip("body_on_get", `fetch sends no body with ${method}, and this one is required`);
    return undefined;
  }
  const declared = preferred(mediaTypes, method);
  if (declared === undefined) return undefined;
  const media = refs.deref(content[declared] ?? {});
  const format = formatOf(declared);
  const mediaType = concrete(declared);
  const isForm = format === "form" || format === "multipart";
  const written = format === "text" || format === "binary" ? undefined : schemas.normalise(media["schema"]);
  const schema =
    written === undefined ? rawSchema(format, mediaType) : isForm ? withFiles(written, format, schemas) : written;
  const encoding = isForm ? readEncoding(toObject(media["encoding"]), written ?? {}, format, schemas) : {};
  const others = mediaTypes.filter((type) => type !== declared);
  const description = cleanText(toText(raw["description"]) ?? "");
  const root = media["schema"] === undefined ? {} : refs.deref(isObject(media["schema"]) ? media["schema"] : {});
  return defined({
    plan: defined({
      format,
      mediaType,
      required: required ? (true as const) : undefined,
      encoding: Object.keys(encoding).length > 0 ? encoding : undefined,
      alternatives: others.length > 0 ? others : undefined,
    }),
    schema: written === undefined && description !== "" ? noted(schema, description) : schema,
    description: written === undefined || description === "" ? undefined : description,
    conditional: root["if"] !== undefined,
  });
}

function rawSchema(format: "text" | "binary" | "json" | "form" | "multipart", mediaType: string): Schema {
  if (format === "text") return { type: "string", description: `Raw ${mediaType} body` };
  return { type: "string", contentEncoding: "base64", description: `Base64 of the ${mediaType} body` };
}

function noted(schema: Schema, description: string): Schema {
  return { ...schema, description: `${String(schema["description"])}. ${description}` };
}

/** Binary properties of a multipart form are files, alone or in a list. */
function withFiles(schema: Schema, format: "form" | "multipart", schemas: Schemas): Schema {
  const root = schemas.expand(schema);
  if (format === "form" || !isPlainObject(root)) return schema;
  const entries = Object.entries(toObject(root["properties"])).map(([name, property]): [string, unknown] => {
    if (!isObject(property)) return [name, property];
    return [name, toFile(schemas.expand(property), schemas) ?? property];
  });
  return entries.some(([name, property]) => property !== toObject(root["properties"])[name])
    ? ordered({ ...root, properties: Object.fromEntries(entries) })
    : schema;
}

function toFile(schema: Schema, schemas: Schemas): Schema | undefined {
  const described = schema["description"] === undefined ? {} : { description: schema["description"] };
  if (isBinary(schema)) return ordered({ ...FILE, ...described });
  const items = schema["items"];
  if (schema["type"] !== "array" || !isObject(items) || !isBinary(schemas.expand(items))) return undefined;
  return ordered({ type: "array", items: FILE, ...described });
}

function isBinary(schema: Schema): boolean {
  return schema["format"] === "binary";
}

function readEncoding(
  written: Json,
  schema: Schema,
  format: "form" | "multipart",
  schemas: Schemas,
): Record<string, PropertyEncoding> {
  const properties = toObject(schemas.expand(schema)["properties"]);
  const entries: [string, PropertyEncoding][] = [];
  for (const name of new Set([...Object.keys(properties), ...Object.keys(written)])) {
    const raw = toObject(written[name]);
    const property = properties[name];
    const styled = raw["style"] !== undefined || raw["explode"] !== undefined || raw["allowReserved"] !== undefined;
    const style = styled ? (STYLES.find((known) => known === raw["style"]) ?? "form") : undefined;
    const file =
      format === "multipart" && isObject(property) && toFile(schemas.expand(property), schemas) !== undefined;
    const encoding = defined({
      style,
      explode:
        style === undefined ? undefined : style === "deepObject" || (raw["explode"] ?? style === "form") === true,
      allowReserved: raw["allowReserved"] === true ? (true as const) : undefined,
      contentType: toText(raw["contentType"]),
      file: file ? (true as const) : undefined,
    });
    if (Object.keys(encoding).length > 0) entries.push([name, encoding]);
  }
  return Object.fromEntries(entries);
}

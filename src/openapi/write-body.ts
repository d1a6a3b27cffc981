/**
 * Bodies on the wire (rule M8): the plan and the arguments to a content type and text or bytes. Refuses base64 that is
 * none; everything else was checked before.
 */
import { BODY_KEY, type BodyPlan, type PropertyEncoding } from "./ir.ts";
import { isObject, toObject, type Json } from "./json.ts";
import { toJsonText } from "./json-text.ts";
import { essence, isJson } from "./media.ts";
import { writeMultipart, type Part } from "./multipart.ts";
import { toScalar, writePairs } from "./styles.ts";

/** A body ready to be sent. */
export interface WrittenBody {
  readonly contentType: string;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

/** Thrown when an argument cannot be written; `path` says which. */
export class Unwritable extends Error {
  readonly path: string;

  constructor(path: string, message: string) {
    super(message);
    this.name = "Unwritable";
    this.path = path;
  }
}

/** Writes the body, or undefined when none is given and none is needed. @throws {Unwritable} */
export function writeBody(plan: BodyPlan, values: Json): WrittenBody | undefined {
  const value = bodyValue(plan, values);
  if (value === undefined) return undefined;
  const contentType = plan.mediaType;
  switch (plan.format) {
    case "json":
      return { contentType, body: toJsonText(value) };
    case "text":
      return { contentType, body: String(value) };
    case "binary":
      return { contentType, body: decodeBase64(String(value), BODY_KEY) };
    case "form":
      return { contentType, body: isObject(value) ? writeForm(value, plan.encoding ?? {}) : toScalar(value) };
    case "multipart": {
      const fields = isObject(value) ? value : { [BODY_KEY]: value };
      const prefix = plan.flat === undefined ? `${BODY_KEY}.` : "";
      return writeMultipart(
        Object.entries(fields).flatMap(([name, field]) => toParts(name, field, plan.encoding?.[name] ?? {}, prefix)),
      );
    }
  }
}

function bodyValue(plan: BodyPlan, values: Json): unknown {
  if (plan.flat === undefined) return Object.hasOwn(values, BODY_KEY) ? values[BODY_KEY] : undefined;
  const given = plan.flat.filter((name) => Object.hasOwn(values, name));
  if (given.length === 0 && plan.required !== true) return undefined;
  return Object.fromEntries(given.map((name) => [name, values[name]]));
}

/** A form's pairs. Without a style of its own, a list of plain values is repeated and an object is JSON. */
function writeForm(fields: Json, encodings: Readonly<Record<string, PropertyEncoding>>): string {
  const pairs = Object.entries(fields).flatMap(([name, value]) => {
    if (value === undefined || value === null) return [];
    const encoding = encodings[name];
    if (encoding?.style !== undefined) {
      return writePairs(name, value, {
        style: encoding.style,
        explode: encoding.explode === true,
        ...(encoding.allowReserved === true ? { allowReserved: true as const } : {}),
      });
    }
    const whole = encoding?.contentType !== undefined && isJson(encoding.contentType) ? toJsonText(value) : value;
    return writePairs(name, isObject(whole) ? toJsonText(whole) : whole, { style: "form", explode: true });
  });
  return pairs.join("&");
}

function toParts(name: string, value: unknown, encoding: PropertyEncoding, prefix: string): Part[] {
  if (value === undefined || value === null) return [];
  const declared = oneType(encoding.contentType);
  const wholeList = declared !== undefined && isJson(declared);
  if (Array.isArray(value) && !wholeList) {
    return value.flatMap((item: unknown) => toParts(name, item, encoding, prefix));
  }
  if (encoding.file === true && isObject(value)) return [toFilePart(name, value, declared, prefix)];
  if (typeof value === "object")
    return [{ name, contentType: declared ?? "application/json", content: toJsonText(value) }];
  return [
    declared === undefined
      ? { name, content: toScalar(value) }
      : { name, contentType: declared, content: toScalar(value) },
  ];
}

function toFilePart(name: string, file: Json, declared: string | undefined, prefix: string): Part {
  const { base64, filename, content_type: ownType } = toObject(file);
  return {
    name,
    filename: typeof filename === "string" ? filename : name,
    contentType: declared ?? (typeof ownType === "string" ? ownType : "application/octet-stream"),
    content: decodeBase64(String(base64), `${prefix}${name}.base64`),
  };
}

/** An encoding's media type when it names one; lists and ranges leave the choice to the caller. */
function oneType(contentType: string | undefined): string | undefined {
  if (contentType === undefined || contentType.includes(",") || essence(contentType).includes("*")) return undefined;
  return contentType;
}

/** Decodes base64 or base64url, with or without padding and line breaks. @throws {Unwritable} */
function decodeBase64(text: string, path: string): Uint8Array<ArrayBuffer> {
  const plain = text.replace(/\s+/g, "").replaceAll("-", "+").replaceAll("_", "/");
  try {
    return Uint8Array.from(atob(plain), (character) => character.charCodeAt(0));
  } catch {
    throw new Unwritable(path, "is not base64");
  }
}

/**
 * Bytes to a parsed document (rule M0): JSON or YAML in its core schema, within limits, duplicate keys refused.
 * A document that cannot be read at all is the only thing refused as a whole; the error says what to do about it.
 */
import { parseDocument as parseYaml } from "yaml";

import { isTooDeep, MAX_DEPTH } from "./depth.ts";
import { isObject, toObject, type Json } from "./json.ts";
import { scanJson } from "./scan-json.ts";

/** What a document may cost: bytes as read, operations in it. */
export const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;
export const MAX_OPERATIONS = 50_000;
const MAX_YAML_ALIASES = 100;

/** Which rules of the OpenAPI family apply to a document. */
export type Dialect = "2.0" | "3.0" | "3.1";

/** Why a document is refused as a whole. `message` is complete: it needs no other field to be understood. */
export interface DocumentError {
  readonly kind:
    | "too_large"
    | "not_text"
    | "not_parsable"
    | "duplicate_key"
    | "too_deep"
    | "not_openapi"
    | "unsupported_version"
    | "too_many_operations";
  readonly message: string;
}

/** A readable document: its root, the version written in it, and what to warn about. */
export interface SourceDocument {
  readonly root: Json;
  readonly version: string;
  readonly dialect: Dialect;
  readonly warnings: readonly string[];
}

export type ValueResult =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: DocumentError };

export type ParseResult =
  | { readonly ok: true; readonly document: SourceDocument }
  | { readonly ok: false; readonly error: DocumentError };

/** Reads the text or UTF-8 bytes of an OpenAPI 3.0, 3.1, 3.2 or Swagger 2.0 document. */
export function parseDocument(source: string | Uint8Array): ParseResult {
  const value = parseValue(source);
  return value.ok ? accept(value.value) : value;
}

/** Reads JSON or YAML of any kind within the limits: a document, or a file it refers to. */
export function parseValue(source: string | Uint8Array): ValueResult {
  if (source.length > MAX_DOCUMENT_BYTES) return tooLarge(source.length);
  let text: string;
  try {
    text =
      typeof source === "string" ? source : new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(source);
  } catch {
    return fail("not_text", "The document is not UTF-8 text. Save it as UTF-8 (a zip or an image is no document).");
  }
  const trimmed = text.replace(/^\uFEFF/, "").trimStart();
  if (trimmed === "") return fail("not_openapi", "The document is empty.");
  if (trimmed.startsWith("<")) {
    const message = "This is HTML or XML, not an OpenAPI document: the URL of the raw JSON or YAML file is needed.";
    return fail("not_openapi", message);
  }
  return /^[{[]/.test(trimmed) ? readJson(trimmed) : readYaml(trimmed);
}

/** The refusal of a document by its size alone, for those who know it before they read. */
export function tooLarge(bytes: number): { readonly ok: false; readonly error: DocumentError } {
  const size = Math.ceil(bytes / 1024 / 1024);
  return fail("too_large", `The document has ${size} MiB; at most 64 MiB are read. Split it, or remove examples.`);
}

/** Checks an already parsed value: depth, kind and version. */
export function readDocument(root: unknown): ParseResult {
  return isTooDeep(root) ? TOO_DEEP : accept(root);
}

function accept(root: unknown): ParseResult {
  if (!isObject(root)) return fail("not_openapi", "The document is no object with an `openapi` or `swagger` field.");
  const version = String(root["openapi"] ?? root["swagger"] ?? "");
  if (version === "") {
    return fail("not_openapi", "The document has neither an `openapi` nor a `swagger` field: it is not OpenAPI.");
  }
  const dialect = toDialect(root, version);
  if (dialect === undefined) {
    const message = `Version ${JSON.stringify(version)} is not supported; 2.0 and 3.x are.`;
    return fail("unsupported_version", message);
  }
  if (countOperations(root) > MAX_OPERATIONS) {
    return fail("too_many_operations", `The document has more than ${MAX_OPERATIONS} operations.`);
  }
  const known = dialect === "2.0" || /^3\.[012](?:\.|$)/.test(version);
  const warnings = known ? [] : [`version ${version} is newer than 3.2; it is read as 3.2`];
  return { ok: true, document: { root, version, dialect, warnings } };
}

const TOO_DEEP = fail("too_deep", `The document is nested more than ${MAX_DEPTH} levels deep, or in itself.`);

function fail(kind: DocumentError["kind"], message: string): { ok: false; error: DocumentError } {
  return { ok: false, error: { kind, message } };
}

function readJson(text: string): ValueResult {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    // A YAML flow mapping also starts with a brace.
    const yaml = readYaml(text);
    return yaml.ok ? yaml : fail("not_parsable", `The document is not valid JSON: ${messageOf(error)}`);
  }
  const { duplicate, depth } = scanJson(text);
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (duplicate === undefined) return { ok: true, value };
  return fail("duplicate_key", `The key ${JSON.stringify(duplicate)} is written twice in one object; keep one.`);
}

function readYaml(text: string): ValueResult {
  try {
    const document = parseYaml(text, { schema: "core", uniqueKeys: true, logLevel: "silent" });
    const [error] = document.errors;
    if (error !== undefined) {
      const kind = error.code === "DUPLICATE_KEY" ? "duplicate_key" : "not_parsable";
      return fail(kind, `The document is not valid YAML: ${messageOf(error)}`);
    }
    const value: unknown = document.toJS({ maxAliasCount: MAX_YAML_ALIASES });
    return isTooDeep(value) ? TOO_DEEP : { ok: true, value };
  } catch (error) {
    return fail("not_parsable", `The document is not valid YAML: ${messageOf(error)}`);
  }
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.split("\n")[0] ?? "").slice(0, 300);
}

function toDialect(root: Json, version: string): Dialect | undefined {
  if (root["openapi"] === undefined) return version === "2.0" || version === "2" ? "2.0" : undefined;
  if (!/^3\.\d+(?:\.|$)/.test(version)) return undefined;
  return version.startsWith("3.0") ? "3.0" : "3.1";
}

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options", "trace", "query"];

function countOperations(root: Json): number {
  let count = 0;
  for (const raw of Object.values(toObject(root["paths"]))) {
    const item = toObject(raw);
    count += METHODS.filter((method) => item[method] !== undefined).length;
    count += Object.keys(toObject(item["additionalOperations"])).length;
  }
  return count;
}

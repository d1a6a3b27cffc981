/**
 * Reads an OpenAPI document from a file or an https URL and resolves what it refers to outside itself (rule M0), on the
 * machine of the person who adds the API and never later. Refuses files outside the document's own folder, `file:` URLs,
 * every host that was not named, and redirects; a reference it refuses stays, and costs the operations that need it.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

import { BaseResolver, bundle, createConfig, ResolveError, Source, type Document } from "@redocly/openapi-core";

import { isObject } from "../../openapi/json.ts";
import {
  MAX_DOCUMENT_BYTES,
  parseDocument,
  parseValue,
  readDocument as checkDocument,
  tooLarge,
  type ParseResult,
  type SourceDocument,
} from "../../openapi/parse.ts";
import { UserError } from "../errors.ts";

/** What may be read besides the document itself. */
export interface ReadOptions {
  /** Hosts whose `https:` references are followed. Empty: none. */
  readonly remoteHosts?: readonly string[];
}

/** A document, where it was read from, and references that were not followed, each with the reason. */
export interface ReadDocument {
  readonly document: SourceDocument;
  readonly url: string | undefined;
  readonly unresolved: readonly string[];
}

const FETCH_TIMEOUT_MS = 30_000;

/** Reads and bundles the document at a path or an https URL. @throws {UserError} when it cannot be read as a whole. */
export async function readDocument(location: string, options: ReadOptions = {}): Promise<ReadDocument> {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(location) ? location : undefined;
  const bytes = url === undefined ? readFile(resolve(location)) : await fetchBytes(url);
  const document = orFail(parseDocument(bytes));
  if (!hasExternalReference(document.root)) return { document, url, unresolved: [] };
  const base = url ?? realpathSync(location);
  const resolver = new GuardedResolver(url === undefined ? dirname(base) : undefined, options.remoteHosts ?? []);
  const source = new Source(base, "");
  const parsed: Document = { source, parsed: structuredClone(document.root) };
  const result = await bundle({ doc: parsed, config: await createConfig({}), externalRefResolver: resolver });
  return { document: orFail(checkDocument(result.bundle.parsed)), url, unresolved: resolver.refused };
}

function orFail(result: ParseResult): SourceDocument {
  if (result.ok) return result.document;
  throw new UserError(result.error.message);
}

function hasExternalReference(root: unknown): boolean {
  const pending: unknown[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (Array.isArray(value)) pending.push(...value);
    if (!isObject(value)) continue;
    if (typeof value["$ref"] === "string" && !value["$ref"].startsWith("#")) return true;
    pending.push(...Object.values(value));
  }
  return false;
}

/** A file's bytes; its size is looked at before it is read. */
function readFile(path: string): Uint8Array {
  let size: number;
  try {
    const facts = statSync(path);
    if (!facts.isFile()) throw new UserError(`${path} is no file.`);
    size = facts.size;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path} cannot be read: there is no such file, or it is not readable.`);
  }
  const refusal = size > MAX_DOCUMENT_BYTES ? tooLarge(size) : undefined;
  if (refusal !== undefined) throw new UserError(refusal.error.message);
  return readFileSync(path);
}

/** The bytes at an https URL, at most as many as a document may have. Redirects are not followed. */
async function fetchBytes(url: string): Promise<Uint8Array> {
  if (!url.startsWith("https://")) throw new UserError(`${url} is not read: only files and https:// URLs are.`);
  const response = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) }).catch(
    () => undefined,
  );
  if (response === undefined) throw new UserError(`${url} did not answer.`);
  const target = response.headers.get("location");
  if (target !== null) throw new UserError(`${url} redirects to ${target}; give that URL if you trust it.`);
  if (!response.ok) throw new UserError(`${url} answered ${response.status}.`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) throw new UserError(tooLarge(size).error.message);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Follows references to files below one folder and to named https hosts, and to nothing else. */
class GuardedResolver extends BaseResolver {
  readonly refused: string[] = [];
  readonly #folder: string | undefined;
  readonly #hosts: readonly string[];

  constructor(folder: string | undefined, hosts: readonly string[]) {
    super();
    this.#folder = folder;
    this.#hosts = hosts;
  }

  override async loadExternalRef(reference: string): Promise<Source> {
    try {
      const bytes = /^[a-z][a-z0-9+.-]*:/i.test(reference) ? await this.#fetch(reference) : this.#read(reference);
      return new Source(reference, new TextDecoder().decode(bytes));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.refused.push(reason);
      throw new ResolveError(new Error(reason));
    }
  }

  override parseDocument(source: Source): Document {
    const value = parseValue(source.body);
    if (!value.ok) throw new ResolveError(new Error(value.error.message));
    return { source, parsed: value.value };
  }

  async #fetch(reference: string): Promise<Uint8Array> {
    const { protocol, host } = new URL(reference);
    if (protocol !== "https:") throw new UserError(`${reference} is not followed: only https: references are.`);
    if (!this.#hosts.includes(host)) {
      throw new UserError(`${reference} is not followed: name ${host} with --allow-remote-refs if you trust it.`);
    }
    return await fetchBytes(reference);
  }

  #read(reference: string): Uint8Array {
    if (this.#folder === undefined) throw new UserError(`${reference} is a file, and the document is not.`);
    let path: string;
    try {
      path = realpathSync(reference);
    } catch {
      throw new UserError(`${reference} does not exist.`);
    }
    const inside = relative(this.#folder, path);
    if (inside.startsWith("..") || inside === "" || resolve(this.#folder, inside) !== path) {
      throw new UserError(`${reference} is outside the document's folder and is not read.`);
    }
    return readFile(path);
  }
}

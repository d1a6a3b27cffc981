/**
 * From a document's location to its compiled form: where it is, which of its hosts are opened, which operations are
 * taken. A document opens one host, the first https one it names; every other is opened by a person or stays closed.
 */
import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

import { CredentialName } from "../../contract/names.ts";
import { parseDomain, toDomainText, type DomainPattern } from "../../contract/domains.ts";
import { compile, type CompileOptions } from "../../openapi/compile.ts";
import type { ApiIr } from "../../openapi/ir.ts";
import { toObject, type Json } from "../../openapi/json.ts";
import { select, type Filter } from "../../openapi/select.ts";
import { selectServer } from "../../openapi/servers.ts";
import { Skip } from "../../openapi/skip.ts";
import { upgradeSwagger } from "../../openapi/swagger2.ts";
import { UserError } from "../errors.ts";
import { printable } from "./printable.ts";
import { displayPath } from "../project.ts";
import { readDocument } from "./read-document.ts";

/** What a person chose when the API was added; written to `source.json`, so that an update chooses the same. */
export interface Choices {
  /** Every filter's operations; all when empty. */
  readonly include: readonly Filter[];
  readonly exclude: readonly Filter[];
  /** A base URL in the place of the document's. */
  readonly server?: string | undefined;
  /** The security scheme to prefer where an operation takes several. */
  readonly scheme?: string | undefined;
  /** Names of credentials instead of those made from the API's and the scheme's: `NAME@scheme`; `NAME` if there is one scheme. */
  readonly credentials: readonly string[];
}

export interface ImportOptions extends Choices {
  readonly api: string;
  /** A file, a folder with one document in it, or an https URL. */
  readonly location: string;
  /** Hosts that are open already; absent: the document's first https one is. */
  readonly domains?: readonly DomainPattern[] | undefined;
  /** Hosts that a person opens by name. */
  readonly allowHosts: readonly string[];
  /** Hosts whose `https:` references are followed. */
  readonly remoteHosts: readonly string[];
}

/** A compiled document with its hosts. */
export interface Imported {
  readonly ir: ApiIr;
  /** Operations that `include` and `exclude` left out. */
  readonly leftOut: number;
  readonly domains: readonly DomainPattern[];
  /** Credentials that were named for a document which says nothing of any. */
  readonly named: readonly string[];
  /** References that were not followed, each with the reason. */
  readonly unresolved: readonly string[];
}

/** Reads, compiles and selects. @throws {UserError} when nothing can come of it. */
export async function importDocument(options: ImportOptions): Promise<Imported> {
  const { api, server, scheme } = options;
  const read = await readDocument(findDocument(options.location), { remoteHosts: options.remoteHosts });
  const document = read.document.dialect === "2.0" ? upgradeSwagger(read.document, read.url) : read.document;
  const { root } = document;
  const schemes = Object.keys(toObject(toObject(root["components"])["securitySchemes"]));
  if (scheme !== undefined) requireScheme(schemes, scheme, "--scheme");
  const credentials = nameCredentials(schemes, options);
  const base: CompileOptions = { api, docUrl: read.url, server, scheme, credentials };
  const allowed = options.allowHosts.map(toPattern);
  const opened = options.domains ?? proposeDomains(root, base, allowed.length > 0);
  const known = new Set(opened.map(toDomainText));
  const domains = [...opened, ...allowed.filter((pattern) => !known.has(toDomainText(pattern)))];
  const compiled = compile(read.document, { ...base, domains });
  const chosen = select(compiled, {
    ...(options.include.length > 0 ? { include: options.include } : {}),
    exclude: options.exclude,
    limit: Number.POSITIVE_INFINITY,
  });
  const operations = chosen.ok ? chosen.operations : [];
  const used = new Set(operations.flatMap(({ security }) => security.flatMap(({ placeholders }) => placeholders)));
  const needed = compiled.credentials.filter(({ name }) => used.has(name));
  return {
    ir: { ...compiled, operations, credentials: needed },
    leftOut: compiled.operations.length - operations.length,
    domains,
    named: schemes.length === 0 ? options.credentials : [],
    unresolved: read.unresolved,
  };
}

const DOCUMENT_NAME = /^(?:openapi|swagger)(?:[.-][\w.-]+)?\.(?:json|ya?ml)$/i;

/** The document itself when a folder is named. */
function findDocument(location: string): string {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(location)) return location;
  const path = resolve(location);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return location;
  const names = readdirSync(path).filter((name) => DOCUMENT_NAME.test(name));
  const [name] = names;
  if (name !== undefined && names.length === 1) return join(path, name);
  const found = names.length === 0 ? "no openapi.json, openapi.yaml or swagger.json" : names.toSorted().join(", ");
  throw new UserError(`${displayPath(path)} is a folder with ${found} in it; name the document's file`);
}

/** A host that was typed. @throws {UserError} */
export function toPattern(text: string): DomainPattern {
  const parsed = parseDomain(text);
  if (parsed.ok) return parsed.pattern;
  throw new UserError(`${printable(text)}: ${parsed.reason}`);
}

/** The first https host of the document; none when it has only others and a person has opened one. */
function proposeDomains(root: Json, options: CompileOptions, someAllowed: boolean): DomainPattern[] {
  const url = firstServer(root, options);
  if (url !== undefined) return [toPattern(isHttps(url) ? new URL(url).host : new URL(url).origin)];
  if (someAllowed) return [];
  throw new UserError(
    "the document names no https server: give one with --server, or open the host of its http server with --allow-host http://host:port",
  );
}

/** The server of the document as a whole, or else the one of its first operation that has any. */
function firstServer(root: Json, options: CompileOptions): string | undefined {
  const items = Object.values(toObject(root["paths"])).map(toObject);
  const operations = items.flatMap((item) => Object.values(item).map((operation) => [toObject(operation), item]));
  for (const [operation = {}, item = {}] of [[{}, {}], ...operations]) {
    try {
      return selectServer(operation, item, root, options);
    } catch (error) {
      if (!(error instanceof Skip)) throw error;
    }
  }
  return undefined;
}

/** Names by scheme, as `--credential` gives them. */
function nameCredentials(schemes: readonly string[], { credentials, scheme }: Choices): Record<string, string> {
  if (schemes.length === 0) return {};
  const pairs = credentials.map((text): [string, string] => {
    const [name = "", ...rest] = text.split("@");
    const one = scheme ?? (schemes.length === 1 ? schemes[0] : undefined);
    const named = rest.length > 0 ? rest.join("@") : one;
    requireScheme(schemes, named, `--credential ${CredentialName.safeParse(name).success ? name : "NAME"}@<scheme>`);
    return [named ?? "", name];
  });
  return Object.fromEntries(pairs);
}

function requireScheme(schemes: readonly string[], scheme: string | undefined, option: string): void {
  if (scheme !== undefined && schemes.includes(scheme)) return;
  throw new UserError(`${option}: the document's security schemes are ${schemes.map(printable).join(", ") || "none"}`);
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === "https:";
}

/**
 * Compiles a document for a server of its own. The document proposes one host; requests go there, and to other hosts of
 * the document only when they were named. Refuses a document of which nothing is left, with the reasons.
 */
import { parseDomain, type DomainPattern } from "../../contract/domains.ts";
import { compile } from "../../openapi/compile.ts";
import type { ApiIr } from "../../openapi/ir.ts";
import { isObject, toObject } from "../../openapi/json.ts";
import { maxNameLength } from "../../openapi/names.ts";
import type { SourceDocument } from "../../openapi/parse.ts";
import { selectServer, type ServerOptions } from "../../openapi/servers.ts";
import { Skip } from "../../openapi/skip.ts";
import { upgradeSwagger } from "../../openapi/swagger2.ts";
import { UserError } from "../errors.ts";

export interface CompileApiOptions {
  /** The MCP server's name, which clients put before tools' names. */
  readonly serverName: string;
  /** Where the document was read from, when that is a URL. */
  readonly url?: string | undefined;
  /** Goes before everything the document says. */
  readonly baseUrl?: string | undefined;
  /** Hosts of the document that may be reached besides the first. */
  readonly allowedHosts: readonly string[];
}

/** Names stay readable even where the server's own is long. */
const MIN_NAME_ROOM = 40;

/** A compiled document and its base URL. */
export interface CompiledApi {
  readonly ir: ApiIr;
  readonly baseUrl: string;
  /** Whether the document describes any security at all. */
  readonly declaresSecurity: boolean;
}

/** Compiles; every operation that is left out is in the result, with its rule. @throws {UserError} */
export function compileApi(document: SourceDocument, options: CompileApiOptions): CompiledApi {
  if (options.baseUrl !== undefined) requireBaseUrl(options.baseUrl);
  const compileOptions = {
    api: "api",
    docUrl: options.url,
    server: options.baseUrl,
    maxNameLength: Math.max(MIN_NAME_ROOM, maxNameLength(options.serverName)),
  };
  const proposal = compile(document, compileOptions);
  const own = ownServer(document, compileOptions);
  const baseUrl = proposal.servers.find((server) => server === own) ?? proposal.servers[0];
  if (baseUrl === undefined) throw new UserError(explainNothing(proposal));
  const domains = [toPattern(new URL(baseUrl).origin), ...options.allowedHosts.map(toPattern)];
  const ir = proposal.servers.length === 1 ? proposal : compile(document, { ...compileOptions, domains });
  return { ir, baseUrl, declaresSecurity: declaresSecurity(document) };
}

/** The server that the document names for all operations that name none of their own. */
function ownServer(document: SourceDocument, options: ServerOptions): string | undefined {
  const { root } = document.dialect === "2.0" ? upgradeSwagger(document, options.docUrl) : document;
  try {
    return selectServer({}, {}, root, options);
  } catch (error) {
    if (error instanceof Skip) return undefined;
    throw error;
  }
}

function requireBaseUrl(text: string): void {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== "" ||
    url.search !== "" ||
    url.hash !== ""
  ) {
    throw new UserError("--base-url has to be an http(s) URL without user name, query and fragment.");
  }
}

function toPattern(host: string): DomainPattern {
  const origin = /^http:\/\/[^:]+$/.test(host) ? `${host}:80` : host;
  const parsed = parseDomain(origin);
  if (!parsed.ok) throw new UserError(`--allow-host ${host}: ${parsed.reason}.`);
  return parsed.pattern;
}

function declaresSecurity({ root }: SourceDocument): boolean {
  const schemes = root["securityDefinitions"] ?? toObject(root["components"])["securitySchemes"];
  return isObject(schemes) && Object.keys(schemes).length > 0;
}

function explainNothing({ skipped }: ApiIr): string {
  if (skipped.length === 0) return "The document has no operation, so there is nothing to generate.";
  const reasons = [...new Set(skipped.map(({ rule, reason }) => `${rule}: ${reason}`))].slice(0, 5);
  const needsServer = skipped.some(({ rule }) => rule === "server_unresolvable" || rule === "host_not_allowed");
  const hint = needsServer ? " Give the URL of the API with --base-url." : "";
  return `None of the document's ${skipped.length} operations can be called (${reasons.join("; ")}).${hint}`;
}

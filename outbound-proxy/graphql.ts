/**
 * Whether a GraphQL request only reads. The document is parsed and every operation in it must be a query; what servers
 * read in different ways (repeated or misspelt members, documents by id) is no plain query. Used in read-only runs.
 */
import { Kind, parse } from "graphql";

import { scanJson } from "./json.ts";
import type { Target } from "./target.ts";

const MEMBERS = new Set(["query", "variables", "operationName", "extensions"]);

const NOT_PARSED = "the document does not parse";
const NO_DOCUMENT = "it holds no query text";

/** Line ends to some servers (graphql-java), and to others part of the comment that they stand in. */
const LINE_SEPARATORS = /[\u2028\u2029]/;

/** Documents longer than this are not parsed. */
const MAX_TOKENS = 10_000;

/**
 * Why the parameters of a URL are no plain query; null when they are, or when there are none. A GET that names no
 * document names one by its id.
 * @param isEndpoint false for any other path of the API, which a server may still take for the endpoint: there, only
 *   what parses and is no query counts
 */
export function checkGraphqlSearch(
  { url, method }: Pick<Target, "url" | "method">,
  isEndpoint: boolean,
): string | null {
  const parameters = [...url.searchParams];
  const documents = parameters.filter(([name]) => name.toLowerCase() === "query");
  const needsDocument = isEndpoint && (method === "GET" || method === "HEAD") && parameters.length > 0;
  if (needsDocument && documents.length === 0) return NO_DOCUMENT;
  for (const [, text] of documents) {
    const reason = checkDocument(text);
    if (reason !== null && (isEndpoint || reason !== NOT_PARSED)) return reason;
  }
  return null;
}

/** Why a GraphQL POST body is no plain query, worded to follow a colon; null when it is one. */
export function checkGraphqlBody(mediaType: string, body: string): string | null {
  if (mediaType === "application/graphql") return checkDocument(body);
  if (mediaType !== "application/json") return "the body is not application/json";
  const scan = scanJson(body);
  if (scan === null) return "the body is not valid JSON";
  const parsed: unknown = JSON.parse(body);
  if (scan.repeatedKey) return "a member is repeated";
  const requests: readonly unknown[] = Array.isArray(parsed) ? parsed : [parsed];
  for (const request of requests) {
    const reason = checkRequest(request);
    if (reason !== null) return reason;
  }
  return null;
}

function checkRequest(request: unknown): string | null {
  if (typeof request !== "object" || request === null || Array.isArray(request)) return "it is not an object";
  if (Object.keys(request).some((name) => !MEMBERS.has(name))) return "it has members other than these";
  if (!("query" in request) || typeof request.query !== "string") return NO_DOCUMENT;
  return checkDocument(request.query);
}

function checkDocument(text: string): string | null {
  try {
    const { definitions } = parse(text, { maxTokens: MAX_TOKENS, noLocation: true });
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) continue;
      if (definition.kind !== Kind.OPERATION_DEFINITION) return "it defines a schema";
      if (definition.operation !== "query") return `it holds a ${definition.operation}`;
    }
    return LINE_SEPARATORS.test(text) ? "it holds U+2028 or U+2029: write \\u2028 or \\u2029" : null;
  } catch {
    return NOT_PARSED;
  }
}

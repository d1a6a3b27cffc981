/**
 * Whether a GraphQL request only reads. The document is parsed and every operation in it must be a query; what servers
 * read in different ways (repeated or misspelt members, documents by id) is no plain query. Used in read-only runs.
 */
import { Kind, parse } from "graphql";

import { scanJson } from "./json.ts";

const MEMBERS = new Set(["query", "variables", "operationName", "extensions"]);

const NOT_PARSED = "the document does not parse";

/** Documents longer than this are not parsed. */
const MAX_TOKENS = 10_000;

/**
 * Why the parameters of a URL are no plain query; null when they are, or hold no document.
 * @param isEndpoint false for any other path of the API, which a server may still take for the endpoint: there, only
 *   what parses and is no query counts
 */
export function checkGraphqlSearch(parameters: URLSearchParams, isEndpoint: boolean): string | null {
  for (const [name, value] of parameters) {
    if (name.toLowerCase() !== "query") continue;
    const reason = checkDocument(value);
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
  if (!("query" in request) || typeof request.query !== "string") return "it holds no query text";
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
    return null;
  } catch {
    return NOT_PARSED;
  }
}

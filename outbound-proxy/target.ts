/**
 * What a request asks for, read from its URL, method and headers and from nothing else: a `Host` header never decides,
 * and a method is every method the request could be taken for, overrides included.
 */
import { METHODS } from "../src/contract/config.ts";
import { normaliseHost } from "../src/contract/domains.ts";
import { namesBatch } from "./paths.ts";

/** A request as policy sees it. */
export interface Target {
  /** Canonical: one trailing dot of the host stripped, no user info, no fragment. */
  readonly url: URL;
  readonly host: string;
  /** Upper case. This is the method to send. */
  readonly method: string;
  /** The method first, then every other one that an override header or parameter names. */
  readonly effectiveMethods: readonly string[];
  /** A method that an override *header* names and that is not the request's own. */
  readonly overriddenTo: string | null;
  readonly upgrade: boolean;
  /** Whether the request carries other requests: OData `$batch`, or `multipart/mixed` to a `batch` path. */
  readonly batch: boolean;
  /** The body's media type, lower case and without parameters; empty when there is none. */
  readonly mediaType: string;
  /** The length that the code gave its body; it may be wrong. */
  readonly contentLength: number | null;
}

/** Headers by which frameworks let a request name another method, as `plainName` writes them. */
export const OVERRIDE_HEADERS: ReadonlySet<string> = new Set([
  "x-http-method-override",
  "x-http-method",
  "x-method-override",
]);

/** Parameters with the same effect, in lower case: Rails and Laravel, Google, Salesforce, and the headers' own names. */
const OVERRIDE_PARAMETERS = new Set(["_method", "$httpmethod", "_httpmethod", ...OVERRIDE_HEADERS]);

/** Parameters that mean anything at most services, and another method at some (Facebook) when a method is their value. */
const PLAIN_PARAMETERS = new Set(["method", "http_method"]);

/** Reads a request's target. `request.url` is the URL of a `Request`, so it always parses. */
export function readTarget(request: {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
}): Target {
  const url = canonicalUrl(new URL(request.url));
  const method = request.method.toUpperCase();
  const byHeader = [...request.headers]
    .filter(([name]) => OVERRIDE_HEADERS.has(plainName(name)))
    .flatMap(([, value]) => value.split(","))
    .map(toMethod)
    .filter((name) => name !== "");
  const mediaType = readMediaType(request.headers);
  return {
    url,
    host: url.hostname,
    method,
    effectiveMethods: [...new Set([method, ...byHeader, ...readOverrides(url.search.slice(1))])],
    overriddenTo: byHeader.find((name) => name !== method) ?? null,
    upgrade: request.headers.has("upgrade") || request.headers.has("sec-websocket-key"),
    batch: namesBatch(url.pathname, mediaType),
    mediaType,
    contentLength: readContentLength(request.headers),
  };
}

/**
 * A header's name as servers that hand headers on in environment variables (CGI, WSGI, Rack, PHP) read it: in lower
 * case, every other character than letters and digits alike. `X_HTTP.Method-Override` is one of `OVERRIDE_HEADERS`.
 */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "-");
}

/** The methods that `&`- or `;`-separated parameters name, in a query or in a form body. */
export function readOverrides(parameters: string): string[] {
  const methods: string[] = [];
  for (const pair of parameters.split(/[&;]/)) {
    const [key = "", value = ""] = splitOnce(pair);
    methods.push(...readOverride(decodeLax(key), decodeLax(value)));
  }
  return methods;
}

/** The method that a parameter of a query or a form names, decoded; nothing when it names none. */
export function readOverride(name: string, value: string): string[] {
  const method = toMethod(value);
  if (isOverrideParameter(name)) return method === "" ? [] : [method];
  const isMethod = PLAIN_PARAMETERS.has(toParameterName(name)) && METHODS.some((known) => known === method);
  return isMethod ? [method] : [];
}

/** Whether a parameter of this (decoded) name is taken for another method, whatever its value. */
export function isOverrideParameter(name: string): boolean {
  return OVERRIDE_PARAMETERS.has(toParameterName(name));
}

/** A name as lax servers read it: in any case, leading blanks ignored, ` `, `.` and `[` taken for `_`. */
function toParameterName(name: string): string {
  return name.trimStart().replace(/[ .[]/g, "_").toLowerCase();
}

/** The media type of a request's body, lower case and without parameters; empty when there is none. */
export function readMediaType(headers: Headers): string {
  return (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

/** Where a client goes next that follows `location` from `from`, in the form of `Target.url`; null when nowhere. */
export function readRedirect(from: URL, location: string | null): URL | null {
  if (location === null || !URL.canParse(location, from.href)) return null;
  return canonicalUrl(new URL(location, from.href));
}

function readContentLength(headers: Headers): number | null {
  const text = headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function canonicalUrl(url: URL): URL {
  url.hostname = normaliseHost(url.hostname);
  url.username = "";
  url.password = "";
  url.hash = "";
  return url;
}

function toMethod(text: string): string {
  return text.trim().toUpperCase();
}

function splitOnce(pair: string): [string, string] {
  const at = pair.indexOf("=");
  return at === -1 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
}

/** Decodes what is well-formed and leaves the rest as it stands, as servers do. */
function decodeLax(text: string): string {
  return text.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, (escaped) => {
    try {
      return decodeURIComponent(escaped);
    } catch {
      return escaped;
    }
  });
}

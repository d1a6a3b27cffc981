/**
 * The headers that go upstream: a fresh list, without what belongs to one connection, what only a proxy may say, what
 * names another host, path or method, and what is ours. Nothing is injected here.
 */
import { OVERRIDE_HEADERS, plainName } from "./target.ts";

const DROPPED = new Set([
  // RFC 9110 §7.6.1: of this connection only. `Connection` itself may name more.
  "connection",
  "keep-alive",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
  // The runtime derives these from the URL and the body; code can only get them wrong.
  "host",
  "content-length",
  // The sanitizer must be able to read what comes back.
  "accept-encoding",
  // What a proxy says about its client, forged.
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "true-client-ip",
  "cdn-loop",
  // Another host than the one that policy has judged.
  "x-host",
  // Another method than the one that policy has judged.
  ...OVERRIDE_HEADERS,
]);

/** `x-original-`, `x-rewrite-`: another host, path or method than the one that policy has judged. */
const DROPPED_PREFIXES = [
  "cf-",
  "proxy-",
  "sec-websocket-",
  "x-codeforge-",
  "x-forwarded",
  "x-original-",
  "x-rewrite-",
];

/**
 * Asks for a part of a resource: a value cut in two would not be recognised in the answer. `Request-Range` is Netscape's
 * name for it, which Apache still reads.
 */
const RANGES = new Set(["range", "request-range", "if-range"]);

/**
 * Builds the upstream's headers from the code's. `User-Agent` is always ours.
 * @param options.dropRanges whether `Range` and `If-Range` go too, because values are looked for in the answer
 */
export function buildHeaders(from: Headers, userAgent: string, options: { readonly dropRanges: boolean }): Headers {
  const named = new Set((from.get("connection") ?? "").split(",").map((name) => plainName(name.trim())));
  const headers = new Headers();
  for (const [name, value] of from) {
    const plain = plainName(name);
    if (DROPPED.has(plain) || named.has(plain) || DROPPED_PREFIXES.some((prefix) => plain.startsWith(prefix))) continue;
    if (options.dropRanges && RANGES.has(plain)) continue;
    headers.append(name, value);
  }
  headers.set("user-agent", userAgent);
  return headers;
}

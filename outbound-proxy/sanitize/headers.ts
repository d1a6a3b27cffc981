/**
 * The headers of an answer as the sandbox may see them. Some speak of the connection or of reporting and are not the
 * sandbox's; some are ours to set and an upstream may only forge them; some describe a body that has been rewritten.
 */

/** RFC 9110 section 7.6.1 and its ancestors, alternative routes, and reports that would leave past the proxy. */
const NEVER_PASSED = new Set([
  "alt-svc",
  "connection",
  "keep-alive",
  "nel",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-connection",
  "report-to",
  "reporting-endpoints",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Headers by which the proxy speaks to the code in the sandbox. */
const OWN_PREFIX = "x-codeforge-";

/** True of the bytes that the upstream sent, and of no others. */
const DESCRIBE_BYTES = [
  "accept-ranges",
  "content-digest",
  "content-encoding",
  "content-length",
  "content-md5",
  "content-range",
  "digest",
  "repr-digest",
];

/** How one header is changed on its way: its value, or `null` to leave it out. */
export type Rewrite = (name: string, value: string) => string | null;

/** The headers that may pass, each rewritten on its own, every `Set-Cookie` too. */
export function toSandboxHeaders(upstream: Headers, rewrite: Rewrite = (_, value) => value): Headers {
  const named = new Set((upstream.get("connection") ?? "").split(",").map((name) => name.trim().toLowerCase()));
  const headers = new Headers();
  for (const [name, value] of upstream) {
    if (NEVER_PASSED.has(name) || named.has(name) || name.startsWith(OWN_PREFIX) || name === "set-cookie") continue;
    const rewritten = rewrite(name, value);
    if (rewritten !== null) headers.append(name, rewritten);
  }
  for (const cookie of upstream.getSetCookie()) {
    const rewritten = rewrite("set-cookie", cookie);
    if (rewritten !== null) headers.append("set-cookie", rewritten);
  }
  return headers;
}

/** Takes out what no longer fits a body that is being rewritten. */
export function dropByteHeaders(headers: Headers): void {
  for (const name of DESCRIBE_BYTES) headers.delete(name);
}

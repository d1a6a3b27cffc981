/**
 * The domain patterns of an API's config: what may be written, and what a URL must look like to match.
 * Matching takes the parts of a parsed `URL` and nothing else; a `Host` header never comes near it.
 */

/** One entry of `domains`, parsed. `port` is always explicit; `suffix` patterns match strict subdomains only. */
export interface DomainPattern {
  readonly scheme: "https" | "http";
  readonly host: string;
  readonly match: "exact" | "suffix";
  readonly port: number;
}

/** A parsed pattern, or the reason why it is none, worded for the person who wrote it. */
export type DomainResult =
  | { readonly ok: true; readonly pattern: DomainPattern }
  | { readonly ok: false; readonly reason: string };

const DEFAULT_PORTS = { https: 443, http: 80 } as const;

/**
 * Parses `api.example.com`, `*.example.com`, `api.example.com:8443`, `https://host:port` or `http://host:port`.
 * Plain http needs its port written out, so that opening it is a decision and not a typing error.
 */
export function parseDomain(text: string): DomainResult {
  const fail = (reason: string): DomainResult => ({ ok: false, reason });
  const parts = /^(?:(https?):\/\/)?(\*\.)?([^/?#@\s]+)$/.exec(text);
  if (!parts) return fail("write a host such as api.example.com, without path, query or user name");
  const [, scheme = "https", wildcard, authority = ""] = parts;
  if (scheme !== "https" && scheme !== "http") return fail("only https:// and http:// are known");
  if (authority.includes("*")) return fail("a wildcard is only possible as the first label: *.example.com");

  let url: URL;
  try {
    url = new URL(`${scheme}://${authority}/`);
  } catch {
    return fail("this is not a valid host name");
  }
  const written = /:(\d+)$/.exec(authority)?.[1];
  if (scheme === "http" && written === undefined) {
    return fail("plain http needs its port written out: http://127.0.0.1:9000");
  }
  const host = normaliseHost(url.hostname);
  if (host === "") return fail("this is not a valid host name");
  if (wildcard !== undefined) {
    if (isIpLiteral(host)) return fail("a wildcard cannot stand before an IP address");
    if (!host.includes(".")) return fail("a wildcard over a whole top-level domain is refused; name the domain");
  }
  const pattern: DomainPattern = {
    scheme,
    host,
    match: wildcard === undefined ? "exact" : "suffix",
    port: written === undefined ? DEFAULT_PORTS[scheme] : Number(written),
  };
  return { ok: true, pattern };
}

/** Lower case with one trailing dot stripped, as every comparison of hosts in this project sees them. */
export function normaliseHost(hostname: string): string {
  const host = hostname.toLowerCase();
  return host.endsWith(".") ? host.slice(0, -1) : host;
}

/** Whether a hostname in its WHATWG form is an IPv4 or a bracketed IPv6 address. */
export function isIpLiteral(host: string): boolean {
  return host.startsWith("[") || /^\d+\.\d+\.\d+\.\d+$/.test(host);
}

/** The port a URL really uses, its scheme's default included. */
export function portOf(url: URL): number {
  if (url.port !== "") return Number(url.port);
  return url.protocol === "http:" ? DEFAULT_PORTS.http : DEFAULT_PORTS.https;
}

/** Whether `url` is at the pattern's scheme, port and host; `*.x` matches strict subdomains, on a label boundary. */
export function matchesDomain(pattern: DomainPattern, url: URL): boolean {
  if (url.protocol !== `${pattern.scheme}:` || portOf(url) !== pattern.port) return false;
  const host = normaliseHost(url.hostname);
  return pattern.match === "exact" ? host === pattern.host : host.endsWith(`.${pattern.host}`) && !isIpLiteral(host);
}

/** The pattern as a person would write it: the scheme only when it is http, the port only when it is not the default. */
export function toDomainText(pattern: DomainPattern): string {
  const scheme = pattern.scheme === "http" ? "http://" : "";
  const wildcard = pattern.match === "suffix" ? "*." : "";
  const port = pattern.scheme === "https" && pattern.port === DEFAULT_PORTS.https ? "" : `:${pattern.port}`;
  return `${scheme}${wildcard}${pattern.host}${port}`;
}

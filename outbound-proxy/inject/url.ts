/**
 * Names in a URL, by editing its raw text: a round trip through `URLSearchParams` would rewrite parameters that a
 * signature covers. Nothing is open here unless a credential's `in` says `path` or `query:<key>`.
 */
import { readPercent } from "./readings.ts";
import type { Substitution } from "./substitution.ts";
import { encodeParameter, encodeSegment } from "./values.ts";

/** Returns the URL's text with names replaced where they may be. */
export function injectUrl(url: URL, substitution: Substitution): string {
  const path = url.pathname
    .split("/")
    .map((segment) =>
      substitution.replace(readPercent(segment), { place: "path", encode: encodeSegment, allowsLead: true }),
    )
    .join("/");
  const query = url.search === "" ? "" : `?${injectParameters(url.search.slice(1), "query", substitution)}`;
  return `${url.origin}${path}${query}`;
}

/** Replaces names in the values of `key=value&…`, in a query or a form; the place of each is `<kind>:<key>`. */
export function injectParameters(text: string, kind: "query" | "body", substitution: Substitution): string {
  return text
    .split("&")
    .map((pair) => {
      const at = pair.indexOf("=");
      const [key, value] = at === -1 ? [pair, null] : [pair.slice(0, at), pair.slice(at + 1)];
      substitution.replace(readPercent(key), { place: kind, encode: encodeParameter });
      if (value === null) return pair;
      const place = `${kind}:${decodeKey(key)}`;
      return `${key}=${substitution.replace(readPercent(value), { place, encode: encodeParameter })}`;
    })
    .join("&");
}

function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key.replaceAll("+", " "));
  } catch {
    return key;
  }
}

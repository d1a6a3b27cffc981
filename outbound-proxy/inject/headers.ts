/**
 * Names in headers. By default only `Authorization` and key-like headers are open, and there only for a value that is
 * the name, with a scheme before it at most. `header:<name>` opens one header wherever a name stands in it.
 */
import { decodeUtf8, fromBinary, toBinary } from "../body.ts";
import { isKeyHeader } from "./key-headers.ts";
import { readPlain } from "./readings.ts";
import type { PlaceRules, Substitution } from "./substitution.ts";

/**
 * `Bearer `, `token `, or nothing. It is no longer than schemes are: where a host echoes a header cut off at some length,
 * what stands before the value decides how much of the value is left, and a part of one is not recognised.
 */
const SCHEME = /^(?:[A-Za-z][\w-]{0,31} {1,4})?$/;

/** The same, and a single parameter: `Token token="`. */
const SCHEME_AND_PARAMETER = /^(?:[A-Za-z][\w-]{0,31} {1,4})?(?:[A-Za-z][\w-]{0,31}=)?"?$/;

const BASIC = /^(basic {1,4})([A-Za-z0-9+/_-]+={0,2}) *$/i;

/** Returns a copy of the headers with names replaced where they may be. */
export function injectHeaders(from: Headers, substitution: Substitution): Headers {
  const headers = new Headers(from);
  for (const [name, value] of from) {
    const replaced = injectHeader(name, value, substitution);
    if (replaced !== value && substitution.denial === null) headers.set(name, replaced);
  }
  return headers;
}

function injectHeader(name: string, value: string, substitution: Substitution): string {
  const rules: PlaceRules = { place: `header:${name}`, encode: (inserted) => inserted };
  if (name === "authorization") {
    const basic = readBasic(value);
    if (basic !== null) {
      const { scheme, pair } = basic;
      const replaced = substitution.replace(readPlain(pair), { ...rules, opensByDefault: () => true });
      return replaced === pair ? value : scheme + toBase64(replaced);
    }
    return substitution.replace(readPlain(value), { ...rules, opensByDefault: isWhole(value, SCHEME_AND_PARAMETER) });
  }
  if (!isKeyHeader(name)) return substitution.replace(readPlain(value), rules);
  return substitution.replace(readPlain(value), { ...rules, opensByDefault: isWhole(value, SCHEME) });
}

/** Whether what stands before a name is of this form, and nothing stands after it but the quote that was opened. */
function isWhole(value: string, before: RegExp): (start: number, end: number) => boolean {
  return (start, end) => {
    const head = value.slice(0, start);
    return before.test(head) && value.slice(end) === (head.endsWith('"') ? '"' : "");
  };
}

/** The user:password text of a Basic credential (RFC 7617), in either base64 alphabet; null when it is none. */
function readBasic(value: string): { scheme: string; pair: string } | null {
  const [, scheme = "", encoded] = BASIC.exec(value) ?? [];
  if (encoded === undefined) return null;
  const standard = encoded.replaceAll("-", "+").replaceAll("_", "/");
  let binary: string;
  try {
    binary = atob(standard);
  } catch {
    return null;
  }
  const pair = decodeUtf8(fromBinary(binary));
  return pair === null ? null : { scheme, pair };
}

function toBase64(text: string): string {
  return btoa(toBinary(new TextEncoder().encode(text)));
}

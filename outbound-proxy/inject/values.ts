/**
 * What a credential's value may look like in each place, and how it is written there. A value that would break out of
 * its place is refused when the Worker starts, and once more before it is put in.
 */

/**
 * Why a value cannot be used in one of the places of its credential's `in`; null when it can. Ask at start. The answer
 * is worded to follow "the value" and never holds any of it.
 * @example checkValue("a\nb", ["header"]) // "holds a line break or another control character"
 */
export function checkValue(value: string, places: readonly string[]): string | null {
  if (value === "") return "is empty";
  if (!value.isWellFormed()) return "is not valid Unicode";
  for (const place of places) {
    const problem = checkPlace(value, place);
    if (problem !== null) return problem;
  }
  return null;
}

function checkPlace(value: string, place: string): string | null {
  if (place !== "path" && place !== "header" && !place.startsWith("header:")) return null;
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) return "holds a line break or another control character";
  if (place === "path") {
    const breaksOut = /[/\\?#]|\.\./.test(value) || value === ".";
    return breaksOut ? 'holds "/", "\\", "?", "#" or "..", which a path segment cannot carry' : null;
  }
  if (value.trim() !== value) return "starts or ends with a space";
  return /[^\u0020-\u00ff]/.test(value) ? "holds characters that a header cannot carry (beyond Latin-1)" : null;
}

/** Percent-encodes for a query or a form: everything but unreserved characters (RFC 3986 §2.3). */
export function encodeParameter(value: string): string {
  return encodeURIComponent(value).replace(/[!'()*]/g, toPercent);
}

/** Percent-encodes for a path segment, where `:` and `@` stand for themselves (RFC 3986 §3.3), as in Telegram's tokens. */
export function encodeSegment(value: string): string {
  return encodeParameter(value).replaceAll("%3A", ":").replaceAll("%40", "@");
}

/** Escapes for the inside of a JSON string. */
export function encodeJson(value: string): string {
  return JSON.stringify(value).slice(1, -1);
}

function toPercent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

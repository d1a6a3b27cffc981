/**
 * Splits identifiers into words (rule M2): marks removed, split at case changes and at everything that is neither
 * letter nor digit, lower case, ASCII. `getHTTPResponse`, `get-http-response` and `Get HTTP response` are the same.
 */

/** The words of an identifier or a title; empty when nothing of it is ASCII. */
export function toWords(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

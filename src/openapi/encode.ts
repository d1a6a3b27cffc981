/**
 * Percent-encoding (rule M7). Everything outside RFC 3986's unreserved set is encoded, space as `%20`. With
 * `allowReserved` the reserved set stays, except what would end the query or one of its values: `# [ ] & +`.
 */

/** Encodes a name or value; only unreserved characters stay. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes a value whose reserved characters are meant as such. */
export function encodeReserved(text: string): string {
  return text.toWellFormed().replace(/[^A-Za-z0-9\-._~:/?@!$'()*,;=]+/g, encode);
}

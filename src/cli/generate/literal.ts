/**
 * Values as TypeScript source. Text from a document is data: it leaves here as JSON strings, in which nothing ends a
 * string, a line or a comment, and which mean the same to a compiler as to a reader.
 */

/** A JSON value as an expression on one line. */
export function toLiteral(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toLiteral).join(", ")}]`;
  if (typeof value !== "object" || value === null) return quote(JSON.stringify(value) ?? "null");
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  if (members.length === 0) return "{}";
  return `{ ${members.map(([key, member]) => `${toKey(key)}: ${toLiteral(member)}`).join(", ")} }`;
}

/** A property's name. Written plainly, `__proto__` would set the prototype and be no property. */
export function toKey(key: string): string {
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(key) ? key : quote(JSON.stringify(key));
}

/** JSON text with everything escaped that some reader takes for the end of a line, or does not show. */
function quote(json: string): string {
  return json.replace(
    /[\u007F-\u009F\u00AD\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

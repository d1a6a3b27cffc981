/** Texts of others on a terminal: code of a run, what a skill says of itself, what a server answers. */

/** What a terminal or a reader acts on instead of showing it: C0 but for tab and line feed, DEL, C1, marks of direction. */
// oxlint-disable-next-line no-control-regex -- these are the characters to be escaped
const ACTS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** The text with such characters written out, so that it can neither move the cursor nor hide a line. */
export function toPrintable(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(ACTS, toEscape);
}

function toEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/**
 * Text from a document (rules M3 and M4). It is data: control characters go, lengths are bounded, and nothing in it is
 * ever evaluated or spliced into code.
 */

const MAX_TITLE = 80;

/** The whole of a tool's description: model APIs refuse a list of tools for one that is longer. */
const MAX_DESCRIPTION = 1024;
/** A path longer than this is cut in a description. */
const MAX_PATH = 400;

/** The sentence that ends the description of an operation that asks first. */
export const CONFIRM_SENTENCE = "Ask the user to confirm before calling this.";

/**
 * Text without control characters (tab and line feed stay) and without the marks that reorder or hide other text:
 * bidirectional overrides, zero-width and tag characters.
 */
export function cleanText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\u2028\u2029]/g, "\n")
    .replace(
      /[\p{Cc}\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF\u{E0000}-\u{E007F}]/gu,
      (character) => (character === "\n" || character === "\t" ? character : ""),
    )
    .replace(/[ \t]+$/gm, "")
    .trim()
    .toWellFormed();
}

/** One line of text. */
export function oneLine(text: string): string {
  return cleanText(text).replace(/\s+/g, " ");
}

/** Text of at most `max` characters, cut at a word, the cut marked. */
export function cutAtWord(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = text.slice(0, max - 1);
  const lastSpace = Math.max(head.lastIndexOf(" "), head.lastIndexOf("\n"));
  const kept = lastSpace > max / 2 ? head.slice(0, lastSpace) : head;
  return `${kept.trimEnd()}…`.toWellFormed().replace("\uFFFD…", "…");
}

/** A tool's title from an operation's summary, or undefined when it has none. */
export function toTitle(summary: string | undefined): string | undefined {
  const line = oneLine(summary ?? "");
  return line === "" ? undefined : cutAtWord(line, MAX_TITLE);
}

/** What a description is made of. `notes` are whole sentences of this project's own. */
export interface DescriptionParts {
  readonly summary?: string | undefined;
  readonly description?: string | undefined;
  readonly method: string;
  readonly path: string;
  readonly deprecated: boolean;
  readonly confirm: boolean;
  readonly notes?: readonly string[];
}

/** A tool's description: text, notes, `METHOD /path`, and the request to ask first where there is one; the text gives way. */
export function toDescription(parts: DescriptionParts): string {
  const summary = oneLine(parts.summary ?? "");
  const description = cleanText(parts.description ?? "");
  const text = description.startsWith(summary) ? [description] : [summary, description];
  const body = text.filter((part) => part !== "").join("\n\n");
  const told = parts.deprecated ? `Deprecated. ${body}`.trimEnd() : body;
  const rest = [
    (parts.notes ?? []).join(" "),
    `${parts.method} ${cutAtWord(oneLine(parts.path), MAX_PATH)}`,
    parts.confirm ? CONFIRM_SENTENCE : "",
  ].filter((part) => part !== "");
  const room = MAX_DESCRIPTION - rest.reduce((sum, part) => sum + part.length + 2, 0);
  return [told === "" ? "" : cutAtWord(told, room), ...rest].filter((part) => part !== "").join("\n\n");
}

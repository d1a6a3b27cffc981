/**
 * Reads `REDACTING_STRINGS`. What is wrong is said by position, never by repeating a string: they are personal data.
 */
import { z } from "zod";

export type RedactingStrings =
  | { readonly ok: true; readonly strings: readonly string[] }
  | { readonly ok: false; readonly problems: readonly string[] };

/** Shorter strings are in half of all words. */
const MIN_LENGTH = 3;

/**
 * Parses the variable: strings separated by commas, or a JSON array of strings when one of them holds a comma.
 * @param credentialNames a string that could be found across one of these would keep its value from being put in
 * @example parseRedactingStrings("Ada Lovelace, ada@example.com", []) // two strings
 */
export function parseRedactingStrings(text: string | undefined, credentialNames: readonly string[]): RedactingStrings {
  const entries = splitEntries(text ?? "");
  if (entries === null) {
    return {
      ok: false,
      problems: [
        'REDACTING_STRINGS starts with "[" and is not a JSON array of strings: ["Ada Lovelace", "1, High St"]',
      ],
    };
  }
  const problems = entries.flatMap((entry, index) => {
    const where = `REDACTING_STRINGS, string ${index + 1}`;
    if (entry.length < MIN_LENGTH) return [`${where}: it is shorter than ${MIN_LENGTH} characters; leave it out`];
    if (!entry.isWellFormed()) return [`${where}: it is not valid Unicode`];
    const name = credentialNames.find((name) => overlapsName(entry, name));
    return name === undefined ? [] : [`${where}: it overlaps the credential name ${name}; rename the credential`];
  });
  return problems.length > 0 ? { ok: false, problems } : { ok: true, strings: [...new Set(entries)] };
}

function splitEntries(text: string): string[] | null {
  if (!text.trimStart().startsWith("[")) {
    return text
      .split(",")
      .map((entry) => entry.trim())
      .filter((entry) => entry !== "");
  }
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Whether some text holds both, sharing characters, where the name stands on identifier boundaries: there, replacing
 * the string would destroy the name.
 */
function overlapsName(text: string, name: string): boolean {
  for (let offset = 1 - text.length; offset < name.length; offset++) {
    // `text` is laid over `name` with its first character at `offset` of it.
    const from = Math.max(0, offset);
    const to = Math.min(name.length, offset + text.length);
    const agrees = name.slice(from, to) === text.slice(from - offset, to - offset);
    const before = offset < 0 ? text.charAt(-offset - 1) : "";
    const after = text.charAt(name.length - offset);
    if (agrees && !isIdentifier(before) && !isIdentifier(after)) return true;
  }
  return false;
}

function isIdentifier(character: string): boolean {
  return /^[A-Za-z0-9_]$/.test(character);
}

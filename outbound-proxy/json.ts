/**
 * Finds the strings of a JSON text without changing it: where each one stands and by which path, so that one can be
 * replaced by splicing and everything else (numbers, spacing, order) stays byte for byte.
 */

/** A string value in a JSON text. `start` and `end` delimit what is between its quotes. */
export interface JsonString {
  /** Member names and indices from the root, joined by dots: `auth.client_secret`, `items.0.key`. */
  readonly path: string;
  readonly start: number;
  readonly end: number;
}

export interface JsonScan {
  readonly strings: readonly JsonString[];
  /** Whether an object has two members of one name, which readers resolve in different ways. */
  readonly repeatedKey: boolean;
}

/** A token: punctuation, a string, or a literal. The text is known to be valid JSON, so nothing finer is needed. */
const TOKEN = /[{}[\],]|("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[^\s{}[\],":]+/g;

interface Level {
  readonly keys: Set<string> | null;
  readonly prefix: string;
  key: string;
  index: number;
}

/** Scans a JSON text; null when it is not valid JSON. */
export function scanJson(text: string): JsonScan | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const strings: JsonString[] = [];
  const levels: Level[] = [];
  let repeatedKey = false;
  for (const match of text.matchAll(TOKEN)) {
    const [token, quoted, colon] = match;
    const level = levels.at(-1);
    if (quoted !== undefined && colon !== undefined) {
      const key = String(JSON.parse(quoted));
      if (level?.keys?.has(key)) repeatedKey = true;
      level?.keys?.add(key);
      if (level) level.key = key;
    } else if (quoted !== undefined) {
      strings.push({ path: pathOf(level), start: match.index + 1, end: match.index + quoted.length - 1 });
    } else if (token === "{" || token === "[") {
      const path = pathOf(level);
      levels.push({ keys: token === "{" ? new Set() : null, prefix: path === "" ? "" : `${path}.`, key: "", index: 0 });
    } else if (token === "}" || token === "]") levels.pop();
    else if (token === "," && level) level.index += 1;
  }
  return { strings, repeatedKey };
}

function pathOf(level: Level | undefined): string {
  if (level === undefined) return "";
  return `${level.prefix}${level.keys === null ? level.index : level.key}`;
}

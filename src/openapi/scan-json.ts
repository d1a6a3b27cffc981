/**
 * What `JSON.parse` does not say about a text it accepts: a key written twice in one object, of which it silently keeps
 * the last, so that two readers of one document could see two different APIs; and how deep the values are nested.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The first duplicate key of a valid JSON text, if any, and its greatest depth. */
export interface JsonFacts {
  readonly duplicate?: string;
  readonly depth: number;
}

/** Scans a valid JSON text once. */
export function scanJson(text: string): JsonFacts {
  const open: (Set<string> | undefined)[] = [];
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
        depth = Math.max(depth, open.push(new Set()));
        break;
      case 0x5b: // [
        depth = Math.max(depth, open.push(undefined));
        break;
      case 0x7d: // }
      case 0x5d: // ]
        open.pop();
        break;
      case QUOTE: {
        const end = endOfString(text, i + 1);
        const keys = open.at(-1);
        if (keys !== undefined && isKey(text, end + 1)) {
          const raw = text.slice(i + 1, end);
          const key = raw.includes("\\") ? String(JSON.parse(`"${raw}"`)) : raw;
          if (keys.has(key)) return { duplicate: key, depth };
          keys.add(key);
        }
        i = end;
      }
    }
  }
  return { depth };
}

function endOfString(text: string, from: number): number {
  let i = from;
  while (i < text.length && text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1;
  return i;
}

/** In valid JSON a string followed by a colon is a key, and nothing else is. */
function isKey(text: string, from: number): boolean {
  let i = from;
  while (i < text.length && text.charCodeAt(i) <= 0x20) i++;
  return text[i] === ":";
}

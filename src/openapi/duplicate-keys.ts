/**
 * Finds a key written twice in one JSON object. `JSON.parse` keeps the last one and says nothing, so that two readers of
 * one document could see two different APIs. Expects text that `JSON.parse` has accepted.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The first duplicate key of a valid JSON text, or undefined. */
export function findDuplicateKey(text: string): string | undefined {
  const open: (Set<string> | undefined)[] = [];
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x7b: // {
        open.push(new Set());
        break;
      case 0x5b: // [
        open.push(undefined);
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
          if (keys.has(key)) return key;
          keys.add(key);
        }
        i = end;
      }
    }
  }
  return undefined;
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

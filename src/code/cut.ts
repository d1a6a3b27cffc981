/** Cutting results to a size: JSON stays JSON, no character is split, and what is missing is said. */
import { isHighSurrogate, missingText, Shrinker } from "./shrinker.ts";

/** `text` itself, or its beginning with a note of how much is missing; at most `max` characters. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text;
  const room = Math.max(0, max - missingText(text.length).length - 1);
  const end = endBeforeSplit(text, room);
  return `${text.slice(0, end)}\n${missingText(text.length - end)}`;
}

/**
 * `json` itself, or a smaller JSON text of the same shape: strings, arrays and objects keep their beginnings, and each
 * says how much of it is missing. At most `max` characters, as long as `max` allows for one such note.
 */
export function cutJson(json: string, max: number): string {
  if (json.length <= max) return json;
  // Each step keeps half as much of everything; the first that fits shows at least half of what would.
  for (let limit = max; limit >= 1; limit = Math.floor(limit / 2)) {
    const text = new Shrinker(json, limit, max).print();
    if (text !== null) return text;
  }
  return JSON.stringify(missingText(json.length));
}

/** The largest end up to `end` that leaves no half of a surrogate pair. */
function endBeforeSplit(text: string, end: number): number {
  return isHighSurrogate(text.charCodeAt(end - 1)) ? end - 1 : end;
}

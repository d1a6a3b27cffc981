/** Cutting results to a size: JSON stays JSON, no character is split, and what is missing is said. */

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
  const value: unknown = JSON.parse(json);
  // Each step keeps half as much of everything; the first that fits shows at least half of what would.
  for (let limit = max; limit >= 1; limit = Math.floor(limit / 2)) {
    const text = new Shrinker(limit, max).print(value);
    if (text !== null) return text;
  }
  return JSON.stringify(missingText(json.length));
}

/** How many characters of a string each step keeps for one item of a list. */
const CHARACTERS_PER_ITEM = 10;

/** Prints a value with at most `limit` members of each list; gives up as soon as the text is longer than `max`. */
class Shrinker {
  readonly #limit: number;
  readonly #max: number;
  /** Characters of the leaves so far: a lower bound of the whole. */
  #length = 0;

  constructor(limit: number, max: number) {
    this.#limit = limit;
    this.#max = max;
  }

  print(value: unknown): string | null {
    this.#length = 0;
    const text = this.#value(value);
    return text.length <= this.#max ? text : null;
  }

  #value(value: unknown): string {
    if (typeof value === "string") return this.#leaf(this.#string(value));
    if (typeof value !== "object" || value === null) return this.#leaf(JSON.stringify(value));
    if (Array.isArray(value)) {
      const items = this.#members(value, (item) => this.#value(item));
      if (value.length > this.#limit) items.push(JSON.stringify(`… ${value.length - this.#limit} more items`));
      return `[${items.join(",")}]`;
    }
    const entries = Object.entries(value);
    const members = this.#members(entries, ([key, member]) => `${JSON.stringify(key)}:${this.#value(member)}`);
    if (entries.length > this.#limit) members.push(`"…":"${entries.length - this.#limit} more keys"`);
    return `{${members.join(",")}}`;
  }

  /** Stops early when it cannot fit any more; the result is thrown away then. */
  #members<T>(all: readonly T[], print: (member: T) => string): string[] {
    const printed: string[] = [];
    for (const member of all.slice(0, this.#limit)) {
      if (this.#length > this.#max) break;
      printed.push(print(member));
    }
    return printed;
  }

  #string(text: string): string {
    const max = this.#limit * CHARACTERS_PER_ITEM;
    if (text.length <= max) return JSON.stringify(text);
    const end = endBeforeSplit(text, max);
    return JSON.stringify(text.slice(0, end) + missingText(text.length - end));
  }

  #leaf(text: string): string {
    this.#length += text.length;
    return text;
  }
}

function missingText(characters: number): string {
  return `… [${characters} more characters]`;
}

/** The largest end up to `end` that leaves no half of a surrogate pair. */
function endBeforeSplit(text: string, end: number): number {
  const unit = text.charCodeAt(end - 1);
  return unit >= 0xd800 && unit <= 0xdbff ? end - 1 : end;
}

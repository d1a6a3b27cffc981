/**
 * Prints a JSON text smaller, without making a value of it: 24 MiB of small objects would take more memory than an object
 * on the platform has. What is not shown is passed over.
 */

/** How many characters of a string are kept for one item of a list. */
const CHARACTERS_PER_ITEM = 10;

/** Lists in lists beyond this depth are not shown. */
const MAX_DEPTH = 200;

const CODES = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  backslash: 0x5c,
  open: 0x5b,
  close: 0x5d,
  begin: 0x7b,
  end: 0x7d,
};

/** Prints a JSON text with at most `limit` members of each list; gives up when it becomes longer than `max`. */
export class Shrinker {
  readonly #json: string;
  readonly #limit: number;
  readonly #max: number;
  #at = 0;
  #depth = 0;
  /** Characters of the leaves so far: a lower bound of the whole. */
  #length = 0;

  /** `json` is valid; `limit` and `max` are at least 1. */
  constructor(json: string, limit: number, max: number) {
    this.#json = json;
    this.#limit = limit;
    this.#max = max;
  }

  /** The smaller text, of the same shape; null when it would be longer than `max` characters. */
  print(): string | null {
    const text = this.#value();
    return this.#isOver() || text.length > this.#max ? null : text;
  }

  #isOver(): boolean {
    return this.#length > this.#max;
  }

  #value(): string {
    switch (this.#peek()) {
      case CODES.quote:
        return this.#leaf(this.#string());
      case CODES.open:
        return this.#container(() => this.#value(), "items");
      case CODES.begin:
        return this.#container(() => `${this.#key()}:${this.#value()}`, "keys");
      default:
        return this.#leaf(this.#literal());
    }
  }

  /** A list or an object; `member` prints the next one. Stops early when it cannot fit any more. */
  #container(member: () => string, noun: "items" | "keys"): string {
    if (this.#depth >= MAX_DEPTH) {
      this.#pass();
      return this.#leaf(JSON.stringify(`… deeper ${noun}`));
    }
    const isList = noun === "items";
    const members: string[] = [];
    let more = 0;
    this.#depth += 1;
    this.#at += 1;
    while (!this.#isOver() && this.#hasMember()) {
      if (members.length < this.#limit) members.push(member());
      else {
        if (!isList) this.#key();
        this.#pass();
        more += 1;
      }
    }
    this.#at += 1;
    this.#depth -= 1;
    if (more > 0) members.push(isList ? JSON.stringify(`… ${more} more items`) : `"…":"${more} more keys"`);
    return isList ? `[${members.join(",")}]` : `{${members.join(",")}}`;
  }

  /** Whether another member comes; the comma before it is passed. */
  #hasMember(): boolean {
    if (this.#peek() === CODES.comma) this.#at += 1;
    const code = this.#peek();
    return code !== CODES.close && code !== CODES.end && !Number.isNaN(code);
  }

  /** The key as it is written, with the colon passed. */
  #key(): string {
    this.#peek();
    const begin = this.#at;
    this.#passString();
    const key = this.#json.slice(begin, this.#at);
    this.#peek();
    this.#at += 1;
    return key;
  }

  #string(): string {
    const begin = this.#at;
    this.#passString();
    const max = this.#limit * CHARACTERS_PER_ITEM;
    const length = decodedLength(this.#json, begin + 1, this.#at - 1);
    if (length <= max) return this.#json.slice(begin, this.#at);
    const end = endOfCharacters(this.#json, begin + 1, max);
    const text = JSON.parse(`${this.#json.slice(begin, end)}"`) as string;
    const shown = isHighSurrogate(text.charCodeAt(text.length - 1)) ? text.slice(0, -1) : text;
    return JSON.stringify(shown + missingText(length - shown.length));
  }

  #literal(): string {
    const begin = this.#at;
    this.#pass();
    return this.#json.slice(begin, this.#at);
  }

  /** Passes over a value, however deep. */
  #pass(): void {
    let depth = 0;
    do {
      const code = this.#peek();
      if (code === CODES.quote) this.#passString();
      else if (code === CODES.open || code === CODES.begin) {
        depth += 1;
        this.#at += 1;
      } else if (code === CODES.close || code === CODES.end) {
        depth -= 1;
        this.#at += 1;
      } else if (depth > 0) this.#at += 1;
      else this.#passLiteral();
    } while (depth > 0 && this.#at < this.#json.length);
  }

  #passLiteral(): void {
    while (isOfLiteral(this.#json.charCodeAt(this.#at))) this.#at += 1;
  }

  #passString(): void {
    this.#at = endOfString(this.#json, this.#at);
  }

  /** The code of the next character that is no white space; NaN at the end. */
  #peek(): number {
    while (this.#json.charCodeAt(this.#at) <= CODES.space) this.#at += 1;
    return this.#json.charCodeAt(this.#at);
  }

  #leaf(text: string): string {
    this.#length += text.length;
    return text;
  }
}

/** Whether a number, `true`, `false` or `null` goes on with this code. */
function isOfLiteral(code: number): boolean {
  return code > CODES.space && code !== CODES.comma && code !== CODES.close && code !== CODES.end;
}

/** Says how many characters of a text are missing. */
export function missingText(characters: number): string {
  return `… [${characters} more characters]`;
}

/** Whether it is the first half of a surrogate pair. */
export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** The index after the string that begins with the quote at `begin`. */
function endOfString(json: string, begin: number): number {
  let at = begin + 1;
  for (;;) {
    const quote = json.indexOf('"', at);
    if (quote === -1) return json.length;
    let backslashes = 0;
    while (json.charCodeAt(quote - 1 - backslashes) === CODES.backslash) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

/** How many characters the text of a string stands for. */
function decodedLength(json: string, begin: number, end: number): number {
  // Of a part of its own, so that a search does not go on to the end of everything.
  const text = json.slice(begin, end);
  let { length } = text;
  for (let at = text.indexOf("\\"); at !== -1; at = text.indexOf("\\", at + escapeLength(text, at))) {
    length -= escapeLength(text, at) - 1;
  }
  return length;
}

/** The index after the first `count` characters of a string's text. */
function endOfCharacters(json: string, begin: number, count: number): number {
  let at = begin;
  for (let n = 0; n < count; n++) at += json.charCodeAt(at) === CODES.backslash ? escapeLength(json, at) : 1;
  return at;
}

function escapeLength(json: string, at: number): number {
  return json[at + 1] === "u" ? 6 : 2;
}

/**
 * A bounded memory of parsed values: what was used longest ago goes first. It keeps values alone: two who ask at the same
 * time both read, and the one who is cancelled harms nobody.
 */

/** A value that was read, and what it weighs, in characters of the text it came from. */
export interface Weighed<T> {
  readonly value: T;
  readonly size: number;
}

export class Kept<T> {
  readonly #limit: number;
  readonly #entries = new Map<string, Weighed<T>>();
  #total = 0;

  /** `limit` is the most that all values together may weigh. One that is heavier alone is kept alone. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The value under a key, read if it is not there. */
  async get(key: string, read: () => Promise<Weighed<T>>): Promise<T> {
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known.value;
    }
    const entry = await read();
    this.#drop(key);
    this.#entries.set(key, entry);
    this.#total += entry.size;
    for (const oldest of this.#entries.keys()) {
      if (this.#total <= this.#limit || this.#entries.size === 1) break;
      this.#drop(oldest);
    }
    return entry.value;
  }

  #drop(key: string): void {
    this.#total -= this.#entries.get(key)?.size ?? 0;
    this.#entries.delete(key);
  }
}

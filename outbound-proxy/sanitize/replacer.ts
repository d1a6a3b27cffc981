/**
 * Replaces occurrences of patterns in a text that arrives in pieces. Overlapping and nested occurrences are merged into
 * one interval, and the interval is replaced as a whole by the name of its longest pattern: every byte of every
 * occurrence goes, and the output does not depend on where the pieces were cut.
 * It emits only what it is told to, up to a position that must not depend on partial matches (see `scrubber.ts`).
 */
import type { Automaton } from "./automaton.ts";
import { scan } from "./scan.ts";

/** What to look for and what to put there. */
export interface Patterns {
  readonly automaton: Automaton;
  readonly lengths: ArrayLike<number>;
  /** Per pattern: characters that go too when one stands directly before or after an occurrence; mostly none. */
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** An occurrence, or several that overlap. Positions count from the beginning of the text. */
interface Interval {
  readonly start: number;
  readonly end: number;
  /** The longest pattern that occurs in it. */
  readonly longest: number;
  /** The pattern that occurs at its end. */
  readonly last: number;
}

/** Gives the bytes that replace an interval, from its longest pattern. Called once per interval emitted. */
export type Replacement = (pattern: number) => Uint8Array;

const EMPTY = new Uint8Array(0);

/** One text on its way through. */
export class Replacer {
  readonly #patterns: Patterns;
  readonly #replacement: Replacement;
  readonly #intervals: Interval[] = [];
  #state = 0;
  /** Holds the text from position `#origin` on; `#length` bytes of it are in use. */
  #buffer: Uint8Array<ArrayBuffer>;
  #origin = 0;
  #length = 0;
  #emitted = 0;
  /** What stands before this position is wanted no more, and goes with the next piece. */
  #wanted = 0;
  #output: Uint8Array<ArrayBuffer> = EMPTY;

  constructor(patterns: Patterns, replacement: Replacement) {
    this.#patterns = patterns;
    this.#replacement = replacement;
    this.#buffer = EMPTY;
  }

  /** Position after the last byte pushed. */
  get received(): number {
    return this.#origin + this.#length;
  }

  /** Position of the first byte that has not been emitted. */
  get emitted(): number {
    return this.#emitted;
  }

  /** Whether an occurrence has been found and not been emitted. */
  get pending(): boolean {
    return this.#intervals.length > 0;
  }

  /** Takes the next piece of the text. */
  push(bytes: Uint8Array): void {
    const from = this.#append(bytes);
    this.#state = scan(this.#patterns.automaton, this.#buffer, from, this.#length, this.#state, (end, pattern) =>
      this.#merge(end, pattern),
    );
  }

  /**
   * Emits the text before `limit` with its occurrences replaced. No later occurrence may begin before `limit`, and the
   * byte after `limit` must be here, unless it cannot belong to one. An interval that reaches across `limit` is kept
   * back whole: it may still grow. The bytes are good until the next piece is pushed: long texts need one buffer.
   */
  emit(limit: number): Uint8Array {
    if (limit <= this.#wanted) return EMPTY;
    const parts: Uint8Array[] = [];
    let position = this.#emitted;
    let ready = 0;
    let stop = limit;
    for (const { start, end, longest, last } of this.#intervals) {
      if (start < limit && end > limit) stop = start;
      if (end > limit) break;
      parts.push(this.#slice(position, start), this.#replacement(longest));
      position = end + (this.#isOneOf(this.#patterns.after[last], end) ? 1 : 0);
      ready++;
    }
    parts.push(this.#slice(position, stop));
    this.#intervals.splice(0, ready);
    this.#emitted = Math.max(position, stop);
    this.#wanted = limit;
    return this.#join(parts);
  }

  /** Emits all that is left: the text has ended. */
  end(): Uint8Array {
    return this.emit(this.received);
  }

  #merge(index: number, pattern: number): void {
    const { lengths, before } = this.#patterns;
    const end = this.#origin + index;
    let start = end - (lengths[pattern] as number);
    if (this.#isOneOf(before[pattern], start - 1)) start--;
    let longest = pattern;
    for (let last = this.#intervals.at(-1); last !== undefined && last.end > start; last = this.#intervals.at(-1)) {
      start = Math.min(start, last.start);
      if ((lengths[last.longest] as number) >= (lengths[longest] as number)) longest = last.longest;
      this.#intervals.pop();
    }
    this.#intervals.push({ start, end, longest, last: pattern });
  }

  /** Whether the byte at `position` is here and one of `characters`. */
  #isOneOf(characters: string | undefined, position: number): boolean {
    if (characters === undefined || characters === "") return false;
    const index = position - this.#origin;
    return (
      index >= 0 && index < this.#length && characters.includes(String.fromCharCode(this.#buffer[index] as number))
    );
  }

  #slice(start: number, end: number): Uint8Array {
    // The bytes of an interval that was kept back are gone already; nothing of them is wanted.
    return end <= start ? EMPTY : this.#buffer.subarray(start - this.#origin, end - this.#origin);
  }

  /** The parts one after another, in a buffer that is used again; mostly there is one, which is not copied. */
  #join(parts: readonly Uint8Array[]): Uint8Array {
    const [only] = parts;
    if (only !== undefined && parts.length === 1) return only;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    if (length > this.#output.length) this.#output = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      this.#output.set(part, at);
      at += part.length;
    }
    return this.#output.subarray(0, length);
  }

  /** Puts `bytes` after what is held and returns the index where they begin. */
  #append(bytes: Uint8Array): number {
    this.#drop();
    const from = this.#length;
    const needed = from + bytes.length;
    if (needed > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(needed, this.#buffer.length * 2));
      larger.set(this.#buffer.subarray(0, from));
      this.#buffer = larger;
    }
    this.#buffer.set(bytes, from);
    this.#length = needed;
    return from;
  }

  #drop(): void {
    const dropped = this.#wanted - this.#origin;
    this.#buffer.copyWithin(0, dropped, this.#length);
    this.#origin = this.#wanted;
    this.#length -= dropped;
  }
}

/**
 * Turns credential values, in every form of `forms.ts`, back into their names: in header texts, in whole bodies and in
 * streams. A stream is held back by a constant distance or let go at the end of an event or line. "Everything but a
 * partial match" would be quicker, and would let a host under the sandbox's control spell a value out letter by letter,
 * by watching what is held.
 */
import { buildAutomaton, sizeOf } from "./automaton.ts";
import { decodeLatin1, encodeLatin1, encodeUtf8 } from "./bytes.ts";
import { BoundedCache } from "./cache.ts";
import type { Filter } from "./filter.ts";
import { formsOf, MIN_SECRET_LENGTH } from "./forms.ts";
import { createBoundaryFinder, crossesBoundary, type Framing } from "./framing.ts";
import { Replacer, type Patterns } from "./replacer.ts";

/** A credential's name and its real value. */
export interface SecretValue {
  readonly name: string;
  readonly value: string;
}

/** A text after scrubbing, and the names that were put back, each once. */
export interface Scrub {
  readonly text: string;
  readonly names: readonly string[];
}

/**
 * `sent` holds the names that were put into this request: of two names with one value, the one that was sent comes
 * back, else the one declared first.
 */
export interface Scrubber {
  /** For header values and status texts. Returns its input when there is nothing to replace. */
  text(input: string, sent: ReadonlySet<string>): Scrub;
  /** For bodies at hand. Returns its input when there is nothing to replace. */
  bytes(input: Uint8Array, sent: ReadonlySet<string>): { bytes: Uint8Array; names: readonly string[] };
  /** Whether a header's name contains a value. Names arrive in lower case, so case is not looked at. */
  isInHeaderName(headerName: string): boolean;
  /** For bodies that stream, one for each. `onNames` hears each name once, when it first leaves. */
  filter(framing: Framing, sent: ReadonlySet<string>, onNames: (names: readonly string[]) => void): Filter;
  /** Size of the tables. */
  readonly tableBytes: number;
}

/** An event or line longer than this is let go like any other stream. */
export const MAX_FRAME_BYTES = 1024 * 1024;

/** The hold-back is rounded up to a multiple of this, so that it does not tell the longest value's length. */
const HOLD_STEP = 256;

// oxlint-disable-next-line no-control-regex -- ASCII includes the control characters
const IS_ASCII = /^[\0-\x7f]*$/;

/** Builds a scrubber. `null` when there is nothing to look for. `createScrubber` keeps what this builds. */
export function buildScrubber(secrets: readonly SecretValue[]): Scrubber | null {
  const { bytes, before, after, owners } = collectPatterns(secrets);
  if (bytes.length === 0) return null;
  const automaton = buildAutomaton(bytes);
  const patterns: Patterns = { automaton, lengths: Int32Array.from(bytes, ({ length }) => length), before, after };
  // One more than the longest pattern needs, for the characters before and after.
  const reach = automaton.longest + 1;
  const hold = Math.ceil(reach / HOLD_STEP) * HOLD_STEP;
  const framable = {
    events: !bytes.some((pattern) => crossesBoundary(pattern, "events")),
    lines: !bytes.some((pattern) => crossesBoundary(pattern, "lines")),
  };

  const replacerFor = (sent: ReadonlySet<string>, found: Set<string>): Replacer =>
    new Replacer(patterns, (pattern) => {
      const names = owners[pattern] ?? [];
      const name = names.find((owner) => sent.has(owner)) ?? names[0] ?? "";
      found.add(name);
      return encodeUtf8(name);
    });

  const scrubBytes: Scrubber["bytes"] = (input, sent) => {
    const names = new Set<string>();
    const replacer = replacerFor(sent, names);
    replacer.push(input);
    return replacer.pending ? { bytes: replacer.end(), names: [...names] } : { bytes: input, names: [] };
  };

  return {
    bytes: scrubBytes,
    text(input, sent) {
      const utf8 = scrubBytes(encodeUtf8(input), sent);
      const text = utf8.names.length === 0 ? input : new TextDecoder().decode(utf8.bytes);
      // Header bytes are shown as Latin-1 by some and as UTF-8 by others, and a value beyond ASCII reads as either.
      const bytes = IS_ASCII.test(text) ? null : encodeLatin1(text);
      if (bytes === null) return { text, names: utf8.names };
      const latin1 = scrubBytes(bytes, sent);
      return {
        text: latin1.names.length === 0 ? text : decodeLatin1(latin1.bytes),
        names: [...new Set([...utf8.names, ...latin1.names])],
      };
    },
    isInHeaderName: createHeaderNameCheck(secrets),
    filter(framing, sent, onNames) {
      const names = new Set<string>();
      const replacer = replacerFor(sent, names);
      const findBoundary = framing !== "bytes" && framable[framing] ? createBoundaryFinder(framing) : null;
      let boundary = 0;
      let told = 0;
      const leaving = (bytes: Uint8Array): Uint8Array => {
        if (names.size > told) onNames([...names].slice(told));
        told = names.size;
        return bytes;
      };
      return {
        push(chunk) {
          const before = replacer.received;
          replacer.push(chunk);
          const found = findBoundary === null ? 0 : findBoundary(chunk);
          if (found > 0) boundary = before + found;
          const isFramed = findBoundary !== null && replacer.received - boundary <= MAX_FRAME_BYTES;
          return leaving(replacer.emit(isFramed ? boundary : Math.max(boundary, replacer.received - hold)));
        },
        end: () => leaving(replacer.end()),
      };
    },
    tableBytes: sizeOf(automaton),
  };
}

function createHeaderNameCheck(secrets: readonly SecretValue[]): (headerName: string) => boolean {
  const values = secrets
    .filter(({ value }) => value.length >= MIN_SECRET_LENGTH && /^[\w!#$%&'*+.^`|~-]+$/.test(value))
    .map(({ value }) => value.toLowerCase());
  return (headerName) => headerName.length >= MIN_SECRET_LENGTH && values.some((value) => headerName.includes(value));
}

interface Collected {
  readonly bytes: Uint8Array[];
  readonly before: string[];
  readonly after: string[];
  /** Names whose values have this form, in the order of declaration. */
  readonly owners: (readonly string[])[];
}

function collectPatterns(secrets: readonly SecretValue[]): Collected {
  const collected: Collected = { bytes: [], before: [], after: [], owners: [] };
  const { bytes, before, after, owners } = collected;
  const known = new Map<string, number>();
  for (const { name, value } of secrets) {
    const alone = [name];
    for (const form of formsOf(value)) {
      const key = decodeLatin1(form.bytes);
      const index = known.get(key) ?? bytes.push(form.bytes) - 1;
      known.set(key, index);
      const others = owners[index];
      if (others === undefined) owners[index] = alone;
      else if (!others.includes(name)) owners[index] = [...others, name];
      before[index] = union(before[index], form.before);
      after[index] = union(after[index], form.after);
    }
  }
  return collected;
}

function union(some = "", more: string): string {
  return [...new Set(some + more)].join("");
}

/** How many bytes of tables are kept. */
const cache = new BoundedCache<Scrubber>(32 * 1024 * 1024);

/**
 * The scrubber for a set of values, built once and kept while there is room. `null` when there is nothing to look for:
 * no values, or none of 8 characters or more.
 */
export function createScrubber(secrets: readonly SecretValue[]): Scrubber | null {
  const key = JSON.stringify(secrets.map(({ name, value }) => [name, value]));
  const known = cache.get(key);
  if (known !== undefined) return known;
  const scrubber = buildScrubber(secrets);
  if (scrubber !== null) cache.set(key, scrubber, scrubber.tableBytes);
  return scrubber;
}

/**
 * Turns credential values, in every form of `forms.ts`, back into their names: in header texts, in whole bodies and in
 * streams. A stream is held back by a constant distance or let go at the end of an event or line. "Everything but a
 * partial match" would be quicker, and would let a host under the sandbox's control spell a value out letter by letter,
 * by watching what is held.
 */
import { buildAutomaton, sizeOf } from "./automaton.ts";
import { formsOf } from "./forms.ts";
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
  /** For bodies that stream. `onNames` hears each name once, when it first leaves. */
  stream(
    framing: Framing,
    sent: ReadonlySet<string>,
    onNames: (names: readonly string[]) => void,
  ): TransformStream<Uint8Array, Uint8Array>;
  /** Size of the tables. */
  readonly tableBytes: number;
}

/** An event or line longer than this is let go like any other stream. */
export const MAX_FRAME_BYTES = 1024 * 1024;

/** The hold-back is rounded up to a multiple of this, so that it does not tell the longest value's length. */
const HOLD_STEP = 256;

/** Builds a scrubber. `null` when there is nothing to look for. See `createScrubber` for the cached form. */
export function buildScrubber(secrets: readonly SecretValue[]): Scrubber | null {
  const collected = collectPatterns(secrets);
  if (collected.bytes.length === 0) return null;
  const automaton = buildAutomaton(collected.bytes);
  const lengths = Int32Array.from(collected.bytes, (bytes) => bytes.length);
  const patterns: Patterns = { automaton, lengths, before: collected.before };
  const reach = collected.bytes.reduce(
    (max, bytes, index) => Math.max(max, bytes.length + (collected.before[index] === "" ? 0 : 1)),
    0,
  );
  const hold = Math.ceil((reach - 1) / HOLD_STEP) * HOLD_STEP;
  const framable = {
    events: !collected.bytes.some((bytes) => crossesBoundary(bytes, "events")),
    lines: !collected.bytes.some((bytes) => crossesBoundary(bytes, "lines")),
  };

  const replacerFor = (sent: ReadonlySet<string>, names: Set<string>): Replacer =>
    new Replacer(patterns, (pattern) => {
      const owners = collected.owners[pattern] ?? [];
      const name = owners.find((owner) => sent.has(owner)) ?? owners[0] ?? "";
      names.add(name);
      return encode(name);
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
      const names = new Set<string>();
      let text = input;
      // A header is bytes, shown as Latin-1 or UTF-8 depending on who reads it; a value may have been sent as either.
      for (const codec of /^[\0-\x7f]*$/.test(input) ? [UTF8] : [LATIN1, UTF8]) {
        const encoded = codec.encode(text);
        if (encoded === null) continue;
        const scrubbed = scrubBytes(encoded, sent);
        if (scrubbed.names.length > 0) text = codec.decode(scrubbed.bytes);
        for (const name of scrubbed.names) names.add(name);
      }
      return { text, names: [...names] };
    },
    stream(framing, sent, onNames) {
      const names = new Set<string>();
      const replacer = replacerFor(sent, names);
      const findBoundary = framing !== "bytes" && framable[framing] ? createBoundaryFinder(framing) : null;
      let boundary = 0;
      let told = 0;
      const send = (bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
        if (bytes.length > 0) controller.enqueue(bytes);
        if (names.size === told) return;
        onNames([...names].slice(told));
        told = names.size;
      };
      return new TransformStream({
        transform(chunk, controller) {
          const before = replacer.received;
          replacer.push(chunk);
          const found = findBoundary === null ? 0 : findBoundary(chunk);
          if (found > 0) boundary = before + found;
          const isFramed = findBoundary !== null && replacer.received - boundary <= MAX_FRAME_BYTES;
          send(replacer.emit(isFramed ? boundary : Math.max(boundary, replacer.received - hold)), controller);
        },
        flush(controller) {
          send(replacer.end(), controller);
        },
      });
    },
    tableBytes: sizeOf(automaton),
  };
}

interface Collected {
  readonly bytes: Uint8Array[];
  readonly before: string[];
  /** Names whose values have this form, in the order of declaration. */
  readonly owners: string[][];
}

function collectPatterns(secrets: readonly SecretValue[]): Collected {
  const collected: Collected = { bytes: [], before: [], owners: [] };
  const known = new Map<string, number>();
  for (const { name, value } of secrets) {
    for (const { bytes, before } of formsOf(value)) {
      const key = LATIN1.decode(bytes);
      const index = known.get(key) ?? collected.bytes.push(bytes) - 1;
      known.set(key, index);
      const owners = (collected.owners[index] ??= []);
      if (!owners.includes(name)) owners.push(name);
      collected.before[index] = (collected.before[index] ?? "") + before;
    }
  }
  return collected;
}

interface Codec {
  encode(text: string): Uint8Array | null;
  decode(bytes: Uint8Array): string;
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const UTF8: Codec = { encode, decode: (bytes) => new TextDecoder().decode(bytes) };

/** Bytes as characters of the same number, which `TextDecoder` has no name for. */
const LATIN1: Codec = {
  encode: (text) => (/^[\0-\xff]*$/.test(text) ? Uint8Array.from(text, (char) => char.charCodeAt(0)) : null),
  decode: (bytes) => Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""),
};

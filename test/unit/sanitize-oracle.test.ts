/**
 * The attack on a scrubber: code in the sandbox lets a host it controls stream guesses back, and watches when how much
 * comes through. It must learn nothing about a value it does not already hold whole.
 */
import { describe, expect, test } from "vitest";

import { buildAutomaton, type Automaton } from "../../outbound-proxy/sanitize/automaton.ts";
import { scan } from "../../outbound-proxy/sanitize/scan.ts";
import type { Filter } from "../../outbound-proxy/sanitize/filter.ts";
import { buildScrubber, type Scrubber } from "../../outbound-proxy/sanitize/scrubber.ts";
import { toTransform } from "../helpers/filter.ts";
import { createRandom } from "../helpers/random.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const SECRET = createRandom(23).text(ALPHABET, 32);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Sends one piece and tells how many bytes came out before the next. */
type Channel = (piece: string) => Promise<number> | number;

function channelThrough(filter: Filter): Channel {
  const stream = toTransform(filter);
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  let received = 0;
  const pump = async (): Promise<void> => {
    for (let next = await reader.read(); !next.done; next = await reader.read()) received += next.value.length;
  };
  void pump();
  return async (piece) => {
    const before = received;
    await writer.write(encode(piece));
    await Promise.resolve();
    await Promise.resolve();
    return received - before;
  };
}

/** What others do: let everything go but the end that could become the value. */
function channelWithExactHoldBack(secret: string): Channel {
  let held = 0;
  return (piece) => {
    let next = Math.min(piece.length, secret.length - 1);
    while (next > 0 && !secret.startsWith(piece.slice(piece.length - next))) next--;
    const emitted = held + piece.length - next;
    held = next;
    return emitted;
  };
}

/** Spells the secret out for as long as one letter makes the channel hold back all that is known and itself. */
async function spellOut(channel: Channel): Promise<string> {
  const probe = async (guess: string): Promise<number> => {
    await channel(".".repeat(1024));
    return channel(`.${guess}`);
  };
  let recovered = "";
  for (;;) {
    const wrong = await probe(`${recovered}~`);
    let found = "";
    for (const letter of ALPHABET) {
      if (wrong - (await probe(recovered + letter)) === recovered.length + 1) found = letter;
    }
    if (found === "" || recovered.length > 64) return recovered;
    recovered += found;
  }
}

function scrubberOf(secret: string): Scrubber {
  const scrubber = buildScrubber([{ name: "THE_NAME", value: secret }]);
  if (scrubber === null) throw new Error("nothing to look for");
  return scrubber;
}

describe("T15: prefix oracle", () => {
  test("the attack spells a value out where everything but a partial match is let go", async () => {
    expect(await spellOut(channelWithExactHoldBack(SECRET))).toBe(SECRET.slice(0, 31));
  });

  test.each(["bytes", "events", "lines"] as const)(
    "the attack recovers nothing from a stream of %s",
    async (framing) => {
      const filter = scrubberOf(SECRET).filter(framing, new Set(), () => {});
      expect(await spellOut(channelThrough(filter))).toBe("");
    },
  );

  test("100,000 probes come through alike, even those that know the value up to its last letter", async () => {
    const random = createRandom(29);
    const channel = channelThrough(scrubberOf(SECRET).filter("bytes", new Set(), () => {}));
    await channel(".".repeat(1024));
    const encoded = [SECRET, Buffer.from(SECRET).toString("hex"), Buffer.from(SECRET).toString("base64")];
    const seen = new Set<number>();
    for (let probe = 0; probe < 100_000; probe++) {
      const form = random.pick(encoded);
      const known = form.slice(0, random.below(form.length - 3));
      const guess = random.below(2) === 0 ? known + form[known.length] : known + "~";
      seen.add((await channel(guess.padStart(80, "."))) - 80);
    }
    expect([...seen]).toEqual([0]);
  });
});

describe("T15: work per byte", () => {
  const secrets = Array.from({ length: 20 }, (_, index) => createRandom(index).text(ALPHABET, 32));

  test("is the same number of table reads whatever the bytes resemble, so that time tells nothing and stays linear", () => {
    const random = createRandom(31);
    const [secret = ""] = secrets;
    const texts = [
      random.text(ALPHABET, 3_200),
      secret.slice(0, 31).padEnd(32, "~").repeat(100),
      secret.slice(0, 4).repeat(800),
      "a".repeat(3_200),
      "\0".repeat(3_200),
    ];
    for (const length of [1_000, 3_200]) {
      const counts = new Set(texts.map((text) => countReads(secrets, text.slice(0, length))));
      expect(counts.size).toBe(1);
      // Three per byte, and the overlap of two halves.
      expect([...counts][0]).toBeLessThan(3 * (length + 32) + 8);
    }
  });

  test("a repeated letter is found once per byte, however many occurrences overlap", () => {
    const automaton = buildAutomaton([encode("a".repeat(8)), encode("a".repeat(64)), encode("aab")]);
    let hits = 0;
    scan(automaton, encode("a".repeat(100_000)), 0, 100_000, 0, () => hits++);
    expect(hits).toBe(100_000 - 7);
  });

  test("an endless occurrence is not kept in memory", async () => {
    const filter = scrubberOf("a".repeat(64)).filter("bytes", new Set(), () => {});
    const channel = channelThrough(filter);
    const piece = "a".repeat(64 * 1024);
    await channel(piece);
    const before = process.memoryUsage().arrayBuffers;
    let emitted = 0;
    for (let count = 0; count < 128; count++) emitted += await channel(piece);
    expect(emitted).toBe(0);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * 1024 * 1024);
  });
});

/** Table reads of the loop itself; a hit is looked up on top of them. */
function countReads(patterns: readonly string[], text: string): number {
  const automaton = buildAutomaton(patterns.map(encode));
  let reads = 0;
  const counted = <T extends Uint8Array | Int32Array>(table: T): T =>
    new Proxy(table, {
      get(target, key) {
        reads++;
        return Reflect.get(target, key);
      },
    });
  const watched: Automaton = {
    ...automaton,
    classes: counted(automaton.classes),
    words: counted(automaton.words),
    rows: counted(automaton.rows),
  };
  scan(watched, encode(text), 0, text.length, 0, () => {});
  return reads;
}

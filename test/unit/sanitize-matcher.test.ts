/** The matcher against a reference that is too simple to be wrong: every occurrence, merged where they overlap. */
import AhoCorasick from "modern-ahocorasick";
import { describe, expect, test } from "vitest";

import { buildAutomaton } from "../../outbound-proxy/sanitize/automaton.ts";
import { Replacer, type Patterns } from "../../outbound-proxy/sanitize/replacer.ts";
import { createRandom, type Random } from "../helpers/random.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

function toPatterns(patterns: readonly string[]): Patterns {
  const bytes = patterns.map(encode);
  return {
    automaton: buildAutomaton(bytes),
    lengths: bytes.map(({ length }) => length),
    before: [],
    after: [],
  };
}

/** `letGo` says how far the text may leave after each piece; the default is the constant distance of the product. */
function replace(patterns: readonly string[], pieces: readonly string[], letGo?: (received: number) => number): string {
  const reach = Math.max(...patterns.map(({ length }) => length)) - 1;
  const replacer = new Replacer(toPatterns(patterns), (pattern) => encode(`<${pattern}>`));
  let output = "";
  for (const piece of pieces) {
    replacer.push(encode(piece));
    output += decode(replacer.emit(letGo?.(replacer.received) ?? replacer.received - reach));
  }
  return output + decode(replacer.end());
}

/** All occurrences in order of their ends, longer ones first; overlapping ones merged; the longest gives the name. */
function reference(patterns: readonly string[], text: string): string {
  const found: { start: number; end: number; pattern: number }[] = [];
  for (const [pattern, word] of patterns.entries()) {
    for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
      found.push({ start: at, end: at + word.length, pattern });
    }
  }
  const covered = Array.from({ length: text.length }, () => false);
  for (const { start, end } of found) covered.fill(true, start, end);
  const joined = (at: number): boolean => found.some(({ start, end }) => start < at && at < end);

  let output = "";
  for (let at = 0; at < text.length;) {
    if (!covered[at]) {
      output += text[at++];
      continue;
    }
    let end = at + 1;
    while (joined(end)) end++;
    const longest = found
      .filter((one) => one.start >= at && one.end <= end)
      .sort((a, b) => b.end - b.start - (a.end - a.start) || a.end - b.end)[0]!;
    output += `<${longest.pattern}>`;
    at = end;
  }
  return output;
}

/** The reference, which is quadratic, on the stretches between the letters that occur in no pattern. */
function referenceOfParts(patterns: readonly string[], text: string): string {
  return text
    .split(/(x+)/)
    .map((part) => (part.startsWith("x") ? part : reference(patterns, part)))
    .join("");
}

function randomSplit(random: Random, text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length;) {
    const length = random.below(6);
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

describe("matcher", () => {
  test("agrees with the reference on 60,000 random texts, patterns and cuts", () => {
    const random = createRandom(7);
    for (let round = 0; round < 60_000; round++) {
      const alphabet = "abc".slice(0, 1 + random.below(3));
      const patterns = [
        ...new Set(Array.from({ length: 1 + random.below(5) }, () => random.text(alphabet, 1 + random.below(6)))),
      ];
      const text = random.text(`${alphabet}${random.pick(["", "x"])}`, random.below(40));
      const pieces = randomSplit(random, text);
      const expected = reference(patterns, text);
      const actual = replace(patterns, pieces);
      if (actual !== expected)
        expect({ round, patterns, pieces, actual }).toEqual({ round, patterns, pieces, actual: expected });
    }
  });

  test("does not care how far behind the end the text is let go, as long as no occurrence can begin before that", () => {
    const random = createRandom(11);
    for (let round = 0; round < 5_000; round++) {
      const patterns = [...new Set(Array.from({ length: 3 }, () => random.text("ab", 2 + random.below(5))))];
      const text = random.text("ab", 60);
      const reach = Math.max(...patterns.map(({ length }) => length)) - 1;
      const actual = replace(patterns, randomSplit(random, text), (received) => received - reach - random.below(20));
      expect(actual).toBe(reference(patterns, text));
    }
  });

  test("agrees with the reference on long pieces, which are read in two halves", () => {
    const random = createRandom(17);
    for (let round = 0; round < 300; round++) {
      const patterns = [...new Set(Array.from({ length: 4 }, () => random.text("ab", 3 + random.below(12))))];
      const parts = Array.from({ length: 600 }, () => random.pick([...patterns, "xxxxxxxxxxxx", "a", "b"]));
      const text = parts.join("").slice(random.below(20));
      const cut = random.below(text.length);
      const expected = referenceOfParts(patterns, text);
      expect(replace(patterns, [text])).toBe(expected);
      expect(replace(patterns, [text.slice(0, cut), text.slice(cut)])).toBe(expected);
    }
  });

  test("agrees with modern-ahocorasick where occurrences cannot overlap", () => {
    const random = createRandom(13);
    for (let round = 0; round < 2_000; round++) {
      // A first letter that occurs nowhere else keeps occurrences apart; no pattern begins with another.
      const patterns = Array.from(
        { length: 1 + random.below(20) },
        (_, index) => `@${String.fromCharCode(65 + index)}${random.text("xyz", 1 + random.below(8))}`,
      );
      const text = Array.from({ length: 30 }, () => random.pick([...patterns, "x", "@", "yz", "A"])).join("");
      const oracle = new AhoCorasick(patterns).replace(text, (match) => `<${match.patternIndex}>`);
      expect(replace(patterns, randomSplit(random, text))).toBe(oracle);
    }
  });

  test.each([
    ["a pattern that begins another, cut after the shorter", ["abcdefgh", "abcdefghij"], ["abcdefgh", "ij."], "<1>."],
    ["the shorter alone at the end", ["abcdefgh", "abcdefghij"], ["abcdefgh", "i."], "<0>i."],
    ["a pattern inside another", ["abcdefghij", "cdef"], ["abcdefghi", "j"], "<0>"],
    ["a chain of overlaps becomes one name", ["abab"], ["ab", "abab", "abx"], "<0>x"],
    ["neighbours that only touch stay two", ["abcd"], ["abc", "dabcd"], "<0><0>"],
    ["the longest gives the name, wherever it is", ["abc", "cdefg", "gh"], ["abcdefgh"], "<1>"],
  ])("%s", (_, patterns, pieces, expected) => {
    expect(replace(patterns, pieces)).toBe(expected);
  });

  test("finds patterns that use all 256 byte values", () => {
    const all = Uint8Array.from({ length: 256 }, (_, index) => index);
    const patterns: Patterns = { automaton: buildAutomaton([all]), lengths: [256], before: [], after: [] };
    const replacer = new Replacer(patterns, () => encode("N"));
    replacer.push(all.subarray(0, 100));
    replacer.push(Uint8Array.of(...all.subarray(100), 0, 1, 2));
    expect([...replacer.end()]).toEqual([78, 0, 1, 2]);
  });
});

import { describe, expect, it, vi } from "vitest";

import { cutJson, cutText } from "../../src/code/cut.ts";
import { createRandom } from "../helpers/random.ts";

describe("cutText", () => {
  it("leaves a text alone that fits", () => {
    expect(cutText("hello", 5)).toBe("hello");
  });

  it("keeps within the size, and says how much is missing", () => {
    const cut = cutText("x".repeat(1_000), 100);
    expect(cut.length).toBeLessThanOrEqual(100);
    const [, shown = "", missing = ""] = /^(x+)\n… \[(\d+) more characters\]$/.exec(cut) ?? [];
    expect(shown.length + Number(missing)).toBe(1_000);
  });

  it("splits no emoji", () => {
    for (const max of [100, 101]) expect(cutText("🚀".repeat(500), max).isWellFormed()).toBe(true);
  });
});

const ROW = { id: 17, name: "Ada", tags: ["a", "b"] };

describe("cutJson", () => {
  it.each<[string, unknown]>([
    ["5,000 rows", Array.from({ length: 5_000 }, (_, id) => ({ ...ROW, id }))],
    ["one field of 70,000 characters", { id: 1, text: "x".repeat(70_000) }],
    ["20,000 emoji", "🚀".repeat(20_000)],
    ["an object of 10,000 keys", Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key${n}`, n]))],
    ["lists in lists", Array.from({ length: 300 }, () => Array.from({ length: 300 }, () => "cell"))],
    ["one deep branch", { a: { b: { c: { d: Array.from({ length: 9_000 }, () => ROW) } } } }],
    ["quotes, which are longer when escaped", '"'.repeat(50_000)],
    ["100,000 numbers", Array.from({ length: 100_000 }, (_, n) => n)],
    ["nothing but nulls", Array.from({ length: 50_000 }, () => null)],
  ])("cuts %s to JSON that parses, is well-formed, fits, and says what is missing", (_, value) => {
    const cut = cutJson(JSON.stringify(value), 10_000);
    expect(cut.length).toBeLessThanOrEqual(10_000);
    expect(cut.length).toBeGreaterThan(1_000);
    expect(cut.isWellFormed()).toBe(true);
    expect(() => JSON.parse(cut) as unknown).not.toThrow();
    expect(cut).toMatch(/… (?:\[\d+ more characters\]|\d+ more items)|"…":"\d+ more keys"/);
  });

  it("keeps the first rows whole and counts the others", () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ ...ROW, id }));
    const cut = JSON.parse(cutJson(JSON.stringify(rows), 10_000)) as unknown[];
    expect(cut.slice(0, 3)).toEqual(rows.slice(0, 3));
    expect(cut.at(-1)).toBe(`… ${5_000 - (cut.length - 1)} more items`);
  });

  it("leaves JSON alone that fits", () => {
    expect(cutJson('{"a":1}', 10)).toBe('{"a":1}');
  });

  it.each([
    ["white space", JSON.stringify({ rows: Array.from({ length: 3_000 }, () => ROW) }, null, 2)],
    ["lists in lists without end", "[".repeat(100_000) + "]".repeat(100_000)],
    ["escapes at every place of the cut", JSON.stringify(`\\"\n\u0001`.repeat(3_000))],
    ["brackets and quotes in strings", JSON.stringify(Array.from({ length: 2_000 }, () => `"]},[{\\`))],
  ])("cuts %s", (_, json) => {
    for (let max = 9_990; max < 10_000; max++) {
      const cut = cutJson(json, max);
      expect(cut.length).toBeLessThanOrEqual(max);
      expect(() => JSON.parse(cut) as unknown).not.toThrow();
    }
  });

  it("cuts whatever JSON can say (seed 5)", () => {
    const random = createRandom(5);
    const make = (depth: number): unknown => {
      const kind = random.below(depth === 0 ? 3 : 5);
      if (kind === 0) return random.text(`a"\\\n,]}🚀\u2028`, random.below(random.pick([8, 8, 400])));
      if (kind === 1) return random.pick([null, true, false, 0.1, -1e300, 12]);
      if (kind === 2) return random.below(1_000_000);
      const members = Array.from({ length: random.below(random.pick([3, 30])) }, () => make(depth - 1));
      return kind === 3 ? members : Object.fromEntries(members.map((member) => [random.text(`ab"\\`, 5), member]));
    };
    for (let round = 0; round < 300; round++) {
      const json = JSON.stringify(make(3));
      const cut = cutJson(json, 200);
      expect(cut.length).toBeLessThanOrEqual(200);
      expect(() => JSON.parse(cut) as unknown, json).not.toThrow();
    }
  });

  it("makes no value of a large text, for which an object has no memory", () => {
    const json = JSON.stringify(Array.from({ length: 1_000_000 }, () => ({ a: 1 })));
    const parse = vi.spyOn(JSON, "parse");
    cutJson(json, 10_000);
    const longest = Math.max(0, ...parse.mock.calls.map(([text]) => text.length));
    parse.mockRestore();
    expect(longest).toBeLessThan(200_000);
  });
});

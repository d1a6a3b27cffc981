import { describe, expect, it } from "vitest";

import { cutJson, cutText } from "../../src/code/cut.ts";

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
});

import { expect, test } from "vitest";

import { Kept } from "../../src/catalog/kept.ts";

const reader = (size: number): { count: number; read: () => Promise<{ value: number; size: number }> } => {
  const state = {
    count: 0,
    read: () => {
      state.count++;
      return Promise.resolve({ value: size, size });
    },
  };
  return state;
};

test("a value is read once, and what was used longest ago goes first", async () => {
  const kept = new Kept<number>(10);
  const [a, b, c] = [reader(4), reader(4), reader(4)];
  for (const [key, { read }] of [
    ["a", a],
    ["b", b],
    ["a", a],
    ["c", c],
    ["a", a],
    ["b", b],
  ] as const)
    await kept.get(key, read);
  expect([a.count, b.count, c.count]).toEqual([1, 2, 1]);
});

test("a value over the limit is kept alone, and others take its place", async () => {
  const kept = new Kept<number>(10);
  const [large, small] = [reader(11), reader(3)];
  await kept.get("large", large.read);
  await kept.get("large", large.read);
  expect(large.count).toBe(1);
  await kept.get("small", small.read);
  await kept.get("large", large.read);
  expect(large.count).toBe(2);
});

test("a reader that fails or never ends leaves nothing behind for others", async () => {
  const kept = new Kept<number>(10);
  void kept.get("a", () => new Promise(() => {}));
  await expect(kept.get("a", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  const { read } = reader(1);
  expect(await kept.get("a", read)).toBe(1);
});

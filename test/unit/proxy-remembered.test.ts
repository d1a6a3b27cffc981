import { expect, it } from "vitest";

import { Remembered } from "../../outbound-proxy/remembered.ts";

/** Counts how often it is asked. */
function counted(keptMs: number): Remembered<number> {
  let asked = 0;
  return new Remembered(async () => ++asked, keptMs);
}

it("asks once in a while, however often it is asked, and then anew: another isolate may have switched", async () => {
  const memory = counted(2_000);
  expect([await memory.get(0), await memory.get(1_999)]).toEqual([1, 1]);
  expect([await memory.get(2_000), await memory.get(3_999), await memory.get(4_000)]).toEqual([2, 2, 3]);
});

it("asks anew after it was told to forget", async () => {
  const memory = counted(2_000);
  await memory.get(0);
  memory.forget();
  expect(await memory.get(1)).toBe(2);
});

it("has no answer when it cannot ask, and asks again the next time", async () => {
  const answers = [Promise.reject(new Error("away")), Promise.resolve("here")];
  const memory = new Remembered(() => answers.shift() ?? Promise.resolve("later"), 2_000);
  await expect(memory.get(0)).rejects.toThrow("away");
  expect(await memory.get(1)).toBe("here");
});

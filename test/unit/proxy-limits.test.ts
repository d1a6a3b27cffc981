import { describe, expect, test } from "vitest";

import { toAnswer } from "../../outbound-proxy/answer.ts";
import { countUpTo, MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES, MAX_RUN_BYTES } from "../../outbound-proxy/limits.ts";

function streamOf(...sizes: readonly number[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(sizes.map((size) => new Uint8Array(size)));
}

describe("T30: a body that streams", () => {
  test.each([
    ["up to the limit passes and is counted", [4, 6], [[10, false]], 10],
    ["beyond the limit is cut off at the piece that would pass it", [4, 7, 1], [[4, true]], "cut off"],
    ["that is one piece beyond the limit does not pass at all", [11], [[0, true]], "cut off"],
    ["that is empty is counted", [], [[0, false]], 0],
  ])("%s", async (_, sizes, ends, expected) => {
    const heard: [number, boolean][] = [];
    const passed = countUpTo(streamOf(...sizes), 10, (bytes, isCut) => heard.push([bytes, isCut]));
    const read = new Response(passed).arrayBuffer().then(
      ({ byteLength }) => byteLength,
      (error: unknown) => (error as Error).message,
    );
    expect(String(await read)).toContain(String(expected));
    expect(heard).toEqual(ends);
  });

  test("and is cut off ends the upstream's own stream", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(4)),
      cancel: () => {
        cancelled = true;
      },
    });
    await expect(new Response(countUpTo(endless, 10, () => {})).text()).rejects.toThrow("longer than 10 bytes");
    expect(cancelled).toBe(true);
  });

  test("of a response says so to who reads it, and to the ledger", async () => {
    const heard: [number, boolean][] = [];
    const answer = toAnswer(
      { response: new Response(streamOf(6, 6)), bytes: null },
      { injected: [], left: [], maxBytes: 10 },
      (...end) => heard.push(end),
    );
    await expect(answer.text()).rejects.toThrow("The body is longer than 10 bytes; it was cut off.");
    expect(heard).toEqual([[6, true]]);
  });
});

test("T30: the limits are the documented ones", () => {
  expect([MAX_REQUEST_BYTES, MAX_RESPONSE_BYTES, MAX_RUN_BYTES].map((bytes) => bytes / 1024 ** 2)).toEqual([
    100, 2_048, 4_096,
  ]);
});

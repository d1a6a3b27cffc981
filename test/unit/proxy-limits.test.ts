import { expect, test } from "vitest";

import { LIMITS } from "../../outbound-proxy/limits.ts";

test("T30: the limits are the documented ones", () => {
  const inMib = Object.entries(LIMITS).map(([name, bytes]) => [name, Number(bytes) / 1024 ** 2]);
  expect(Object.fromEntries(inMib)).toEqual({ requestBytes: 100, responseBytes: 2_048, runBytes: 4_096 });
});

import { expect, it } from "vitest";

import { readBody } from "../../src/body.ts";

/** A request whose body comes in the given pieces, and ends or does not. */
function requestOf(pieces: readonly string[], ends: boolean, onCancel = (): void => {}): Request {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      if (ends) controller.close();
    },
    cancel: onCancel,
  });
  return new Request("http://localhost/", { method: "POST", body, duplex: "half" } as RequestInit);
}

it("joins the pieces of a body, up to the bound to the byte", async () => {
  const read = await readBody(requestOf(["ab", "cd"], true), 4);
  expect(read.ok && new TextDecoder().decode(read.bytes ?? undefined)).toBe("abcd");
});

it("gives up a body that is too large, and lets go of the rest", async () => {
  let cancelled = false;
  const request = requestOf(["ab", "cde"], false, () => (cancelled = true));
  expect(await readBody(request, 4)).toEqual({ ok: false, reason: "too_large" });
  expect(cancelled).toBe(true);
});

it("does not wait for a body that never ends", async () => {
  expect(await readBody(requestOf(["a"], false), 4, 10)).toEqual({ ok: false, reason: "too_slow" });
});

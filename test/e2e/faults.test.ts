/** Parts of the server that fail: each failure is told in its own words, and the next call works. */
import type { V4WorkerOptions } from "miniflare";
import { afterEach, expect, it } from "vitest";

import { startTestStack, type TestStack } from "../helpers/stack.ts";

let codeforge: TestStack;

afterEach(() => codeforge.stop());

/** A proxy with the real one's face and `methods` for its body. */
function broken(worker: V4WorkerOptions, methods: string): V4WorkerOptions {
  const contents = `
    import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
    export class Run extends DurableObject {}
    export class OutboundProxy extends WorkerEntrypoint { ${methods} }
    export class Forwarder extends WorkerEntrypoint {}
    export class SelfTest extends WorkerEntrypoint {}
    export default { fetch: () => new Response(null, { status: 404 }) };
  `;
  return { ...worker, modulesRoot: "/", modules: [{ type: "ESModule", path: "/index.js", contents }] };
}

it("a proxy that does not open the run: the code is not run, and no text of the fault is shown", async () => {
  codeforge = await startTestStack({
    adjust: (key, worker) => (key === "proxy" ? broken(worker, `open() { throw new Error("inner detail"); }`) : worker),
  });
  const { text, isError } = await codeforge.run("return 1");
  expect(isError).toBe(true);
  expect(text).toMatch(/^The code was not run: the outbound proxy/);
  expect(text).not.toContain("inner detail");
});

it("a proxy that forgets the ledger: the result is kept, and what went out is said to be unknown", async () => {
  const methods = `
    open() { return { credentials: [], debug: false }; }
    close() { throw new Error("inner detail"); }
  `;
  codeforge = await startTestStack({ adjust: (key, worker) => (key === "proxy" ? broken(worker, methods) : worker) });
  const { text, isError } = await codeforge.run("return 1");
  expect(isError).toBe(false);
  expect(text).toBe("1\n\nWhat went out is not known: the outbound proxy did not answer at the end of the run.");
});

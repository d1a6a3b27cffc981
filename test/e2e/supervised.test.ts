/** The watch over a process, with a process that freezes on demand. */
import { convertV4MiniflareOptions } from "miniflare";
import { afterEach, beforeEach, expect, it } from "vitest";

import { SupervisedProcess, type ReplacementReason } from "../../src/cli/local/supervised.ts";

const SCRIPT = `export default {
  fetch({ url }) {
    if (url.endsWith("/freeze")) for (;;);
    if (url.endsWith("/fill")) for (const all = []; ; ) all.push(new Uint8Array(1e7).fill(1));
    return new Response("alive");
  },
};`;

const reasons: ReplacementReason[] = [];
let supervised: SupervisedProcess;

/** Starts the process under a watch with this limit of time, in milliseconds, and 512 MiB of memory. */
async function start(cpuLimitMs: number): Promise<URL> {
  const worker = { modules: true, script: SCRIPT, compatibilityDate: "2026-11-01" };
  const runtime = convertV4MiniflareOptions({ workers: [worker], host: "127.0.0.1", port: 0 });
  supervised = new SupervisedProcess({ runtime, cpuLimitMs, memoryLimitBytes: 512 * 1024 ** 2 }, (reason) =>
    reasons.push(reason),
  );
  return supervised.ready;
}

beforeEach(() => {
  reasons.length = 0;
});

afterEach(() => supervised.dispose());

it("leaves a process that answers alone", async () => {
  await start(60_000);
  expect(await Promise.all([supervised.check(), supervised.check()])).toEqual([false, false]);
  expect(reasons).toEqual([]);
});

it("replaces a frozen one once, however many ask, and whenever they do", async () => {
  const url = await start(60_000);
  void fetch(new URL("/freeze", url)).catch(() => {});
  const first = supervised.check();
  await new Promise((done) => setTimeout(done, 400));
  // It asks the old process, and is answered that this one is gone.
  expect(await Promise.all([first, supervised.check()])).toEqual([true, true]);
  expect(reasons).toEqual(["no sign of life"]);
  expect(await supervised.check()).toBe(false);
  expect(await (await fetch(await supervised.ready)).text()).toBe("alive");
});

it("finds a frozen one by itself within the limit", async () => {
  const url = await start(300);
  void fetch(new URL("/freeze", url)).catch(() => {});
  await expect.poll(() => reasons, { timeout: 20_000 }).toEqual(["no sign of life"]);
  expect(await (await fetch(await supervised.ready)).text()).toBe("alive");
});

it("replaces one that fills the memory, and watches the next one like it", async () => {
  await start(60_000);
  for (const times of [1, 2]) {
    void fetch(new URL("/fill", await supervised.ready)).catch(() => {});
    await expect.poll(() => reasons, { timeout: 20_000 }).toEqual(Array.from({ length: times }, () => "memory"));
  }
  expect(await (await fetch(await supervised.ready)).text()).toBe("alive");
});

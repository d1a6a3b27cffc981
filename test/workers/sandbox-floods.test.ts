/** Code that sends thousands of requests at once: few of them are on their way at a time, and the next run is served. */
import { afterAll, beforeAll, expect, test } from "vitest";

import { startSandboxWithUpstream, toText, type SandboxHost } from "./sandbox-host.ts";

let host: Awaited<ReturnType<typeof startSandboxWithUpstream>>;

beforeAll(async () => {
  host = await startSandboxWithUpstream();
});

afterAll(() => host.dispose());

const run: SandboxHost["run"] = (code, options) => host.run(code, options);

test("fetch lets 32 requests out at a time, and the others in their order", async () => {
  const { outcome, seen } = await run(
    "for (let n = 0; n < 40; n++) fetch('UPSTREAM/never-' + n).catch(() => {}); await scheduler.wait(60_000)",
    { timeoutMs: 1_000 },
  );
  expect(outcome.kind).toBe("timed_out");
  expect(seen.toSorted()).toEqual(
    Array.from({ length: 32 }, (_, n) => `GET ${host.upstream.url}/never-${n}`).toSorted(),
  );
});

test("hundreds of requests at once are all answered, each as it was when it was made", async () => {
  const { outcome } = await run(`
    const init = { method: "PUT" };
    const answers = Array.from({ length: 300 }, (_, n) => fetch("UPSTREAM/item-" + n, init).then((answer) => answer.text()));
    init.method = "DELETE";
    const texts = await Promise.all(answers);
    return texts.every((text, n) => text === "PUT /item-" + n)`);
  expect(toText(outcome)).toBe("true");
});

test("requests that fail or are aborted make room for others", async () => {
  const { outcome } = await run(`
    const gone = Array.from({ length: 100 }, (_, n) =>
      fetch("UPSTREAM/never-" + n, { signal: AbortSignal.timeout(50) }).catch(({ name }) => name));
    const names = new Set(await Promise.all(gone));
    return [...names, await fetch("no address").catch(({ name }) => name), (await fetch("UPSTREAM/last")).status]`);
  expect(toText(outcome)).toBe('["TimeoutError","TypeError",200]');
});

test("a way round it is stopped at the way out of the isolate", async () => {
  const { outcome, seen } = await run(`
    let prototype = globalThis;
    while (!Object.hasOwn((prototype = Object.getPrototypeOf(prototype)), "fetch"));
    const send = (n) => prototype.fetch.call(globalThis, "UPSTREAM/never-" + n).then(({ status }) => status);
    const first = await Promise.race(Array.from({ length: 1_000 }, (_, n) => send(n)));
    return first`);
  expect(toText(outcome)).toBe("429");
  expect(seen.length).toBeLessThan(1_000);
  expect(toText((await run("return (await fetch('UPSTREAM/a')).status")).outcome)).toBe("200");
});

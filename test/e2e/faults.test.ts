/** Parts of the server that fail: each failure is told in its own words, and the next call works. */
import { join } from "node:path";

import type { V4WorkerOptions } from "miniflare";
import { afterEach, describe, expect, it } from "vitest";

import { listensOn, runtimesOf } from "../helpers/process.ts";
import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream } from "../helpers/upstream.ts";

let codeforge: TestStack;

afterEach(() => codeforge.stop());

/** A proxy with the real one's face and `methods` for its body, `forward` for that of its way out. */
function broken(worker: V4WorkerOptions, methods: string, forward = ""): V4WorkerOptions {
  const contents = `
    import { DurableObject, WorkerEntrypoint } from "cloudflare:workers";
    export class Run extends DurableObject {}
    export class OutboundProxy extends WorkerEntrypoint { ${methods} }
    export class Forwarder extends WorkerEntrypoint { ${forward} }
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

const OPENS = "open() { return { credentials: [], debug: false }; }";
const CLOSES = "close() { return { ledger: [] }; }";

it.each([
  ["to open the run", `open() { return scheduler.wait(60_000); }`, /^The code was not run: the outbound proxy/],
  ["to end it", `${OPENS} close() { return scheduler.wait(60_000); }`, /^1\n\nWhat went out is not known/],
])("a proxy that does not come back from what it is asked, %s", async (_, methods, expected) => {
  codeforge = await startTestStack({ adjust: (key, worker) => (key === "proxy" ? broken(worker, methods) : worker) });
  expect((await codeforge.run("return 1")).text).toMatch(expected);
});

it("a proxy that throws at a request: the code can catch it, and is told which request it was", async () => {
  const forward = `forward() { throw new Error("inner detail"); }`;
  codeforge = await startTestStack({
    adjust: (key, worker) => (key === "proxy" ? broken(worker, `${OPENS} ${CLOSES}`, forward) : worker),
  });
  const { text, isError } = await codeforge.run(`await fetch("https://api.example.com/a?b=c", { method: "POST" })`);
  expect(isError).toBe(true);
  expect(text).toMatch(/POST api\.example\.com\/a\b/);
  expect(text).not.toContain("b=c\n");
  const caught = `return await fetch("https://api.example.com/").catch(({ name }) => "caught " + name)`;
  expect((await codeforge.run(caught)).text).toMatch(/^caught \w*Error$/);
});

it("a proxy that cannot learn what is switched off: nothing leaves, and each request is on record as refused", async () => {
  const upstream = await startUpstream();
  codeforge = await startTestStack({
    apis: { a: { description: "A", domains: [upstream.origin] } },
    entries: { proxy: "test/fixtures/no-switches/index.ts" },
  });
  const { text } = await codeforge.run(`const response = await fetch("${upstream.origin}/x");
    return [response.status, (await response.json()).error.code];`);
  expect(text).toMatch(/^\[502,"internal"\]/);
  expect(text).toMatch(/GET \S+\/x → internal \(refused\)/);
  expect(text).not.toContain("inner detail");
  expect(upstream.seen).toEqual([]);
  await upstream.stop();
});

describe("the process of server and proxy is killed in the middle of a run", () => {
  it("ends the run, says afterwards that it was interrupted, and serves the sessions that were open", async () => {
    const upstream = await startUpstream();
    codeforge = await startTestStack({ apis: { echo: { description: "Echo", domains: [upstream.origin] } } });
    const own = await connect(codeforge.url);
    const code = `for (;;) { await fetch("${upstream.origin}/on", { method: "POST" }); await scheduler.wait(20); }`;
    const cut = own.callTool({ name: "execute_code", arguments: { code, timeout: 60_000 } }).catch(() => null);
    await expect.poll(() => upstream.seen.length, { timeout: 10_000 }).toBeGreaterThan(2);
    const server = runtimesOf(join(codeforge.dir, "data")).find((pid) => listensOn(pid, Number(codeforge.url.port)));
    process.kill(server!, "SIGKILL");
    await own.close();
    await cut;

    const next = async (): Promise<string> => (await codeforge.run("return 1").catch(() => ({ text: "" }))).text;
    await expect.poll(next, { timeout: 30_000 }).toBe("1");
    const sent = upstream.seen.length;
    await new Promise((done) => setTimeout(done, 500));
    expect(upstream.seen.length).toBe(sent);
    const { contents } = await codeforge.client.readResource({ uri: "codeforge://runs" });
    expect(JSON.stringify(contents)).toMatch(/ · execute_code · interrupted · /);
    await upstream.stop();
  });
});

/** Bodies that stream through the whole product: they end with their reader, their run and their upstream, and at the limits. */
import type { ServerResponse } from "node:http";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { canary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

const API_TOKEN = canary();
const MIB = 1024 ** 2;
/** Nothing but a fault keeps an upstream open for so long. */
const AT_ONCE_MS = 10_000;

let upstream: Upstream;
let codeforge: TestStack;
/** Settles when the connection of the last body that streams is gone. */
let closed: Promise<true>;
/** Bytes that were taken of it. */
let taken = 0;
let openGate: () => void;

beforeAll(async () => {
  upstream = await startUpstream(({ url }, response) => {
    const [, kind = "", size] = url.split("/");
    if (kind === "gate") return new Promise<void>((done) => (openGate = done)).then(() => response.end());
    if (kind === "sized") return response.writeHead(200, { "content-length": size }).end(Buffer.alloc(Number(size)));
    if (kind === "announced") return response.writeHead(200, { "content-length": size }).flushHeaders();

    closed = new Promise((done) => response.once("close", () => done(true)));
    response.writeHead(200, { "content-type": kind === "events" ? "text/event-stream" : "text/plain" });
    if (kind === "flood") return flood(response);
    response.write(`data: ${API_TOKEN}\n\n`);
    if (kind === "broken") setTimeout(() => response.destroy(), 50);
    return undefined;
  });
  codeforge = await startTestStack({
    apis: {
      hostile: { description: "Hostile", domains: [upstream.origin], credentials: ["API_TOKEN"] },
      // Where methods are restricted, bodies are read before anything leaves.
      guarded: { description: "Guarded", domains: ["guarded.example.com"], restricted_methods: ["DELETE"] },
    },
    vars: { API_TOKEN },
    entries: { proxy: "test/fixtures/small-limits/index.ts" },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await upstream.stop();
});

beforeEach(() => {
  upstream.seen.length = 0;
});

/** Sends as fast as it is taken. */
function flood(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024, "x");
  taken = 0;
  const send = (): void => {
    while (!response.destroyed && response.write(piece)) taken += piece.length;
  };
  response.on("drain", send);
  send();
}

const isClosed = (): Promise<boolean> =>
  Promise.race([closed, new Promise<false>((done) => setTimeout(() => done(false), AT_ONCE_MS))]);

const run = (code: string, timeout = 60_000): Promise<string> =>
  codeforge
    .run(`const get = (path, init) => fetch("${upstream.origin}" + path, init);\n${code}`, { timeout })
    .then(({ text }) => text);

describe.each(["events", "flood"])("T30: an upstream whose body never ends, %s", (kind) => {
  it("is left as soon as the code cancels it, while the run goes on", async () => {
    const running = run(`
      const reader = (await get("/${kind}")).body.getReader();
      await reader.read();
      await reader.cancel();
      await get("/gate");
    `);
    await expect.poll(() => upstream.seen.at(-1)?.url, { timeout: AT_ONCE_MS }).toBe("/gate");
    expect(await isClosed()).toBe(true);
    openGate();
    expect(await running).toContain(`GET ${upstream.origin.slice(7)}/${kind} → 200 (cut off)`);
  });

  it("is left by a run that has ended without reading it", async () => {
    expect(await run(`return (await get("/${kind}")).status`)).toMatch(/^200/);
    expect(await isClosed()).toBe(true);
  });

  it("is left by a run at its timeout", async () => {
    expect(
      await run(`const { body } = await get("/${kind}"); await body.getReader().read(); await get("/gate")`, 700),
    ).toContain("timeout of 700 ms");
    expect(await isClosed()).toBe(true);
  });
});

describe("T30: a body that streams", () => {
  it("is not asked for faster than the code reads it", async () => {
    const running = run(`const { body } = await get("/flood"); await body.getReader().read(); await get("/gate")`);
    await expect.poll(() => upstream.seen.at(-1)?.url, { timeout: AT_ONCE_MS }).toBe("/gate");
    // Long enough for a proxy that reads ahead to take all that it can get.
    await new Promise((done) => setTimeout(done, 300));
    expect(taken).toBeLessThan(32 * MIB);
    openGate();
    await running;
  });

  it("that its upstream breaks off is an error in the code, and cut off in the ledger", async () => {
    const text = await run(
      `try { return await (await get("/broken")).text() } catch (error) { return "caught " + error }`,
    );
    expect(text).toMatch(/^caught /);
    expect(text).toMatch(/broken → 200 \(cut off: reset\)/);
  });
});

const COUNT = `let bytes = 0;
  const read = async (path) => { for await (const chunk of (await get(path)).body) bytes += chunk.length };`;

describe("T30: limits", () => {
  it("a response that says that it is too long is not begun", async () => {
    const text = await run(
      `const r = await get("/announced/${2 * MIB + 1}"); return [r.status, (await r.json()).error.code]`,
    );
    expect(text).toMatch(/^\[502,"response_too_large"\]/);
  });

  it("a response that does not say so is cut off where it becomes too long", async () => {
    const text = await run(`${COUNT} try { await read("/flood") } catch { return "cut after " + bytes }`);
    const bytes = Number(/^cut after (\d+)/.exec(text)?.[1]);
    expect(bytes).toBeGreaterThan(MIB);
    expect(bytes).toBeLessThanOrEqual(2 * MIB);
    expect(text).toMatch(/flood → 200 \(cut off: response_too_large\)/);
    expect(await isClosed()).toBe(true);
  });

  it.each([
    ["of a known length", `"x".repeat(${MIB + 1})`, ""],
    ["that streams", `new ReadableStream({ pull: (to) => to.enqueue(new Uint8Array(65536)) })`, `duplex: "half"`],
  ])("a request %s is refused or cut off where it becomes too long", async (_, body, more) => {
    const text = await run(`const r = await get("/sized/1", { method: "POST", body: ${body}, ${more} });
      return [r.status, (await r.text())]`);
    expect(upstream.seen).toEqual([]);
    expect(text).toMatch(/request_too_large/);
  });

  it("a run whose requests and responses have come to its limit sends no more", async () => {
    const text = await run(`${COUNT}
      await read("/sized/${1.5 * MIB}");
      await read("/sized/${1.5 * MIB}");
      await (await get("/sized/1", { method: "POST", body: "x".repeat(${(0.9 * MIB) | 0}) })).text();
      const before = (await get("/sized/${200_000}"));
      await before.text();
      const refused = await get("/sized/1");
      return [before.status, refused.status, (await refused.json()).error.code];`);
    expect(text).toMatch(/^\[200,429,"transfer_limit"\]/);
  });

  it("reads no body of a run that has transferred that much", async () => {
    const text = await run(`
      for (let at = 0; at < 3; at++) await (await get("/sized/2000000")).text();
      await get("/sized/1");
      const headers = { "content-type": "application/json" };
      const unending = new TransformStream().readable;
      const refused = fetch("https://guarded.example.com/x", { method: "POST", headers, body: unending });
      const answer = await Promise.race([refused, new Promise((done) => setTimeout(done, 3_000))]);
      return (await answer?.json())?.error.code ?? "still reading";`);
    expect(text).toMatch(/^transfer_limit/);
  });
});

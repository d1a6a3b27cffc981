import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Outcome } from "../../src/contract/outcome.ts";
import { startSandboxWithUpstream, type SandboxHost } from "./sandbox-host.ts";

let host: Awaited<ReturnType<typeof startSandboxWithUpstream>>;

beforeAll(async () => {
  host = await startSandboxWithUpstream();
});

afterAll(() => host.dispose());

const run: SandboxHost["run"] = (code, options) => host.run(code, options);

test("answers with the value the code returns", async () => {
  const { outcome } = await run("return 6 * 7");
  expect(outcome).toEqual({ kind: "completed", value: { json: "42", media: [] }, logs: [] });
});

describe("a run ends as", () => {
  const endings: [kind: Outcome["kind"], code: string][] = [
    ["threw", "throw new Error('x')"],
    ["threw", "throw null"],
    ["threw", "await Promise.reject()"],
    ["threw", "Promise.reject(new Error('nobody handles it')); return 1"],
    ["threw", "setTimeout(() => { throw new Error('in a timer') }, 1); await new Promise(() => {})"],
    [
      "threw",
      "queueMicrotask(() => { throw new Error('in a microtask') }); await new Promise((r) => setTimeout(r, 50))",
    ],
    ["threw", "new Promise(async () => { throw new Error('in an executor') }); await new Promise(() => {})"],
    ["threw", "function deep() { return deep() }\ndeep()"],
    ["threw", "new Function('return 1')()"],
    ["threw", "eval('1')"],
    ["threw", "'x'.repeat(2 ** 30)"],
    ["threw", "new Array(-1)"],
    ["threw", "structuredClone(() => {})"],
    ["threw", "new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]))"],
    ["hung", "await new Promise(() => {})"],
    ["hung", "console.log('about to wait'); await new Promise(() => {}); return 1"],
    ["hung", "const { promise } = Promise.withResolvers();\nawait promise;"],
    ["hung", "await { then() {} }"],
    ["hung", "return new Promise(() => {})"],
    ["hung", "await Promise.race([])"],
    ["hung", "for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) {}"],
    ["exited", "process.exit(0)"],
    ["exited", "process.exit(3)"],
    ["exited", "console.log('bye'); process.exit()"],
    ["exited", "process.abort()"],
    ["exited", "setTimeout(() => process.exit(1), 5); await new Promise((r) => setTimeout(r, 1000))"],
    ["result_too_large", "'x'.repeat(40 * 1024 * 1024)"],
    ["result_too_large", "return { big: 'x'.repeat(26 * 1024 * 1024) }"],
    ["result_too_large", "return new Blob([new Uint8Array(25 * 1024 * 1024)], { type: 'image/png' })"],
    ["timed_out", "setInterval(() => {}, 10); await new Promise(() => {})"],
    ["timed_out", "for (;;) await new Promise((resolve) => setTimeout(resolve, 1))"],
    ["timed_out", "await fetch('UPSTREAM/never')"],
    ["timed_out", "await scheduler.wait(60_000)"],
    ["timed_out", "while (true) await fetch('UPSTREAM/json')"],
    ["not_compilable", "const = 5"],
    ["not_compilable", "import { nope } from 'node:fs'; nope()"],
    ["not_compilable", "})(); } } class X {"],
    ["completed", "fetch('UPSTREAM/never'); return 'not awaited'"],
    ["completed", "setInterval(() => {}, 1); return 'a timer is left'"],
    ["completed", "try { await fetch('UPSTREAM/drop').then((r) => r.text()) } catch { return 'caught' }"],
  ];
  test.each(endings)("%s: %s", async (kind, code) => {
    const { outcome } = await run(code, { timeoutMs: kind === "timed_out" ? 400 : 10_000 });
    expect(outcome.kind).toBe(kind);
  });

  test.each([
    "while (true) {}",
    "for (;;);",
    "do console.count(); while (true)",
    "let n = 0; while (true) n++",
    "for (;;) { try { while (true) {} } catch {} }",
    "while (true) await null",
    "async function spin() { for (;;) { try { await null } finally { continue } } }\nawait spin()",
    "const endless = { *[Symbol.iterator]() { for (;;) yield 1 } }; for (const one of endless) one",
    "setTimeout(() => { for (;;) {} }, 1); await scheduler.wait(60_000)",
    "[1].forEach(() => { while (true) {} })",
  ])("timed_out, in a loop that never yields, with what it logged: %s", async (loop) => {
    const { outcome, logs } = await run(`console.log("before"); ${loop}`, { timeoutMs: 200 });
    expect(outcome.kind).toBe("timed_out");
    expect([...logs, ...outcome.logs][0]).toEqual({ level: "log", text: "before" });
  });

  test("cancelled, when its owner ends it", async () => {
    const { outcome } = await run("await scheduler.wait(60_000)", { endAfterMs: 50 });
    expect(outcome).toEqual({ kind: "cancelled", logs: [] });
  });

  test("and the next one works", async () => {
    expect((await run("return 'next'")).outcome).toMatchObject({ kind: "completed", value: { text: "next" } });
  });
});

describe("what goes out", () => {
  test("goes through the proxy, in the name of its run", async () => {
    const { outcome, seen } = await run(
      "return await (await fetch('UPSTREAM/a?b=c', { method: 'PUT', body: 'x' })).text()",
    );
    expect(outcome).toMatchObject({ value: { text: "PUT /a?b=c" } });
    expect(seen).toEqual([`PUT ${host.upstream.url}/a?b=c`]);
  });

  test("goes through it for node:http and for every hop of a redirect", async () => {
    const { outcome, seen } = await run(`
      import http from "node:http";
      const viaNode = await new Promise((resolve, reject) => {
        http.get("UPSTREAM/b", (answer) => answer.on("data", (chunk) => resolve(String(chunk)))).on("error", reject);
      });
      const moved = await (await fetch("UPSTREAM/moved")).json();
      return [viaNode, moved];`);
    expect(outcome).toMatchObject({ value: { json: '["GET /b",{"id":1}]' } });
    expect(seen).toEqual(["/b", "/moved", "/json"].map((path) => `GET ${host.upstream.url}${path}`));
  });

  test("ends with the run at its deadline, upstream included", async () => {
    const before = host.upstream.abandoned.length;
    const code = "fetch('UPSTREAM/never-1'); for (;;) await fetch('UPSTREAM/a', { method: 'POST' })";
    const { outcome, seen, after } = await run(code, { timeoutMs: 300, lingerMs: 500 });
    expect(outcome.kind).toBe("timed_out");
    expect(seen.length).toBeGreaterThan(2);
    expect(after).toBeLessThanOrEqual(1);
    expect(host.upstream.abandoned.slice(before)).toContain("/never-1");
  });

  test("ends with the run when its owner ends it", async () => {
    const code = "for (;;) await fetch('UPSTREAM/a', { method: 'POST' })";
    const { outcome, after } = await run(code, { endAfterMs: 200, lingerMs: 500 });
    expect(outcome.kind).toBe("cancelled");
    expect(after).toBeLessThanOrEqual(1);
  });

  test("is named when the code did not wait for it", async () => {
    const { outcome } = await run("fetch('UPSTREAM/never?secret=1', { method: 'POST' }); return 1");
    const address = new URL(host.upstream.url).host;
    expect(outcome.logs).toEqual([
      { level: "warn", text: expect.stringMatching(`^POST ${address}/never was still on its way`) },
    ]);
  });

  test.each([
    [
      "a WebSocket",
      "return await new Promise((resolve) => { const socket = new globalThis.WebSocket('UPSTREAM/ws'.replace('http', 'ws')); socket.onopen = () => resolve('open'); socket.onerror = () => resolve('refused') })",
    ],
    [
      "a socket",
      "const { connect } = process.getBuiltinModule('cloudflare:sockets'); const socket = connect(new URL('UPSTREAM').host); return await socket.opened.then(() => 'open', () => 'refused')",
    ],
    [
      "node:net",
      "const net = process.getBuiltinModule('net'); return await new Promise((resolve) => { net.connect(Number(new URL('UPSTREAM').port), '127.0.0.1', () => resolve('open')).on('error', () => resolve('refused')) })",
    ],
    [
      "node:tls",
      "const tls = process.getBuiltinModule('tls'); return await new Promise((resolve) => { try { tls.connect(443, 'example.com', () => resolve('open')).on('error', () => resolve('refused')) } catch { resolve('refused') } })",
    ],
    [
      "an EventSource",
      "return await new Promise((resolve) => { const source = new EventSource('UPSTREAM/html'); source.onopen = () => resolve('open'); source.onerror = () => resolve('refused') })",
    ],
  ])("is never %s", async (_, code) => {
    expect((await run(code)).outcome).toMatchObject({ kind: "completed", value: { text: "refused" } });
  });
});

describe("lines and progress", () => {
  test("leave while the code runs, so that a killed run keeps them, and none comes twice", async () => {
    const code = "console.log('one'); await fetch('UPSTREAM/a'); console.log('two'); await scheduler.wait(60_000)";
    const { outcome, logs } = await run(code, { timeoutMs: 300 });
    expect(outcome).toEqual({ kind: "timed_out", timeoutMs: 300, logs: [] });
    expect(logs.map(({ text }) => text)).toEqual(["one", "two"]);
  });

  test("come in order, the last ones with the outcome", async () => {
    const code = "for (let n = 0; n < 30; n++) { console.log(n); if (n % 7 === 0) await fetch('UPSTREAM/a') }";
    const { outcome, logs } = await run(code);
    expect(outcome.logs.length).toBeGreaterThan(0);
    expect([...logs, ...outcome.logs].map(({ text }) => Number(text))).toEqual([...Array(30).keys()]);
  });

  test.each([
    ["threw", "console.log('created invoice 42'); throw new Error('after')"],
    ["hung", "console.log('created invoice 42'); await new Promise(() => {})"],
    ["exited", "console.log('created invoice 42'); await fetch('UPSTREAM/a'); process.exit(1)"],
    ["result_too_large", "console.log('created invoice 42'); return 'x'.repeat(25 * 1024 * 1024)"],
  ])("are there when the run %s", async (kind, code) => {
    const { outcome, logs } = await run(code);
    expect(outcome.kind).toBe(kind);
    expect([...logs, ...outcome.logs]).toEqual([{ level: "log", text: "created invoice 42" }]);
  });

  test("are cut when there are too many, and the cut is said", async () => {
    const { outcome } = await run("for (let n = 0; n < 20_000; n++) console.log('line ' + n)");
    expect(outcome.logs).toHaveLength(10_001);
    expect(outcome.logs.at(-1)).toEqual({
      level: "warn",
      text: expect.stringMatching(/^10000 more log lines were dropped/),
    });
  });

  test("say how far the code has got", async () => {
    const { outcome, progress } = await run(
      "import { progress } from 'codeforge';\nprogress('half'); await fetch('UPSTREAM/a'); progress(99); return 'done'",
    );
    expect(outcome).toMatchObject({ value: { text: "done" } });
    expect(progress).toEqual(["half", "99"]);
  });
});

describe("the Worker", () => {
  test("writes when a run begins and how it ended, and its code only when asked to", async () => {
    const quiet = await run("return 'not to be logged'");
    const loud = await run("return 'for the log'", { debug: true });
    const lines = host.console.filter((line) => line.includes(quiet.runId) || line.includes(loud.runId));
    const time = String.raw`\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\]`;
    const patterns = [
      `^${time} \\[sandbox\\] create run="${quiet.runId}"$`,
      `^${time} \\[sandbox\\] done run="${quiet.runId}" kind="completed" ms=\\d+$`,
      `^${time} \\[sandbox\\] create run="${loud.runId}"$`,
      `^${time} \\[debug\\] code run="${loud.runId}" code="return 'for the log'"$`,
      `^${time} \\[sandbox\\] done run="${loud.runId}" kind="completed" ms=\\d+$`,
    ];
    expect(lines).toEqual(patterns.map((pattern) => expect.stringMatching(pattern)));
  });

  test("has nothing to say to a plain request", async () => {
    expect(await host.fetch("http://codeforge-sandbox/anything")).toBe(404);
  });

  test("runs eight at once without mixing them", async () => {
    const all = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        run(`console.log(${n}); globalThis.mine = ${n}; await fetch('UPSTREAM/n${n}'); return globalThis.mine`),
      ),
    );
    for (const [n, { outcome, logs, seen }] of all.entries()) {
      expect(outcome).toMatchObject({ value: { json: String(n) } });
      expect([...logs, ...outcome.logs]).toEqual([{ level: "log", text: String(n) }]);
      expect(seen).toEqual([`GET ${host.upstream.url}/n${n}`]);
    }
  });
});

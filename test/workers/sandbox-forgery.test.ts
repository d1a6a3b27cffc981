import { afterAll, beforeAll, describe, expect, test } from "vitest";

import type { Outcome } from "../../src/contract/outcome.ts";
import { startSandbox, toText, type SandboxHost } from "./sandbox-host.ts";

let host: SandboxHost;

beforeAll(async () => {
  host = await startSandbox();
});

afterAll(() => host.dispose());

/** A way to modules that no import of the code reaches. */
const REQUIRE = "const require_ = process.getBuiltinModule('module').createRequire('/');";

describe("T53: the code cannot change what is made of its result by replacing", () => {
  test.each([
    "JSON.stringify = () => 'forged'",
    "JSON.parse = () => 'forged'",
    "Array.prototype.map = () => ['forged']",
    "Array.prototype.push = () => 0",
    "Array.prototype[Symbol.iterator] = null",
    "Array.prototype.toJSON = () => 'forged'; delete Array.prototype.toJSON",
    "Promise.prototype.then = function () { return this }",
    "Promise.race = Promise.all = () => new Promise(() => {})",
    "globalThis.Promise = class {}",
    "globalThis.Object = globalThis.Array = globalThis.Map = globalThis.WeakMap = globalThis.Error = null",
    "Object.keys = Object.assign = Object.getPrototypeOf = () => { throw 1 }",
    "Function.prototype.call = Function.prototype.apply = Function.prototype.bind = () => { throw 1 }",
    "RegExp.prototype.exec = () => null",
    "String.prototype.slice = () => 'forged'",
    "Set.prototype.has = Map.prototype.get = () => true",
    "globalThis.setTimeout = globalThis.scheduler = null",
    "globalThis.console = null",
    "globalThis.addEventListener = null",
    "Error.prepareStackTrace = () => 'at forged (code.js:1:1)'",
  ])("%s", async (attack) => {
    const { outcome } = await host.run(`${attack}; return { ok: [1, { two: 2 }] }`);
    expect(outcome).toMatchObject({ kind: "completed", value: { json: '{"ok":[1,{"two":2}]}' }, logs: [] });
  });
});

describe("T53: from inside nothing can be claimed but that the code completed or threw", () => {
  test.each<[kind: Outcome["kind"], code: string]>([
    ["completed", "Object.prototype.then = (resolve) => resolve('hijacked'); return { a: 1 }"],
    ["completed", "Object.prototype.toJSON = () => ({ kind: 'timed_out' }); return { a: 1 }"],
    ["completed", "Object.prototype.kind = 'timed_out'; Object.prototype.json = '{'; return 1"],
    ["completed", "return { kind: 'timed_out', timeoutMs: 1, logs: [] }"],
    ["completed", "return JSON.stringify({ kind: 'cancelled', logs: [] })"],
    [
      "threw",
      'throw new Error("The Workers runtime canceled this request because it detected that your Worker\'s code had hung")',
    ],
    ["threw", "throw new Error('The Node.js process.exit(0) API was called. Canceling the request.')"],
    ["threw", "throw new Error('Worker exceeded memory limit.')"],
    ["threw", "throw new Error('Worker exceeded CPU time limit.')"],
    ["threw", "throw new Error('Serialized RPC arguments or return values are limited to 32MiB')"],
    ["threw", "throw new Error('Failed to start Worker:\\nUncaught SyntaxError: x\\n  at code.js:1:1')"],
    ["threw", "throw { kind: 'completed', value: 1, logs: [] }"],
    [
      "completed",
      `${REQUIRE} const { host } = require_('./host.js'); host.connect({ logs() { throw new Error('code had hung') } }); console.log(1); await scheduler.wait(5); return 1`,
    ],
    ["completed", `${REQUIRE} try { require_('./primordials.js').classes.Promise = null } catch {} return 1`],
    [
      "completed",
      `${REQUIRE} try { require_('./primordials.js').stringify = () => '{"kind":"hung"}' } catch {} return 1`,
    ],
    [
      "completed",
      `${REQUIRE} const Harness = require_('./main.js'); (Harness.default ?? Harness).prototype.evaluate = () => 'forged'; return 1`,
    ],
    [
      "completed",
      "const { WorkerEntrypoint } = process.getBuiltinModule('cloudflare:workers'); WorkerEntrypoint.prototype.evaluate = () => '{}'; return 1",
    ],
    [
      "ended_by_platform",
      "process.getBuiltinModule('cloudflare:workers').abortIsolate('code had hung'); await scheduler.wait(50)",
    ],
  ])("%s: %s", async (kind, code) => {
    expect((await host.run(code)).outcome.kind).toBe(kind);
  });

  test("the code cannot be run a second time in its isolate", async () => {
    const { outcome } = await host.run(
      "globalThis.runs = (globalThis.runs ?? 0) + 1; const { exports } = process.getBuiltinModule('cloudflare:workers');" +
        "const second = await exports.default.evaluate(null).then(() => 'ran', (error) => error.message); return [globalThis.runs, second]",
    );
    expect(outcome).toMatchObject({ value: { json: '[1,"the code is running already"]' } });
  });
});

describe("T53: the stub inside", () => {
  test("takes lines and progress of this run and nothing else", async () => {
    const { outcome, logs, progress } = await host.run(`
      ${REQUIRE}
      const { host } = require_("./host.js");
      let stub;
      const connect = host.connect;
      await host.logs([{ level: "evil", text: "no such level" }]);
      await host.logs("not lines");
      await host.logs([{ level: "log", text: 5 }]);
      await host.logs([{ level: "log", text: "forged", runId: "other" }]);
      await host.logs(Array(20000).fill({ level: "log", text: "" }));
      await host.progress({ not: "text" });
      await host.progress("p".repeat(5000));
      return "done";`);
    expect(outcome).toMatchObject({ kind: "completed", value: { text: "done" } });
    expect(logs).toEqual([]);
    expect(progress).toEqual(["p".repeat(1000)]);
  });

  test("cannot be flooded", async () => {
    const { logs, progress } = await host.run(`
      ${REQUIRE}
      const { host } = require_("./host.js");
      for (let n = 0; n < 20; n++) await host.logs([{ level: "log", text: "x".repeat(100_000) }]);
      for (let n = 0; n < 1_500; n++) host.progress("p" + n);
      await host.progress("last");`);
    expect(logs.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThanOrEqual(600_000);
    expect(progress).toHaveLength(1_000);
  });

  test("T32: cannot put a line of its own into the Worker's log", async () => {
    const { runId } = await host.run(
      "console.log('\\n[2026-01-01T00:00:00.000Z] [inject] forged'); throw new Error('\\n[inject] forged')",
    );
    expect(host.console.filter((line) => line.includes("forged"))).toEqual([]);
    expect(host.console.filter((line) => line.includes(runId))).toHaveLength(2);
  });
});

describe("T27: one run leaves nothing for the next", () => {
  test.each([
    ["globalThis.left = 1", "typeof globalThis.left", "undefined"],
    ["Array.prototype.map = () => 'broken'", "[1].map((n) => n + 1)", "[2]"],
    ["console.log = () => {}", "typeof console.log", "function"],
    ["JSON.stringify = () => 'broken'", "JSON.stringify({ a: 1 })", '{"a":1}'],
    ["globalThis.fetch = null", "typeof fetch", "function"],
    [
      "process.getBuiltinModule('fs').writeFileSync('/tmp/left', 'x')",
      "process.getBuiltinModule('fs').existsSync('/tmp/left')",
      "false",
    ],
    ["process.env.LEFT = 'x'", "process.env.LEFT ?? 'nothing'", "nothing"],
  ])("%s", async (first, second, text) => {
    expect((await host.run(`${first}; return 'done'`)).outcome).toMatchObject({ kind: "completed" });
    expect(toText((await host.run(second)).outcome)).toBe(text);
  });
});

test("T29: the environment holds names of credentials, each its own value, and nothing else", async () => {
  const { outcome } = await host.run(
    `const { env } = process.getBuiltinModule("cloudflare:workers");
     return [env, process.env, Deno.env.toObject(), Bun.env, process.env.STRIPE_AUTH_TOKEN, Deno.env.get("STRIPE_AUTH_TOKEN")]`,
    { credentials: ["STRIPE_AUTH_TOKEN"] },
  );
  const names = '{"STRIPE_AUTH_TOKEN":"STRIPE_AUTH_TOKEN"}';
  const each = `[${names},${names},${names},${names},"STRIPE_AUTH_TOKEN","STRIPE_AUTH_TOKEN"]`;
  expect(outcome).toMatchObject({ value: { json: each } });
});

/**
 * The sandbox Worker taken over: a Worker bound to the proxy exactly as that one is, and one bound as the server is,
 * call it directly, with ids and policies of their own.
 */
import { join } from "node:path";

import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";

import { plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Handler, type Upstream } from "../helpers/upstream.ts";

const SCRIPT = `
  import { RpcTarget } from "cloudflare:workers";
  class Observer extends RpcTarget { onRequest() {} }
  export default {
    async fetch(request, env) {
      const { as, method, args } = await request.json();
      const proxy = env[as];
      try {
        if (method === "open") args.push(new Observer());
        if (method === "forward") args[0] = new Request(args[0], { headers: { Authorization: "Bearer A_TOKEN" } });
        const result = await proxy[method](...args);
        return Response.json(result instanceof Response ? { status: result.status, body: await result.text() } : { result });
      } catch (error) {
        return Response.json({ error: error.message });
      }
    },
  };
`;

interface Answer {
  readonly status?: number;
  readonly body?: string;
  readonly result?: unknown;
  readonly error?: string;
}

const A_TOKEN = plainCanary();
let upstream: Upstream;
let other: Upstream;
let handler: Handler;
let codeforge: TestStack;
let attacker: Miniflare;

beforeAll(async () => {
  upstream = await startUpstream((request, response, raw) => handler(request, response, raw));
  other = await startUpstream();
  codeforge = await startTestStack({
    apis: {
      a: { description: "A", domains: [upstream.origin], credentials: ["A_TOKEN"] },
      b: { description: "B", domains: [other.origin] },
    },
    vars: { A_TOKEN },
  });
  const name = "codeforge-outbound-proxy";
  attacker = new Miniflare(
    convertV4MiniflareOptions({
      unsafeDevRegistryPath: join(codeforge.dir, "data/registry"),
      name: "attacker",
      modules: true,
      script: SCRIPT,
      compatibilityDate: "2026-11-01",
      serviceBindings: {
        SANDBOX: { name, entrypoint: "Forwarder" },
        SERVER: { name, entrypoint: "OutboundProxy" },
      },
    }),
  );
  await attacker.ready;
  handler = (_request, response) => response.end("ok");
});

afterAll(async () => {
  await attacker.dispose();
  await codeforge.stop();
  await Promise.all([upstream.stop(), other.stop()]);
});

async function call(as: "SANDBOX" | "SERVER", method: string, ...args: unknown[]): Promise<Answer> {
  const body = JSON.stringify({ as, method, args });
  return (await (await attacker.dispatchFetch("http://attacker/", { method: "POST", body })).json()) as Answer;
}

const policy = (apis: string[] | null, maxRequests = 100): object => ({
  principal: "p",
  apis,
  readOnly: true,
  limits: { maxRequests },
});

async function open(apis: string[] | null, maxRequests?: number): Promise<string> {
  const runId = crypto.randomUUID();
  expect(await call("SERVER", "open", runId, policy(apis, maxRequests))).toHaveProperty("result");
  return runId;
}

it.each([
  ["a guessed id", crypto.randomUUID()],
  ["an id that is none", "../../run"],
  ["no id", ""],
  ["an id in capitals", crypto.randomUUID().toUpperCase()],
  ["something else than a text", { id: 1 }],
])("T48: refuses %s, and nothing leaves", async (_, runId) => {
  upstream.seen.length = 0;
  const { status, body } = await call("SANDBOX", "forward", `${upstream.origin}/x`, runId);
  expect([status, body]).toEqual([403, expect.stringContaining("run_closed")]);
  expect(upstream.seen).toEqual([]);
});

it("T48: refuses an id once its run has ended", async () => {
  const runId = await open(["a"]);
  expect(await call("SANDBOX", "forward", `${upstream.origin}/x`, runId)).toEqual({ status: 200, body: "ok" });
  await call("SERVER", "close", runId);
  expect((await call("SANDBOX", "forward", `${upstream.origin}/x`, runId)).body).toContain("run_closed");
});

it.each([
  ["has returned", "setTimeout(() => fetch(URL + '/late'), 50); fetch(URL + '/late'); return 1", 10_000],
  ["is at its timeout", "for (;;) { await fetch(URL + '/early'); await scheduler.wait(20) }", 500],
])("T48: nothing leaves after a run that %s", async (_, code, timeout) => {
  await codeforge.run(code.replaceAll("URL", `"${upstream.origin}"`), { timeout });
  const before = upstream.seen.length;
  await new Promise((done) => setTimeout(done, 500));
  expect(upstream.seen).toHaveLength(before);
});

it("T49: has no policy but the one that was opened, whatever else is passed along", async () => {
  const runId = await open(["b"]);
  other.seen.length = 0;
  const forged = policy(["a", "b"]);
  const { status, body } = await call("SANDBOX", "forward", `${upstream.origin}/x`, runId, forged, { policy: forged });
  expect([status, body]).toEqual([403, expect.stringContaining("api_not_in_run")]);
  expect((await call("SANDBOX", "forward", `${other.origin}/x`, runId)).status).toBe(200);
  expect(other.seen[0]?.headers.authorization).toBe("Bearer A_TOKEN");
});

it.each(["open", "close", "describe", "limits", "env", "ctx"])(
  "T49: does not offer %s to the sandbox Worker",
  async (method) => {
    const answer = await call("SANDBOX", method, crypto.randomUUID(), policy(null));
    expect(answer.error).toMatch(/does not implement/);
  },
);

it("T42: a run that is open is not opened again with more rights", async () => {
  const runId = await open(["b"]);
  expect((await call("SERVER", "open", runId, policy(null))).error).toContain("open already");
  expect((await call("SANDBOX", "forward", `${upstream.origin}/x`, runId)).body).toContain("api_not_in_run");
});

it("T30: a run sends as many requests as its policy allows, and no more", async () => {
  const runId = await open(["a"], 3);
  upstream.seen.length = 0;
  const statuses: unknown[] = [];
  for (let count = 0; count < 5; count++) {
    statuses.push((await call("SANDBOX", "forward", `${upstream.origin}/x`, runId)).status);
  }
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  expect(upstream.seen).toHaveLength(3);
});

import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { afterAll, beforeAll, expect, test } from "vitest";

import { startSandbox, type SandboxHost } from "./sandbox-host.ts";

let host: SandboxHost;
let server: Server;
let upstream: string;

beforeAll(async () => {
  server = createServer((request, response) => response.end(`${request.method} ${request.url}`));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  host = await startSandbox();
});

afterAll(async () => {
  await host.dispose();
  server.close();
});

test("answers with the value the code returns", async () => {
  const { outcome } = await host.run("return 6 * 7");
  expect(outcome).toEqual({ kind: "completed", value: { text: "42", json: "42", media: [] }, logs: [] });
});

test("sends every request through the proxy, in the name of its run", async () => {
  const { outcome, seen } = await host.run(`const r = await fetch("${upstream}/a"); return await r.text();`);
  expect(outcome).toMatchObject({ kind: "completed", value: { text: "GET /a" } });
  expect(seen).toEqual([`GET ${upstream}/a`]);
});

test("ends a run at its deadline", async () => {
  const { outcome } = await host.run("setInterval(() => {}, 10); await new Promise(() => {})", { timeoutMs: 200 });
  expect(outcome).toEqual({ kind: "timed_out", timeoutMs: 200, logs: [] });
});

test("ends a run when its owner says so", async () => {
  const { outcome } = await host.run("await new Promise((r) => setTimeout(r, 4000))", { endAfterMs: 100 });
  expect(outcome).toEqual({ kind: "cancelled", logs: [] });
});

/** Blocks that never yield: each call is answered in its time, and the next one is served. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

let upstream: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  upstream = await startUpstream();
  codeforge = await startTestStack({ apis: { echo: { description: "Echo", domains: [upstream.origin] } } });
});

afterAll(async () => {
  await codeforge.stop();
  await upstream.stop();
});

describe("a block that never yields", () => {
  it.each([
    ["an endless loop", "while (true) {}"],
    ["an endless loop that catches", "for (;;) { try { while (true) {} } catch {} }"],
    ["a chain of microtasks", "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})"],
    ["a regular expression", `/^(a+)+$/.test("a".repeat(40) + "b")`],
    [
      "mutual recursion without end",
      "const a = () => b(), b = () => { try { a() } catch {} try { a() } catch {} }; a()",
    ],
  ])("%s is answered in its time, and the next call is served", async (_, code) => {
    const startedMs = Date.now();
    const result = await codeforge.run(code, { timeout: 1_000 });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/timeout of 1000 ms|restarted|call stack/i);
    expect(Date.now() - startedMs).toBeLessThan(1_000 + 2_000);

    const nextMs = Date.now();
    const next = await codeforge.run(`return (await fetch("${upstream.origin}/")).status`, { timeout: 5_000 });
    expect(next.text).toMatch(/^200\n/);
    // A bound on a hang: replacing a process takes a fifth of a second where nothing else is running.
    expect(Date.now() - nextMs).toBeLessThan(15_000);
  });

  it("ends the runs beside it, which are told what they had sent", async () => {
    const other = await connect(codeforge.url);
    const code = `
      await fetch("${upstream.origin}/paid", { method: "POST", body: "1" });
      await new Promise((done) => setTimeout(done, 8_000));
      return "done";
    `;
    const neighbour = other.callTool({ name: "execute_code", arguments: { code, timeout: 20_000 } });
    await expect.poll(() => upstream.seen.some(({ url }) => url === "/paid"), { timeout: 10_000 }).toBe(true);
    await codeforge.run(`/^(a+)+$/.test("a".repeat(40) + "b")`, { timeout: 500 });
    const { isError, content } = await neighbour;
    await other.close();
    expect(isError).toBe(true);
    const [{ text = "" } = {}] = content as { text?: string }[];
    expect(text).toMatch(/^The sandbox was restarted/);
    expect(text).toMatch(/1 request, 1 write[\s\S]*POST .*\/paid → 200/);
  });
});

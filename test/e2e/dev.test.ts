/** Plain `wrangler dev`, where nothing supervises the sandbox: blocks that never yield end by the guard in their code. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startDev } from "../helpers/dev.ts";
import { startCommand } from "../helpers/process.ts";
import { connect } from "../helpers/stack.ts";

let dev: Awaited<ReturnType<typeof startDev>> | undefined;
let client: Client | undefined;

beforeAll(async () => {
  dev = await startDev({});
  client = await connect(dev.url);
}, 180_000);

afterAll(async () => {
  await client?.close();
  // Fails when a process is left behind.
  await dev?.stop();
});

async function run(code: string, timeout: number): Promise<{ text: string; isError: boolean }> {
  const result = await client!.callTool({ name: "execute_code", arguments: { code, timeout } });
  const [{ text = "" } = {}] = result.content as { text?: string }[];
  return { text, isError: result.isError === true };
}

describe("a block that never yields under wrangler dev", () => {
  it.each([
    ["an endless loop", "while (true) {}"],
    ["an endless loop that catches", "for (;;) { try { for (;;) {} } catch {} }"],
    [
      "mutual recursion",
      "function a(n) { if (n > 0) { b(n - 1); b(n - 1) } } function b(n) { if (n > 0) { a(n - 1); a(n - 1) } } a(90)",
    ],
    [
      "a runaway generator",
      "function* all() { for (let n = 0; ; n++) yield n } let sum = 0; [...all()].forEach((n) => (sum += n)); return sum",
    ],
    ["a chain of microtasks", "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})"],
  ])("%s is answered in its time with what it had logged, and the next call works", async (_, code) => {
    const startedMs = Date.now();
    const { text, isError } = await run(`console.log("begun"); ${code}`, 1_000);
    expect(isError).toBe(true);
    expect(text).toMatch(/^The code was stopped: it ran longer than its timeout of 1000 ms.*\n\nbegun$/);
    // A bound on a hang, which without the guard has no end.
    expect(Date.now() - startedMs).toBeLessThan(1_000 + 2_000);
    expect((await run("return 1", 5_000)).text).toBe("1");
  });
});

it("refuses paths that wrangler would not go by", async () => {
  const command = startCommand(["dev", "--apis", "elsewhere", "--vars", "elsewhere/.dev.vars"]);
  expect(await command.ended).toBe(1);
  expect(command.output()).toMatch(/--apis, --vars cannot be given here/);
});

/** `npm start` and `npm run dev` as a person runs them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { freePort } from "../../src/cli/local/ports.ts";
import { commandLine, descendants, isAlive, startCommand, type RunningCommand } from "../helpers/process.ts";
import { connect } from "../helpers/stack.ts";

let dir: string;
let running: RunningCommand[] = [];

/** A project of its own in a temporary folder, with the example API on a free port. */
async function options(): Promise<string[]> {
  const examplePort = await freePort("127.0.0.1");
  mkdirSync(join(dir, "apis/example"), { recursive: true });
  const config = { description: "Shop", domains: [`http://127.0.0.1:${examplePort}`], credentials: ["EXAMPLE_TOKEN"] };
  writeFileSync(join(dir, "apis/example/config.json"), JSON.stringify(config));
  const paths = { apis: "apis", vars: ".dev.vars", out: "dist", data: "data" };
  return Object.entries(paths).flatMap(([name, path]) => [`--${name}`, join(dir, path)]);
}

function start(args: readonly string[], env: Record<string, string> = {}): RunningCommand {
  const command = startCommand(args, env);
  running.push(command);
  return command;
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "codeforge-start-"));
});

afterEach(async () => {
  for (const { child } of running) child.kill("SIGTERM");
  await Promise.all(running.map(({ ended }) => ended));
  running = [];
  rmSync(dir, { recursive: true, force: true });
});

async function runBlock(url: string, code: string, token?: string): Promise<string> {
  const client = await connect(new URL(url), [], token);
  const { content } = await client.callTool({ name: "execute_code", arguments: { code } });
  await client.close();
  return (content as { text: string }[])[0]?.text ?? "";
}

describe("codeforge start", () => {
  it("serves, calls the example API with a token nobody typed, and takes up an edit", async () => {
    const args = await options();
    const command = start(["start", "--port", String(await freePort("127.0.0.1")), ...args]);
    const [, url = ""] = await command.waitFor(/CodeForge ready: (\S+)/);
    await command.waitFor(/claude mcp add --transport http codeforge http:\/\/localhost:\d+\/mcp/);
    await command.waitFor(/Ctrl-C stops it/);
    const [, block = ""] = /execute_code:\n\n([\s\S]+?)\n\nCtrl-C/.exec(command.output()) ?? [];
    expect(await runBlock(url, block)).toMatch(/^3\n/);

    mkdirSync(join(dir, "apis/added"));
    writeFileSync(
      join(dir, "apis/added/config.json"),
      JSON.stringify({ description: "New", domains: ["a.example.com"] }),
    );
    await command.waitFor(/^reloaded$/m);
    const client = await connect(new URL(url));
    const { content } = await client.callTool({ name: "list_apis", arguments: {} });
    await client.close();
    expect(JSON.stringify(content)).toContain("added: New");
  });

  it("goes on as it was when an edit is bad, and says what is wrong with it", async () => {
    const args = await options();
    const command = start(["start", "--port", String(await freePort("127.0.0.1")), ...args]);
    const [, url = ""] = await command.waitFor(/CodeForge ready: (\S+)/);
    mkdirSync(join(dir, "apis/bad"));
    writeFileSync(join(dir, "apis/bad/config.json"), JSON.stringify({ description: "Bad", domains: ["http://x"] }));
    await command.waitFor(/not reloaded: [\s\S]*plain http needs its port written out/);
    expect(await runBlock(url, "return 1")).toBe("1");
  });

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("leaves nothing behind after %s", async (signal, code) => {
    const command = start(["start", "--port", String(await freePort("127.0.0.1")), ...(await options())]);
    await command.waitFor(/CodeForge ready/);
    const children = descendants(command.child.pid!);
    expect(children.length).toBeGreaterThanOrEqual(2);
    command.child.kill(signal);
    // Ending on a signal is told by 128 and its number; the runtime's own library may do so before we say 0.
    expect([0, code]).toContain(await command.ended);
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  it("leaves nothing behind when it is killed with a block that never yields, and starts again", async () => {
    const args = ["start", "--port", String(await freePort("127.0.0.1")), ...(await options())];
    const killed = start(args);
    const [, url = ""] = await killed.waitFor(/CodeForge ready: (\S+)/);
    const children = descendants(killed.child.pid!);
    const client = await connect(new URL(url));
    const code = `/^(a+)+$/.test("a".repeat(40) + "b")`;
    const looping = client.callTool({ name: "execute_code", arguments: { code } }).catch(() => {});
    await killed.waitFor(/\[sandbox\] create/);
    killed.child.kill("SIGKILL");
    await killed.ended;
    await client.close();
    await looping;
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([]);

    const again = start(args);
    await again.waitFor(/CodeForge ready/);
    expect(await runBlock(url, "return 1")).toBe("1");
  });

  it("ends at the next start what a killed guardian could not", async () => {
    const args = ["start", "--port", String(await freePort("127.0.0.1")), ...(await options())];
    const killed = start(args);
    await killed.waitFor(/CodeForge ready/);
    const children = descendants(killed.child.pid!);
    const guardian = children.find((pid) => commandLine(pid).includes("guardian.ts"));
    process.kill(guardian!, "SIGKILL");
    killed.child.kill("SIGKILL");
    await killed.ended;
    expect(children.filter(isAlive).length).toBeGreaterThanOrEqual(2);

    await start(args).waitFor(/CodeForge ready/);
    await expect.poll(() => children.filter(isAlive), { timeout: 10_000 }).toEqual([]);
  });

  it("refuses to listen beyond loopback without a token", async () => {
    const command = start(["start", "--port", "0", ...(await options())], { HOST: "0.0.0.0", ADMIN_TOKEN: "" });
    expect(await command.ended).toBe(1);
    expect(command.output()).toContain("set ADMIN_TOKEN");
  });

  it("asks for the token when one is set", async () => {
    const token = "a-token-of-my-own";
    const command = start(["start", "--port", String(await freePort("127.0.0.1")), ...(await options())], {
      ADMIN_TOKEN: token,
    });
    const [, url = ""] = await command.waitFor(/CodeForge ready: (\S+)/);
    expect((await fetch(url, { method: "POST" })).status).toBe(401);
    expect(await runBlock(url, "return 1", token)).toBe("1");
    expect(command.output()).not.toContain(token);
  });

  it("says which port is taken, and how to choose another", async () => {
    const port = String(await freePort("127.0.0.1"));
    const args = ["start", "--port", port, ...(await options())];
    await start(args).waitFor(/CodeForge ready/);
    const second = start(args);
    expect(await second.ended).toBe(1);
    expect(second.output()).toBe(`port ${port} is taken; choose another with --port or PORT\n`);
  });
});

describe("codeforge demo", () => {
  it("shows three blocks, with what the proxy logged and what the model sees", async () => {
    const command = start(["demo", ...(await options())]);
    expect(await command.ended).toBe(0);
    expect(command.output()).toContain('{"name":"Ada Analytics","open":990}');
    expect(command.output()).toMatch(/TypeError: .*\n\s+at line 4:20\n/);
    expect(command.output()).toContain('{"key":"EXAMPLE_TOKEN","authorized":true,"sent":403');
  });
});

/** The command line against a running server: login, tokens, the switch, runs, the audit, and the log files. */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { LogFile, logFiles } from "../../src/cli/local/log-file.ts";
import { postModern } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const ADMIN = "an-admin-token-for-tests-only";
const MAIN = resolve(import.meta.dirname, "../../src/cli/main.ts");

let codeforge: TestStack;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "codeforge-home-"));
  codeforge = await startTestStack({
    adminToken: ADMIN,
    connect: false,
    apis: { mine: { description: "An API", domains: ["mine.example.com"] } },
  });
});
afterAll(async () => {
  await codeforge.stop();
  rmSync(home, { recursive: true, force: true });
});

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly output: string;
}

/** Runs `codeforge …args` as a process with a config directory of the test's own. */
async function cli(args: readonly string[], input = "", env: Record<string, string> = {}): Promise<Finished> {
  const { CODEFORGE_TOKEN: _, CODEFORGE_URL: __, ...inherited } = process.env;
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...inherited, NO_COLOR: "1", XDG_CONFIG_HOME: home, ...env },
    stdio: "pipe",
  });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => (written[name] += chunk.toString()));
  }
  child.stdin.end(input);
  const code = await new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  return { code, stdout: written.stdout, output: written.stdout + written.stderr };
}

async function done(args: readonly string[], input?: string): Promise<string> {
  const { code, stdout, output } = await cli(args, input);
  expect([output, code]).toEqual([output, 0]);
  return stdout;
}

async function runBlock(token: string, code: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const params = { name: "execute_code", arguments: { code } };
  return (await postModern(codeforge.url, "tools/call", params, { headers })).text();
}

describe("login", () => {
  it("keeps no token that the server does not take", async () => {
    const { code, output } = await cli(["login", codeforge.url.origin], "wrong\n");
    expect(code).toBe(1);
    expect(output).toContain("does not take the token");
  });

  it("sends no token over plain http to another machine", async () => {
    const { code, output } = await cli(["login", "http://codeforge.example.com"], ADMIN);
    expect(code).toBe(1);
    expect(output).toContain("is not https");
  });

  it("keeps address and token where only their owner reads them", async () => {
    expect(await done(["login", codeforge.url.origin], `${ADMIN}\n`)).toContain("you are admin");
    const file = join(home, "codeforge/logins.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      current: codeforge.url.origin,
      tokens: { [codeforge.url.origin]: ADMIN },
    });
  });
});

describe("the commands, after a login", () => {
  it("make a token, list it, switch it off and on, and revoke it", async () => {
    const token = (await done(["tokens", "create", "ada-laptop", "--principal", "ada", "--api", "mine"])).trim();
    expect(token).toMatch(/^codeforge_[0-9a-f_]+$/);
    expect(await runBlock(token, "/* \u001b[2J\u009b1A\u202e */ return 6 * 7")).toContain("42");
    expect(await done(["tokens", "list"])).toMatch(/ada-laptop +ada +run +mine +active +never +\d{4}-/);

    await done(["disable", "token", "ada-laptop"]);
    expect(await runBlock(token, "1")).toContain("A bearer token is needed.");
    await done(["enable", "token", "ada-laptop"]);
    expect(await runBlock(token, "/* \u001b[2J\u009b1A\u202e */ return 6 * 7")).toContain("42");
    await done(["tokens", "revoke", "ada-laptop"]);
    expect(await runBlock(token, "1")).toContain("A bearer token is needed.");
  });

  it("say what is wrong before anything is sent, or what the server says", async () => {
    expect((await cli(["tokens", "create", "Ada"])).output).toContain("name: use 1 to 64 lower-case letters");
    expect((await cli(["disable", "api", "nope"])).output).toContain(
      "There is no active API of this name. Known: mine.",
    );
    expect((await cli(["runs", "nope"])).output).toContain("No run of this id is in the history.");
    expect((await cli(["tokens", "list", "--server", "http://127.0.0.1:1"])).output).toContain("cannot be reached");
  });

  it("switch an API off and on", async () => {
    expect(await done(["disable", "api", "mine"])).toContain("api mine is off");
    expect(await done(["enable", "api", "mine"])).toContain("api mine is on");
  });

  it("show runs and who did what, also as JSON lines", async () => {
    const rows = (await done(["audit", "--json"]))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { action: string; run: string });
    expect(rows.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["token.create", "run", "token.change", "api.switch"]),
    );
    expect(await done(["audit", "--limit", "3"])).toMatch(/api\.switch +mine/);
    const id = rows.find(({ action }) => action === "run")?.run ?? "";
    expect(await done(["runs", "--principal", "ada"])).toContain(id);
    const shown = await done(["runs", id]);
    expect(shown).toContain("return 6 * 7");
    expect(shown).toContain("/* \\u001b[2J\\u009b1A\\u202e */");
  });
});

describe("logs", () => {
  const logs = (...args: string[]): Promise<string> => done(["logs", "--data", join(home, "data"), ...args]);

  it("says where they come from when there are none", async () => {
    expect((await cli(["logs", "--data", join(home, "nowhere")])).output).toContain("npm start writes it");
  });

  it("are shown from the oldest file to the latest, all or of one run", async () => {
    const folder = join(home, "data/logs");
    mkdirSync(folder, { recursive: true });
    const line = (n: number, run: string): string => `[2026-01-01T00:00:0${n}.000Z] [req] run="${run}" n=${n}\n`;
    writeFileSync(join(folder, "codeforge.log.1"), line(1, "a") + line(2, "b"));
    writeFileSync(join(folder, "codeforge.log"), line(3, "a"));
    expect([...(await logs()).matchAll(/n=(\d)/g)].map(([, n]) => n)).toEqual(["1", "2", "3"]);
    expect([...(await logs("--run", "a")).matchAll(/n=(\d)/g)].map(([, n]) => n)).toEqual(["1", "3"]);
  });

  it("are bounded: full files are put aside, and the oldest goes", () => {
    const path = join(home, "rotated/codeforge.log");
    const log = new LogFile(path, 100);
    for (let n = 0; n < 100; n++) log.write(`line ${n} ${"x".repeat(30)}`);
    const files = logFiles(path);
    expect(files).toHaveLength(5);
    expect(files.map((file) => statSync(file).size <= 100)).toEqual(Array.from({ length: 5 }, () => true));
    expect(readFileSync(path, "utf8")).toContain("line 99");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});

/** `codeforge dev` in a copy of this checkout, so that its APIs, values and build output can be its own. */
import { spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { freePort } from "../../src/cli/local/ports.ts";
import type { ApiConfigInput } from "../../src/contract/config.ts";
import { commandLine, descendants, isAlive } from "./process.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const COPIED = ["src", "sandbox-worker", "outbound-proxy", "wrangler.toml", "package.json"];
const START_MS = 120_000;
const END_MS = 10_000;

/** Starts it with the given APIs; resolves when it serves. */
export async function startDev(
  apis: Readonly<Record<string, ApiConfigInput>>,
): Promise<{ readonly url: URL; stop(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), "codeforge-dev-"));
  for (const name of COPIED) cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const [name, config] of Object.entries(apis)) {
    mkdirSync(join(root, "apis", name), { recursive: true });
    writeFileSync(join(root, "apis", name, "config.json"), JSON.stringify(config));
  }
  const port = await freePort("127.0.0.1");
  const args = [join(root, "src/cli/main.ts"), "dev", "--port", String(port)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "ignore", "pipe"] });
  const complaints: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
  const ended = new Promise((done) => {
    child.once("close", done);
  });
  const stop = async (): Promise<void> => {
    const pids = descendants(child.pid ?? 0);
    child.kill("SIGTERM");
    await ended;
    const left = await stillAlive(pids);
    for (const pid of left) process.kill(pid, "SIGKILL");
    rmSync(root, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`codeforge dev left behind: ${left.map(commandLine).join("; ")}`);
  };
  const url = new URL(`http://127.0.0.1:${port}/mcp`);
  const startedMs = Date.now();
  while (!(await answers(url))) {
    if (child.exitCode === null && Date.now() - startedMs < START_MS) continue;
    await stop();
    throw new Error(`codeforge dev did not come up:\n${Buffer.concat(complaints).toString()}`);
  }
  return { url, stop };
}

/** Those of the processes that are not gone after a while. */
async function stillAlive(pids: readonly number[]): Promise<number[]> {
  for (let waitedMs = 0; waitedMs < END_MS; waitedMs += 100) {
    if (!pids.some(isAlive)) return [];
    await new Promise((done) => {
      setTimeout(done, 100);
    });
  }
  return pids.filter(isAlive);
}

/** Whether the server answers, whatever it says. */
async function answers(url: URL): Promise<boolean> {
  await new Promise((done) => {
    setTimeout(done, 250);
  });
  return fetch(url).then(
    (response) => response.status < 500,
    () => false,
  );
}

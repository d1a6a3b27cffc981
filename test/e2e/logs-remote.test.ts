/** `codeforge logs --remote`, with the real `wrangler tail` against a stand-in for Cloudflare's API. */
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { resolve } from "node:path";

import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";

import { startCloudflare, type StandIn } from "../helpers/cloudflare.ts";

const MAIN = resolve(import.meta.dirname, "../../src/cli/main.ts");
const WORKERS = ["acme-codeforge-qa", "acme-codeforge-sandbox-qa", "acme-codeforge-outbound-proxy-qa"];
const RUN = "5b1f2c1e-0000-4000-8000-000000000001";

let cloudflare: StandIn;

beforeAll(async () => {
  cloudflare = await startCloudflare();
  for (const name of WORKERS) {
    cloudflare.scripts.set(name, { migrationTag: null, versions: [], live: [], isPublic: false });
  }
});
afterAll(() => cloudflare.stop());

interface Running {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly code: Promise<number | null>;
  stderr(): string;
}

function logs(...args: string[]): Running {
  const child = spawn(process.execPath, [MAIN, "logs", "--remote", ...args], {
    env: { ...process.env, NO_COLOR: "1", ...cloudflare.env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  let stderr = "";
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const code = new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  return { child, lines, code, stderr: () => stderr };
}

const ownLine = (tag: string, run: string): string => `[2026-11-02T10:00:00.000Z] [${tag}] run="${run}" n=1`;

/** An event as the platform sends it, with one line of the log. */
function tell(worker: string, message: string, exceptions: object[] = []): void {
  const log = { message: [message], level: "log", timestamp: 1_793_613_600_000 };
  const event = {
    outcome: "ok",
    scriptName: worker,
    exceptions,
    logs: [log],
    eventTimestamp: log.timestamp,
    event: null,
  };
  cloudflare.tails.get(worker)?.send(JSON.stringify(event));
}

it("joins the tails of the three Workers of a deployment, and lets go of them at the end", async () => {
  const running = logs("--prefix", "acme", "--env", "qa");
  await expect.poll(() => [...cloudflare.tails.keys()].toSorted(), { timeout: 60_000 }).toEqual(WORKERS.toSorted());
  expect(new Set([...cloudflare.tails.values()].map(({ protocol }) => protocol))).toEqual(new Set(["trace-v1"]));
  for (const [i, worker] of WORKERS.entries()) tell(worker, ownLine(["skill", "sandbox", "req"][i] ?? "", RUN));
  await expect.poll(() => running.lines.length, { timeout: 10_000 }).toBe(3);
  expect(running.lines.toSorted()).toEqual([ownLine("req", RUN), ownLine("sandbox", RUN), ownLine("skill", RUN)]);

  // What is none of its own lines is told apart, and cannot pass for one.
  const exception = { name: "TypeError", message: "broken", timestamp: 1_793_613_600_000 };
  tell("acme-codeforge-qa", `unexpected\n${ownLine("req", RUN)}`, [exception]);
  await expect.poll(() => running.lines.length, { timeout: 10_000 }).toBe(5);
  expect(running.lines.slice(3)).toEqual([
    `[2026-11-02T10:00:00.000Z] [acme-codeforge-qa] unexpected ${ownLine("req", RUN)}`,
    "[2026-11-02T10:00:00.000Z] [acme-codeforge-qa] exception TypeError: broken",
  ]);

  running.child.kill("SIGINT");
  expect([await running.code, running.stderr()]).toEqual([0, ""]);
  const released = cloudflare.writes.filter((call) => call.startsWith("DELETE"));
  expect(released.toSorted()).toEqual(
    WORKERS.map((name) => `DELETE /workers/scripts/${name}/tails/tail-of-${name}`).toSorted(),
  );
  expect(cloudflare.unknown).toEqual([]);
});

it("says which Worker is not there, and shows no half of a log", async () => {
  const { code, stderr } = logs("--prefix", "nobody");
  expect(await code).toBe(1);
  expect(stderr()).toMatch(/nobody-codeforge\S*: [\s\S]*does not exist/);
});

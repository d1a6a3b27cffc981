/** Ending what was left behind: never a process that only has the id of one of ours. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { UserError } from "../../src/cli/errors.ts";
import { endLeftRuntimes, holdRuntimes } from "../../src/cli/local/lifeline.ts";
import { end, identify, isRunning } from "../../src/cli/local/processes.ts";
import { isAlive } from "../helpers/process.ts";

let data: string;
let bystander: ChildProcess;

beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "codeforge-processes-"));
  bystander = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });
  await new Promise((done) => bystander.once("spawn", done));
});

afterEach(() => {
  bystander.kill("SIGKILL");
  rmSync(data, { recursive: true, force: true });
});

const pid = (): number => bystander.pid ?? 0;

describe("a process that is known", () => {
  it("is ended, and then known to be gone", async () => {
    const known = identify(pid())!;
    expect(isRunning(known)).toBe(true);
    expect(end(known)).toBe(true);
    await expect.poll(() => isRunning(known)).toBe(false);
    expect(end(known)).toBe(false);
  });

  it("is not another one that has its id later", () => {
    expect(end({ pid: pid(), birth: `${identify(pid())!.birth}0` })).toBe(false);
    expect(isAlive(pid())).toBe(true);
  });

  it("is not known when there is none", () => {
    expect(identify(2 ** 30)).toBeNull();
  });
});

describe("the list of an earlier start", () => {
  const write = (list: unknown): void => {
    mkdirSync(data, { recursive: true });
    writeFileSync(join(data, "processes.json"), typeof list === "string" ? list : JSON.stringify(list));
  };
  const gone = { pid: 2 ** 30, birth: "long ago" };

  it("has what it left behind ended at the next", async () => {
    write({ supervisor: gone, runtimes: [identify(pid())] });
    await endLeftRuntimes(data);
    expect(isAlive(pid())).toBe(false);
  });

  it.each([
    ["a process of another time", () => ({ supervisor: gone, runtimes: [{ pid: pid(), birth: "another time" }] })],
    ["nothing that can be read", () => `{"supervisor":`],
    ["something else", () => [pid()]],
    ["those of a server that runs", () => ({ supervisor: identify(process.pid), runtimes: [identify(pid())] })],
  ])("ends nothing when it names %s", async (_, list) => {
    write(list());
    await endLeftRuntimes(data);
    expect(isAlive(pid())).toBe(true);
  });

  it("keeps a second server from the data of one that runs", () => {
    const running = holdRuntimes(data);
    expect(() => holdRuntimes(data)).toThrow(UserError);
    expect(() => holdRuntimes(data)).toThrow(`another server (process ${process.pid}) keeps its data in ${data}`);
    running.release();
    holdRuntimes(data).release();
  });
});

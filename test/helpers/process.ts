/** A command of the CLI as a process of its own, with its output, as a person would start it. */
import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export interface RunningCommand {
  readonly child: ChildProcess;
  /** Everything it has written so far. */
  output(): string;
  /** Resolves with the match once the output matches; rejects when the process ends before. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves with its exit code. */
  readonly ended: Promise<number | null>;
}

/** Starts `codeforge <args>`. */
export function startCommand(args: readonly string[], env: Readonly<Record<string, string>> = {}): RunningCommand {
  const child = spawn(process.execPath, [join(ROOT, "src/cli/main.ts"), ...args], {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      text += chunk.toString();
      for (const listener of listeners) listener();
    });
  }
  const ended = new Promise<number | null>((done) => child.once("close", (code) => done(code)));
  const waitFor = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((done, fail) => {
      const look = (): void => {
        const match = pattern.exec(text);
        if (match === null) return;
        listeners.delete(look);
        done(match);
      };
      listeners.add(look);
      look();
      void ended.then(() => fail(new Error(`the command ended without writing ${pattern}:\n${text}`)));
    });
  return { child, output: () => text, waitFor, ended };
}

/** The ids of every process that descends from `pid`, by the system's own table (Linux). */
export function descendants(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "utf8");
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]));
    } catch {
      // It ended in between.
    }
  }
  const below = (parent: number): number[] =>
    [...parents].filter(([, of]) => of === parent).flatMap(([child]) => [child, ...below(child)]);
  return below(pid);
}

/** What a process was called with (Linux), or nothing when it is gone. */
export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

/** Whether a process is alive. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** The ids of a stack's runtimes, which its data folder names for the next start to end. */
export function runtimesOf(data: string): number[] {
  const { runtimes } = JSON.parse(readFileSync(join(data, "processes.json"), "utf8")) as {
    readonly runtimes: readonly { readonly pid: number }[];
  };
  return runtimes.map(({ pid }) => pid);
}

/** Whether a process listens on a TCP port of this machine (Linux). */
export function listensOn(pid: number, port: number): boolean {
  const address = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  // See proc_net(5): the second field is the own address, the fourth the state (0A: listening), the tenth the inode.
  const rows = readFileSync("/proc/net/tcp", "utf8").split("\n");
  const listening = rows.map((row) => row.trim().split(/\s+/)).filter((row) => row[3] === "0A");
  const inodes = listening.filter((row) => row[1]?.endsWith(address)).map((row) => `socket:[${row[9]}]`);
  return readdirSync(`/proc/${pid}/fd`).some((fd) => inodes.includes(linkOf(`/proc/${pid}/fd/${fd}`)));
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

/** Resident memory of a process in MiB (Linux), or 0 when it is gone. */
export function residentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

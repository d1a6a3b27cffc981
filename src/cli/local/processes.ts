/**
 * Processes of this system, told apart by when they began: an id alone may belong to somebody else by the time it is
 * used. Where the system does not say (Windows), nothing is known and nothing is ended.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

import { z } from "zod";

/** A process, and what no other process with its id has: when it began. */
export const KnownProcess = z.strictObject({ pid: z.number().int().positive(), birth: z.string().min(1) });
export type KnownProcess = z.infer<typeof KnownProcess>;

/** The process that has this id now, or null when there is none, it has ended, or the system does not say. */
export function identify(pid: number): KnownProcess | null {
  const birth = process.platform === "linux" ? birthFromProc(pid) : birthFromPs(pid);
  return birth === null ? null : { pid, birth };
}

/** Whether it is running still, and not another one with its id. */
export function isRunning(known: KnownProcess): boolean {
  return identify(known.pid)?.birth === known.birth;
}

/** Ends the process at once if it is running still; a stranger with its id is left alone. Answers whether it was. */
export function end(known: KnownProcess): boolean {
  if (!isRunning(known)) return false;
  try {
    return process.kill(known.pid, "SIGKILL");
  } catch {
    // It ended in between, or is not ours to end.
    return false;
  }
}

/** See proc(5): of `stat`, the 3rd field is the state, the 20th the threads, the 22nd the start in ticks since the boot. */
function birthFromProc(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is a name in parentheses that may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // Ended, and only not yet waited for; until its last thread is gone it holds its ports.
    if (fields[0] === "Z" && Number(fields[17]) <= 1) return null;
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${fields[19]}`;
  } catch {
    return null;
  }
}

function birthFromPs(pid: number): string | null {
  if (process.platform === "win32") return null;
  const { status, stdout } = spawnSync("ps", ["-o", "lstart=,comm=", "-p", String(pid)], { encoding: "utf8" });
  return status === 0 && stdout.trim() !== "" ? stdout.trim() : null;
}

/** How much memory the process behind a Miniflare takes, which keeps that process to itself. */
import { AsyncLocalStorage } from "node:async_hooks";
import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { readFileSync } from "node:fs";

/** Takes the id of each process that is made on behalf of a Miniflare, restarts included. */
type TakePid = (pid: number) => void;

const makers = new AsyncLocalStorage<TakePid>();

// Node tells of every child that this program makes, where it is made.
subscribe("child_process", (message) => {
  const { process: child } = message as { process: ChildProcess };
  const takePid = makers.getStore();
  child.once("spawn", () => {
    if (child.pid !== undefined) takePid?.(child.pid);
  });
});

/** Makes a Miniflare whose process is told to `takePid`. */
export function tellingPid<T>(takePid: TakePid, make: () => T): T {
  return makers.run(takePid, make);
}

/** Resident memory of a process in bytes; null when it is gone, or the system does not say (it is asked on Linux). */
export function residentBytes(pid: number): number | null {
  try {
    const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}

/**
 * No process is left behind, however the supervisor ends. Each runtime that it starts is entered twice: at a guardian,
 * a process that ends them when the supervisor is gone, and in a file, from which the next start ends what even the
 * guardian could not. A stopped stack has nothing entered.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { rmSync } from "node:fs";
import { Socket } from "node:net";
import { basename, join } from "node:path";

import { z } from "zod";

import { UserError } from "../errors.ts";
import { readIfThere, replaceFile } from "../files.ts";
import { end, identify, isRunning, KnownProcess } from "./processes.ts";

/** Node tells of every child that this program makes; Miniflare itself keeps its runtime's process to itself. */
const CHILD_CREATED = "child_process";

/** How long the end of a process is waited for, in milliseconds; its ports are free only then. */
const MAX_END_MS = 2_000;
const END_STEP_MS = 20;

const Entries = z.object({ supervisor: KnownProcess, runtimes: z.array(KnownProcess) });

/** What holds the runtimes of one stack to the life of this program. */
export interface Lifeline {
  /** Nothing is held any more: to be called when every runtime of the stack has ended. */
  release(): void;
}

/** Ends the runtimes that an earlier supervisor of the folder has left behind; resolves when they are gone. */
export async function endLeftRuntimes(data: string): Promise<void> {
  const entries = readEntries(data);
  if (entries === null || isRunning(entries.supervisor)) return;
  for (const known of entries.runtimes) {
    if (!end(known)) continue;
    for (let waited = 0; isRunning(known) && waited < MAX_END_MS; waited += END_STEP_MS) {
      await new Promise((resolve) => setTimeout(resolve, END_STEP_MS));
    }
  }
}

/**
 * From now on holds each runtime that this program starts.
 *
 * @throws UserError when another supervisor uses the folder right now.
 */
export function holdRuntimes(data: string): Lifeline {
  const other = readEntries(data)?.supervisor;
  if (other !== undefined && isRunning(other)) {
    throw new UserError(
      `another server (process ${other.pid}) keeps its data in ${data}: stop it, or choose another folder with --data`,
    );
  }
  const file = pathOf(data);
  const guardian = spawn(process.execPath, [join(import.meta.dirname, "guardian.ts")], {
    // In a session of its own: what ends the supervisor's terminal or group leaves it alone.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // It may be gone; then the file is what is left.
  guardian.on("error", () => {});
  guardian.stdin.on("error", () => {});
  guardian.unref();
  if (guardian.stdin instanceof Socket) guardian.stdin.unref();

  const supervisor = identify(process.pid);
  const runtimes = new Map<number, KnownProcess>();
  const enter = (): void => {
    if (supervisor === null) return;
    const list = [...runtimes.values()];
    guardian.stdin.write(`${JSON.stringify(list)}\n`);
    replaceFile(file, JSON.stringify({ supervisor, runtimes: list } satisfies z.infer<typeof Entries>), 0o600);
  };
  enter();
  const stopListening = onRuntime((child) => {
    const known = child.pid === undefined ? null : identify(child.pid);
    if (known === null) return;
    runtimes.set(known.pid, known);
    enter();
    child.once("exit", () => {
      if (runtimes.delete(known.pid)) enter();
    });
  });
  return {
    release() {
      stopListening();
      runtimes.clear();
      guardian.stdin.end("[]\n");
      rmSync(file, { force: true });
    },
  };
}

function pathOf(data: string): string {
  return join(data, "processes.json");
}

function readEntries(data: string): z.infer<typeof Entries> | null {
  const parsed = Entries.safeParse(parseJson(readIfThere(pathOf(data))));
  return parsed.success ? parsed.data : null;
}

/** A file that is damaged names no process. */
function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** Calls back as soon as a runtime of this program runs. Returns how to stop that. */
function onRuntime(callback: (child: ChildProcess) => void): () => void {
  const listener = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess };
    child.once("spawn", () => {
      if (/^workerd(?:\.exe)?$/.test(basename(child.spawnfile))) callback(child);
    });
  };
  subscribe(CHILD_CREATED, listener);
  return () => void unsubscribe(CHILD_CREATED, listener);
}

/** A program run to its end, with what it wrote. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../..");

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of an installed package under this Node; `path` is relative to `node_modules`. */
export async function runPackage(
  path: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(process.execPath, [resolve(ROOT, "node_modules", path), ...args], {
    cwd: ROOT,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "0", ...env },
  });
  const written = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (chunk: Buffer) => (written[name] += chunk.toString()));
  }
  const code = await new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  return { code, ...written };
}

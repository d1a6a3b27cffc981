/** Runs this checkout's own wrangler as a process, without a shell, the same on every system. */
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The program that `npx wrangler` would run. */
export function wranglerPath(): string {
  return join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
}

export interface WranglerOptions {
  /** What it reads; without it, the terminal's own input. */
  readonly input?: string;
  readonly cwd?: string;
  readonly program?: string | undefined;
}

/**
 * Runs wrangler with its output shown, and gives its exit code. Its debug log keeps request bodies out, whatever the
 * environment says: they carry values.
 */
export async function runWrangler(
  args: readonly string[],
  { input, cwd, program = wranglerPath() }: WranglerOptions = {},
): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
    env: { ...process.env, WRANGLER_LOG_SANITIZE: "true", WRANGLER_SEND_METRICS: "false" },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  child.on("error", reject);
  child.on("close", (code) => resolve(code ?? 1));
  // It may end without reading, for want of a login: its exit code says so, not the broken pipe.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return promise;
}

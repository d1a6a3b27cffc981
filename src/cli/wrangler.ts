/** Runs this checkout's own wrangler as a process, without a shell, the same on every system. */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { readIfThere } from "./files.ts";

/** The program that `npx wrangler` would run. */
export function wranglerPath(): string {
  return join(dirname(createRequire(import.meta.url).resolve("wrangler/package.json")), "bin/wrangler.js");
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export interface WranglerOptions {
  /** What it reads; without it, the terminal's own input. */
  readonly input?: string;
  readonly cwd?: string;
  readonly program?: string | undefined;
}

/** Its debug log keeps request bodies out, whatever the environment says: they carry values. */
const ENVIRONMENT = { WRANGLER_LOG_SANITIZE: "true", WRANGLER_SEND_METRICS: "false" };

/** Runs wrangler with its output shown, and gives its exit code. */
export async function runWrangler(
  args: readonly string[],
  { input, cwd, program = wranglerPath() }: WranglerOptions = {},
): Promise<number> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: [input === undefined ? "inherit" : "pipe", "inherit", "inherit"],
    env: { ...process.env, ...ENVIRONMENT },
    ...(cwd === undefined ? {} : { cwd }),
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  // Whoever ends this program means what it runs as well.
  const end = (): void => void child.kill();
  for (const signal of SIGNALS) process.on(signal, end);
  child.on("error", reject);
  child.on("close", (code) => resolve(code ?? 1));
  // It may end without reading, for want of a login: its exit code says so, not the broken pipe.
  child.stdin?.on("error", () => {});
  child.stdin?.end(input);
  return promise.finally(() => {
    for (const signal of SIGNALS) process.off(signal, end);
  });
}

/** What came of a call whose output was not shown. */
export interface WranglerCall {
  readonly code: number;
  readonly stdout: string;
  /** Both streams together, as a terminal would have shown them without colours. */
  readonly output: string;
  /** What it writes for programs, one JSON value a line; see `WRANGLER_OUTPUT_FILE_PATH`. */
  readonly entries: readonly unknown[];
}

export interface CallOptions {
  readonly cwd?: string;
  /** Laid over this process's environment. */
  readonly env?: Readonly<Record<string, string>>;
}

export type CallWrangler = (args: readonly string[], options?: CallOptions) => Promise<WranglerCall>;

const UNATTENDED = { CI: "true", NO_COLOR: "1" };

/** Runs wrangler unattended: it asks nothing, and what it writes is given back instead of shown. */
export const callWrangler: CallWrangler = async (args, { cwd, env } = {}) => {
  const dir = mkdtempSync(join(tmpdir(), "codeforge-wrangler-"));
  const outputFile = join(dir, "output.jsonl");
  try {
    const child = spawn(process.execPath, [wranglerPath(), ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env, ...ENVIRONMENT, ...UNATTENDED, WRANGLER_OUTPUT_FILE_PATH: outputFile },
      ...(cwd === undefined ? {} : { cwd }),
    });
    let stdout = "";
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      output += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
    const code = await promise;
    const lines = (readIfThere(outputFile) ?? "").split("\n").filter((line) => line !== "");
    return { code, stdout, output, entries: lines.map((line): unknown => JSON.parse(line)) };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
};

/**
 * Runs the real command line as a process of its own on a temporary folder, which is removed when the test ends.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

import { onTestFinished } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(ROOT, "src/cli/main.ts");

/** Compiled code is kept between the many short processes; that halves what each costs. */
const NODE_COMPILE_CACHE = join(ROOT, ".codeforge/compile-cache");

/** What a process left: its exit code and everything it printed. */
export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Both streams, to look for what must be in neither. */
  readonly output: string;
}

export interface CliFolder {
  readonly dir: string;
  /** Runs `codeforge …args` with every path inside the folder. */
  run(args: readonly string[], options?: { readonly input?: string; readonly env?: NodeJS.ProcessEnv }): CliResult;
  write(path: string, text: string): void;
  writeConfig(api: string, config: unknown): void;
  /** The file's text, or undefined. */
  read(path: string): string | undefined;
}

/** A temporary folder with `apis/`, `.dev.vars` and `dist/` as far as a test or the command itself writes them. */
export function createCliFolder(): CliFolder {
  const dir = mkdtempSync(join(tmpdir(), "codeforge-cli-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  };
  return {
    dir,
    write,
    writeConfig: (api, config) => write(`apis/${api}/config.json`, JSON.stringify(config)),
    read: (path) => (existsSync(join(dir, path)) ? readFileSync(join(dir, path), "utf8") : undefined),
    run(args, { input = "", env = {} } = {}) {
      const paths = ["--apis", "apis", "--vars", ".dev.vars", "--out", "dist"];
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args, ...paths], {
        cwd: dir,
        input,
        env: { ...process.env, NO_COLOR: "1", NODE_COMPILE_CACHE, ...env },
        encoding: "utf8",
      });
      return { code: status, stdout, stderr, output: stdout + stderr };
    },
  };
}

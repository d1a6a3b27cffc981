/** The few things the commands do to files: read if there, write only on change, replace in one step. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";

import { errorCode } from "./errors.ts";

/** The file's text, or undefined if there is no such file. */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

/**
 * Replaces a file in one step, so that a reader sees the old text or the new one and never a part; behind a link it
 * replaces what the link leads to. `mode` is set before there is anything to read; Windows, which has no such modes, ignores it.
 */
export function replaceFile(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  const target = existsSync(path) ? realpathSync(path) : path;
  const draft = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode, flag: "wx" });
    chmodSync(draft, mode);
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Writes a file unless it holds this text already, so that what watches it is not woken for nothing. */
export function writeIfChanged(path: string, text: string): boolean {
  if (readIfThere(path) === text) return false;
  replaceFile(path, text);
  return true;
}

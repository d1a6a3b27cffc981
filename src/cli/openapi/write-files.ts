/**
 * Puts a compiled document's files into a folder in one step: they are written beside it and take its place when all of
 * them are there. Whoever reads sees the old files or the new ones, and a command that is killed leaves the old.
 */
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Makes `folder` hold exactly these files, by path relative to it. */
export function replaceFolder(folder: string, files: ReadonlyMap<string, Uint8Array | string>): void {
  const beside = (kind: string): string => join(dirname(folder), `.${basename(folder)}.${process.pid}.${kind}`);
  const [draft, old] = [beside("new"), beside("old")];
  try {
    for (const [name, content] of files) {
      mkdirSync(dirname(join(draft, name)), { recursive: true });
      writeFileSync(join(draft, name), content, { flag: "wx" });
    }
    if (existsSync(folder)) renameSync(folder, old);
    try {
      renameSync(draft, folder);
    } catch (error) {
      if (existsSync(old)) renameSync(old, folder);
      throw error;
    }
  } finally {
    for (const path of [draft, old]) rmSync(path, { recursive: true, force: true });
  }
}

/**
 * Puts a compiled document's files into a folder: the index last, so that a reader who finds it finds the rest. Cards of
 * an earlier compilation that are no longer part of it are removed; no other file is.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { INDEX_FILE } from "../../openapi/storage.ts";

/** Writes the files, unchanged ones left alone. Returns how many were written. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): number {
  let written = 0;
  const names = [...files.keys()].toSorted((a, b) => Number(a === INDEX_FILE) - Number(b === INDEX_FILE));
  for (const name of names) {
    const path = join(folder, name);
    const bytes = files.get(name) ?? new Uint8Array();
    if (existsSync(path) && readFileSync(path).equals(bytes)) continue;
    mkdirSync(dirname(path), { recursive: true });
    const draft = `${path}.${process.pid}.tmp`;
    writeFileSync(draft, bytes);
    renameSync(draft, path);
    written++;
  }
  const cards = join(folder, "cards");
  for (const name of existsSync(cards) ? readdirSync(cards) : []) {
    if (/^[0-9a-f]+\.json$/.test(name) && !files.has(`cards/${name}`)) rmSync(join(cards, name));
  }
  return written;
}

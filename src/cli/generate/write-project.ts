/**
 * Puts a generated project into a folder without overwriting what is not the generator's own. A record of digests says
 * what was written the last time: an unedited file is replaced, an edited one is kept as long as the generator has nothing
 * new to say about it, and otherwise nothing at all is written.
 */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join, resolve, sep } from "node:path";

import { z } from "zod";

import { sha256 } from "../../openapi/sha256.ts";
import { UserError } from "../errors.ts";
import { readIfThere, replaceFile } from "../files.ts";
import { displayPath } from "../project.ts";
import { RECORD_FILE, type Generated } from "./project.ts";

const RecordFile = z.object({ files: z.record(z.string(), z.string()) });

/** What was done, as paths inside the folder. */
export interface Written {
  readonly written: readonly string[];
  /** Edited by somebody, and left as they are. */
  readonly kept: readonly string[];
  readonly removed: readonly string[];
  readonly unchanged: number;
}

/** Writes the project. @throws {UserError} before anything is written, if something would be lost. */
export function writeProject(folder: string, { files, record }: Generated): Written {
  const before = readRecord(folder);
  const written: string[] = [];
  const kept: string[] = [];
  const edited: string[] = [];
  const digests: [string, string][] = [];
  for (const [path, text] of files) {
    const digest = sha256(text);
    digests.push([path, digest]);
    const found = readIfThere(join(folder, path));
    if (found === text) continue;
    if (found === undefined || sha256(found) === before.get(path)) written.push(path);
    else if (digest === before.get(path)) kept.push(path);
    else edited.push(path);
  }
  if (edited.length > 0) {
    throw new UserError(
      `${edited.join(", ")} in ${displayPath(folder)} ${edited.length === 1 ? "was" : "were"} not written by this generator, or edited since, and would change. Nothing is written: move ${edited.length === 1 ? "it" : "them"} away, or generate into another folder.`,
    );
  }
  const removed = [...before].filter(([path, digest]) => !files.has(path) && isUnedited(folder, path, digest));
  for (const path of written) replaceFile(join(folder, path), files.get(path) ?? "");
  for (const [path] of removed) rmSync(join(folder, path));
  const text = `${JSON.stringify({ ...record, files: Object.fromEntries(digests) }, null, 2)}\n`;
  if (readIfThere(join(folder, RECORD_FILE)) !== text) replaceFile(join(folder, RECORD_FILE), text);
  const unchanged = files.size - written.length - kept.length;
  return { written, kept, removed: removed.map(([path]) => path), unchanged };
}

/** The digests of what was written before; refuses a folder with other content and without such a record. */
function readRecord(folder: string): ReadonlyMap<string, string> {
  if (!existsSync(folder)) return new Map();
  if (!statSync(folder).isDirectory()) throw new UserError(`${displayPath(folder)} is no folder.`);
  const text = readIfThere(join(folder, RECORD_FILE));
  if (text === undefined) {
    const content = readdirSync(folder).filter((name) => name !== ".git");
    if (content.length === 0) return new Map();
    const some = content.slice(0, 3).join(", ");
    throw new UserError(
      `${displayPath(folder)} has other content (${some}${content.length > 3 ? ", …" : ""}), which would be mixed up with the server's. Nothing is written: give an empty or a new folder with --out.`,
    );
  }
  const parsed = RecordFile.safeParse(parse(text));
  if (parsed.success) return new Map(Object.entries(parsed.data.files));
  throw new UserError(
    `${displayPath(join(folder, RECORD_FILE))} is not the record this generator writes; remove it or give another folder with --out.`,
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a file of the last time is still as it was written; never one outside the folder, whatever the record says. */
function isUnedited(folder: string, path: string, digest: string): boolean {
  const root = resolve(folder) + sep;
  if (!resolve(folder, path).startsWith(root)) return false;
  const text = readIfThere(join(folder, path));
  return text !== undefined && sha256(text) === digest;
}

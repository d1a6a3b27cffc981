/**
 * Reads `apis/`: one folder per API with its `config.json` and, if there, its `types.d.ts`. Every issue of every file is
 * reported at once with the file it is in; nothing of a file's content is repeated.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

import { buildCatalog, type Catalog, type CatalogIssue, type ConfigSource } from "../contract/catalog.ts";
import { errorCode, UserError } from "./errors.ts";
import { readIfThere } from "./files.ts";
import { parseJson } from "./json.ts";
import { readOperationsNote } from "./openapi/stored.ts";
import { displayPath } from "./project.ts";

/** One thing wrong in one file; `path` is the place within it, empty for the file as a whole. */
export interface FileIssue {
  readonly file: string;
  readonly path: string;
  readonly message: string;
}

export type ReadCatalogResult =
  | {
      readonly ok: true;
      readonly catalog: Catalog;
      /** Names of APIs with `active: false`; they are in nothing else here. */
      readonly inactive: readonly string[];
      /** API name to the text of its `types.d.ts`, for active APIs that have one and no compiled operations. */
      readonly types: Readonly<Record<string, string>>;
    }
  | { readonly ok: false; readonly issues: readonly FileIssue[] };

/** Where an API's config lives. */
export function configPath(apisDir: string, api: string): string {
  return join(apisDir, api, "config.json");
}

/** Reads and compiles every API folder. Files and folders whose name starts with a dot are ignored. */
export function readCatalog(apisDir: string): ReadCatalogResult {
  const sources: ConfigSource[] = [];
  const unreadable: CatalogIssue[] = [];
  for (const name of apiFolders(apisDir)) {
    const read = readConfig(apisDir, name);
    const operations = readOperationsNote(join(apisDir, name));
    if (read.ok) sources.push({ name, config: read.value, operations: operations.note });
    if (operations.problem !== undefined) unreadable.push({ api: name, path: "", message: operations.problem });
    if (!read.ok) unreadable.push({ api: name, path: "", message: read.message });
  }
  const built = buildCatalog(sources);
  const issues = [...unreadable, ...(built.ok ? [] : built.issues)];
  if (!built.ok || issues.length > 0) return { ok: false, issues: issues.map((issue) => toFileIssue(apisDir, issue)) };
  const types: Record<string, string> = {};
  for (const { name, operations } of built.catalog.apis) {
    // Those of compiled operations are for editors: a model is given the types of one operation at a time.
    const text = operations === null ? readIfThere(join(apisDir, name, "types.d.ts")) : undefined;
    if (text !== undefined) types[name] = text;
  }
  return { ok: true, catalog: built.catalog, inactive: built.inactive, types };
}

/** Like `readCatalog`, for commands that cannot go on without a valid catalog. */
export function requireCatalog(apisDir: string): Extract<ReadCatalogResult, { ok: true }> {
  const read = readCatalog(apisDir);
  if (!read.ok) throw new UserError(issuesText(read.issues));
  return read;
}

/** One API's `config.json` as JSON, not yet checked against the schema. */
export function readConfig(apisDir: string, api: string): ReturnType<typeof parseJson> {
  const text = readIfThere(configPath(apisDir, api));
  if (text === undefined) return { ok: false, message: "there is no such file; every folder of an API has one" };
  return parseJson(text);
}

/** The names of the folders in `apis/`, sorted; none if there is no such folder. */
export function apiFolders(apisDir: string): string[] {
  try {
    const names = readdirSync(apisDir).filter((name) => !name.startsWith("."));
    return names.filter((name) => statSync(join(apisDir, name)).isDirectory()).toSorted();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    if (errorCode(error) === "ENOTDIR") throw new UserError(`${displayPath(apisDir)} is not a folder`);
    throw error;
  }
}

/** Issues as lines of text: file, place in it, what to do. */
export function issuesText(issues: readonly FileIssue[]): string {
  const lines = issues.map(({ file, path, message }) => [displayPath(file), path, message].filter(Boolean).join(": "));
  return [...lines, issues.length === 1 ? "1 issue" : `${issues.length} issues`].join("\n");
}

function toFileIssue(apisDir: string, { api, path, message }: CatalogIssue): FileIssue {
  return { file: configPath(apisDir, api), path, message };
}

/**
 * Reads a folder of the container edition: `apis/<name>/config.json` with values in it, `.env`, and the scripts in `skills/`.
 * Nothing in it is changed, and no text of a problem holds a value.
 */
import { readdirSync, readFileSync } from "node:fs";
import { basename, extname, join } from "node:path";

import { z } from "zod";

import { UserError, errorCode } from "../errors.ts";
import { readIfThere } from "../files.ts";
import { parseJson } from "../json.ts";
import { displayPath } from "../project.ts";
import { parseVars } from "../secrets-file.ts";

/** An API as the container edition has it. */
export interface SourceApi {
  readonly name: string;
  /** All of its config but the credentials. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Names with values; an empty text is a value that was never set. */
  readonly credentials: ReadonlyMap<string, string>;
}

export interface SourceScript {
  /** Relative to `skills/`. */
  readonly file: string;
  readonly text: string;
}

export interface Source {
  readonly apis: readonly SourceApi[];
  readonly env: ReadonlyMap<string, string>;
  readonly scripts: readonly SourceScript[];
  /** What is there and is not carried over, with the reason. */
  readonly left: readonly string[];
}

const Config = z.looseObject({
  credentials: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown())]).optional(),
});
const SCRIPTS = [".ts", ".js", ".mjs", ".mts"];

/**
 * Reads the folder.
 *
 * @throws UserError if it is no folder of the container edition.
 */
export function readSource(folder: string): Source {
  const left: string[] = [];
  const apis = entriesOf(join(folder, "apis")).flatMap(({ name, isFolder }) => {
    const read = isFolder ? readApi(join(folder, "apis", name), name, left) : null;
    return read === null ? [] : [read];
  });
  const scripts = entriesOf(join(folder, "skills")).flatMap(({ name, isFolder }) => {
    const path = join(folder, "skills", name);
    if (!isFolder && SCRIPTS.includes(extname(name))) return [{ file: name, text: readFileSync(path, "utf8") }];
    left.push(`skills/${name}: ${isFolder ? "a folder" : "no script"}; copy by hand what a skill needs of it`);
    return [];
  });
  if (apis.length === 0 && scripts.length === 0) {
    throw new UserError(
      `${displayPath(folder)} has neither apis/<name>/config.json nor scripts in skills/; is it the folder of the container edition?`,
    );
  }
  return { apis, scripts, env: parseVars(readIfThere(join(folder, ".env")) ?? ""), left };
}

function readApi(folder: string, name: string, left: string[]): SourceApi | null {
  const where = `apis/${name}`;
  const text = readIfThere(join(folder, "config.json"));
  if (text === undefined) {
    left.push(`${where}: it has no config.json`);
    return null;
  }
  const json = parseJson(text);
  const parsed = Config.safeParse(json.ok ? json.value : undefined);
  if (!parsed.success) {
    left.push(`${where}/config.json: ${json.ok ? "it is no object with a map of credentials" : json.message}`);
    return null;
  }
  for (const { name: file } of entriesOf(folder)) {
    if (!["config.json", "types.d.ts"].includes(file)) left.push(`${where}/${basename(file)}: not part of an API here`);
  }
  const { credentials = {}, ...config } = parsed.data;
  const values = new Map<string, string>();
  // A list has names alone, as it has here.
  const pairs = Array.isArray(credentials)
    ? credentials.map((one) => [String(one), ""] as const)
    : Object.entries(credentials);
  for (const [index, [credential, value]] of pairs.entries()) {
    if (typeof value === "string") values.set(credential, value);
    else left.push(`${where}: the value of credential ${index + 1} is no text`);
  }
  return { name, config, credentials: values };
}

function entriesOf(folder: string): { readonly name: string; readonly isFolder: boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.startsWith("."))
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    if (errorCode(error) === "ENOTDIR") throw new UserError(`${displayPath(folder)} is not a folder`);
    throw error;
  }
}

/**
 * `codeforge add --update`: reads an API's document again and shows what would change, by operation, before anything is
 * written. The config stays its owner's: no host is added unless it was named, and credentials only with their places.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import type { ApiConfigInput } from "../../contract/config.ts";
import { toDomainText } from "../../contract/domains.ts";
import { diff, type Diff } from "../../openapi/diff.ts";
import { OPERATIONS_FOLDER, toFiles } from "../../openapi/storage.ts";
import { TYPES_FILE, toTypesFile } from "../../openapi/types-file.ts";
import { configPath, readConfig } from "../catalog.ts";
import { toConfigText } from "../config-text.ts";
import { UserError } from "../errors.ts";
import { displayPath, type Project } from "../project.ts";
import { requireApi } from "../valid-api.ts";
import { digestOf, prefixed, toCredential } from "./add-document.ts";
import { describeImport } from "./describe-import.ts";
import { importDocument, type Imported, type ImportOptions } from "./import-document.ts";
import { printable } from "./printable.ts";
import { readSource, sourcePath, toSourceText } from "./source-file.ts";
import { readStored } from "./stored.ts";
import { replaceFolder } from "./write-files.ts";

const MAX_LINES = 40;

/** What an update would do, and how to do it. */
export interface Update {
  /** For a person to read. */
  readonly text: string;
  /** Whether there is anything to write. */
  readonly isChange: boolean;
  /** Writes all of it in one step. */
  write(): void;
}

/** Choices of this call, or else those that were made when the API was added. */
export type UpdateOptions = Omit<ImportOptions, "location" | "domains"> & { readonly location?: string | undefined };

/** Prepares an update. @throws {UserError} when the API does not exist, or its document cannot be read. */
export async function prepareUpdate(project: Project, options: UpdateOptions): Promise<Update> {
  const { api: name } = options;
  const folder = dirname(configPath(project.apis, name));
  const read = readConfig(project.apis, name);
  if (!existsSync(folder)) throw new UserError(`there is no API ${name}; add it without --update`);
  if (!read.ok) throw new UserError(`${displayPath(configPath(project.apis, name))}: ${read.message}`);
  const current = requireApi(project, { name, config: read.value });
  const source = readSource(folder);
  const location = options.location ?? source?.location;
  if (location === undefined) throw new UserError(`name the document: codeforge add ${name} <document> --update`);
  const choices: ImportOptions = {
    ...options,
    location,
    include: options.include.length > 0 ? options.include : (source?.include ?? []),
    exclude: options.exclude.length > 0 ? options.exclude : (source?.exclude ?? []),
    server: options.server ?? source?.server,
    scheme: options.scheme ?? source?.scheme,
    credentials: options.credentials.length > 0 ? options.credentials : (source?.credentials ?? []),
    domains: current.domains,
  };
  const imported = await importDocument(choices);
  const stored = readStored(folder);
  const files = toFiles(imported.ir);
  const config = toConfig(read.value as ApiConfigInput, imported);
  requireApi(project, { name, config });
  const opened = imported.domains.slice(current.domains.length).map(toDomainText);
  const before = toConfigText(read.value as object);
  const isSame = stored?.digest === digestOf(files) && before === toConfigText(config);
  const changes = describeDiff(diff(stored ?? { operations: [] }, imported.ir));
  const text = isSame
    ? [`${displayPath(folder)} is up to date.`]
    : [
        ...changes,
        ...opened.map((host) => `opens the host ${host}`),
        ...newCredentials(read.value as ApiConfigInput, config).map((line) => `needs the credential ${line}`),
        ...describeImport(imported, join(displayPath(folder), OPERATIONS_FOLDER, "report.json")),
      ];
  const write = (): void => {
    const kept = keptFiles(folder, stored === undefined);
    replaceFolder(
      folder,
      new Map<string, Uint8Array | string>([
        ...kept,
        ["config.json", before === toConfigText(config) ? (kept.get("config.json") ?? before) : toConfigText(config)],
        [sourcePath(""), toSourceText(folder, choices)],
        [TYPES_FILE, toTypesFile(imported.ir)],
        ...prefixed(files),
      ]),
    );
  };
  return { text: text.join("\n"), isChange: !isSame, write };
}

/** Everything of the folder that the update does not make. */
function keptFiles(folder: string, isFirst: boolean): Map<string, Uint8Array> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll("\\", "/"),
    );
  if (isFirst && names.includes(TYPES_FILE)) {
    throw new UserError(
      `${displayPath(join(folder, TYPES_FILE))} was written by somebody: move it away, the document's types go there`,
    );
  }
  const made = (name: string): boolean => name.startsWith(`${OPERATIONS_FOLDER}/`);
  return new Map(names.filter((name) => !made(name)).map((name) => [name, readFileSync(join(folder, name))]));
}

function toConfig(config: ApiConfigInput, { ir, domains }: Imported): ApiConfigInput {
  const written = new Set(config.domains);
  const known = new Map((config.credentials ?? []).map((credential) => [nameOf(credential), credential]));
  const added = domains
    .slice(config.domains.length)
    .map(toDomainText)
    .filter((host) => !written.has(host));
  const missing = ir.credentials.filter(({ name }) => !known.has(name)).map(toCredential) as NonNullable<
    ApiConfigInput["credentials"]
  >;
  return {
    ...config,
    ...(added.length > 0 ? { domains: [...config.domains, ...added] } : {}),
    ...(missing.length > 0 ? { credentials: [...(config.credentials ?? []), ...missing] } : {}),
  };
}

function newCredentials(before: ApiConfigInput, after: ApiConfigInput): string[] {
  return (after.credentials ?? []).slice((before.credentials ?? []).length).map((credential) => nameOf(credential));
}

function nameOf(credential: NonNullable<ApiConfigInput["credentials"]>[number]): string {
  return typeof credential === "string" ? credential : credential.name;
}

function describeDiff({ added, removed, renamed, changed }: Diff): string[] {
  const lines = [
    ...removed.map((name) => `- ${name}`),
    ...renamed.map(({ from, to }) => `> ${from} is now ${to}`),
    ...added.map((name) => `+ ${name}`),
    ...changed.map(({ name, fields }) => `~ ${name} (${fields.join(", ")})`),
  ].map(printable);
  const counts = `${added.length} added, ${removed.length} removed, ${renamed.length} renamed, ${changed.length} changed`;
  const more = lines.length > MAX_LINES ? [`and ${lines.length - MAX_LINES} more`] : [];
  return [counts, ...lines.slice(0, MAX_LINES), ...more];
}

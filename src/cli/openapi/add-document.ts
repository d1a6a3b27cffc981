/**
 * `codeforge add` with a document: everything of the API's folder is made in memory, checked next to the APIs that
 * exist, and written in one step, or not at all. What exists is never overwritten here; that is `--update`.
 */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import type { ApiConfigInput } from "../../contract/config.ts";
import { toDomainText } from "../../contract/domains.ts";
import type { CredentialNote } from "../../openapi/ir.ts";
import { INDEX_FILE, OPERATIONS_FOLDER, readIndex, toFiles } from "../../openapi/storage.ts";
import { cutAtWord } from "../../openapi/text.ts";
import { TYPES_FILE, toTypesFile } from "../../openapi/types-file.ts";
import { configPath } from "../catalog.ts";
import { toConfigText } from "../config-text.ts";
import { parseCredential } from "../credential-text.ts";
import { UserError } from "../errors.ts";
import { displayPath, type Project } from "../project.ts";
import { readSecrets } from "../secrets.ts";
import { requireApi } from "../valid-api.ts";
import { importDocument, type Imported, type ImportOptions } from "./import-document.ts";
import { describeImport } from "./describe-import.ts";
import { sourcePath, toSourceText } from "./source-file.ts";
import { readStoredIndex } from "./stored.ts";
import { replaceFolder } from "./write-files.ts";

const MAX_DESCRIPTION = 200;

/** What a person says of the API beside its document. */
export interface AboutApi {
  readonly description?: string | undefined;
  readonly reference?: string | undefined;
  /** Methods that may not be used. */
  readonly restrict: readonly string[];
}

/**
 * Adds an API and says what came of it.
 *
 * @throws {UserError} when the document cannot be read, the config would be invalid, or there is another API of the name.
 */
export async function addDocument(project: Project, options: ImportOptions, about: AboutApi): Promise<string> {
  const { api: name } = options;
  const folder = dirname(configPath(project.apis, name));
  const imported = await importDocument(options);
  const config = toConfig(project, folder, imported, about);
  const api = requireApi(project, { name, config });
  const files = toFiles(imported.ir);
  const isSame = readStoredIndex(folder)?.digest === digestOf(files);
  if (existsSync(folder) && !isSame) {
    throw new UserError(
      `${displayPath(folder)} exists already; \`codeforge add ${name} --update\` shows what the document would change in it`,
    );
  }
  if (!isSame) {
    replaceFolder(
      folder,
      new Map<string, Uint8Array | string>([
        ["config.json", toConfigText(config)],
        [sourcePath(""), toSourceText(folder, options)],
        [TYPES_FILE, toTypesFile(imported.ir)],
        ...prefixed(files),
      ]),
    );
  }
  const { values } = readSecrets(project);
  const missing = api.credentials.filter((credential) => !values.has(credential.name));
  return [
    isSame ? `${displayPath(folder)} is up to date.` : `${displayPath(folder)} is written.`,
    ...describeImport(imported, join(displayPath(folder), OPERATIONS_FOLDER, "report.json")),
    `hosts: ${imported.domains.map(toDomainText).join(", ")}`,
    "",
    "Next:",
    ...missing.map((credential) => `  npx codeforge secret set ${credential.name}`),
    "  npx codeforge check",
  ].join("\n");
}

/** The files of a compiled document by their paths in the API's folder. */
export function prefixed(files: ReadonlyMap<string, Uint8Array>): [string, Uint8Array][] {
  return [...files].map(([file, bytes]) => [`${OPERATIONS_FOLDER}/${file}`, bytes]);
}

/** The digest of what would be stored. */
export function digestOf(files: ReadonlyMap<string, Uint8Array>): string {
  return readIndex(new TextDecoder().decode(files.get(INDEX_FILE))).digest;
}

/** A credential as `config.json` has it: its name alone where the default place is the right one. */
export function toCredential({ name, in: places }: CredentialNote): string | { name: string; in: string[] } {
  return places.length === 1 && places[0] === "header" ? name : { name, in: [...places] };
}

function toConfig(project: Project, folder: string, { ir, domains, named }: Imported, about: AboutApi): ApiConfigInput {
  const schema = relative(folder, join(project.root, "docs/config.schema.json")).replaceAll("\\", "/");
  return {
    $schema: schema,
    description: about.description ?? cutAtWord(ir.title, MAX_DESCRIPTION),
    domains: domains.map(toDomainText),
    credentials: [...ir.credentials.map(toCredential), ...named.map(parseCredential)],
    ...(about.reference === undefined ? {} : { reference: about.reference }),
    ...(about.restrict.length === 0
      ? {}
      : { restricted_methods: about.restrict.map((method) => method.toUpperCase()) }),
  } as ApiConfigInput;
}

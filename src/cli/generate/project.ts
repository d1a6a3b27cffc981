/** All files of a generated server, by path: a pure composition of what a document says and what is the same for all. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { VERSION } from "../../contract/version.ts";
import { toInstructions } from "../../openapi/instructions.ts";
import { MAPPING_VERSION, type Operation } from "../../openapi/ir.ts";
import type { CompiledApi } from "./compile-api.ts";
import { GITIGNORE, toPackageJson, toShortName, toTsconfig, toWranglerToml, type Identity } from "./manifests.ts";
import { toReadme } from "./readme.ts";
import { fixedSources } from "./sources.ts";
import type { Surface } from "./template/settings.ts";
import { toToolsFile } from "./tools-file.ts";
import { nameVariables } from "./variables.ts";

const LICENSE = resolve(import.meta.dirname, "../../../LICENSE");

export interface ProjectFacts {
  readonly api: CompiledApi;
  /** The operations that were selected. */
  readonly selected: readonly Operation[];
  readonly surface: Surface;
  readonly name: string;
  readonly version: string;
}

/** Where the record of a generation is: what was left out, and which files are the generator's. */
export const RECORD_FILE = "codeforge.json";

/** The record without its list of files. */
export type Record = Readonly<{ [key: string]: unknown }>;

export interface Generated {
  readonly files: ReadonlyMap<string, string>;
  readonly record: Record;
}

const REST = {
  tools: "The others were left out when this server was generated.",
  search: "Use search_operations to find them, describe_operation for their arguments, call_operation to call one.",
} as const;

/** Composes the project. */
export function toProject({
  api: { ir, baseUrl, declaresSecurity },
  selected,
  surface,
  name,
  version,
}: ProjectFacts): Generated {
  const { operations, variables } = nameVariables(selected, declaresSecurity);
  const identity: Identity = { name, version, description: `MCP server for ${ir.title}` };
  const listed = surface === "search" ? 0 : operations.length;
  // Of operations that were left out nothing is said where they cannot be found.
  const shown = surface === "search" ? { ...ir, operations, servers: [baseUrl] } : { ...ir, servers: [baseUrl] };
  const tools = toToolsFile({
    server: { name: toShortName(name), title: ir.title, version },
    baseUrl,
    instructions: toInstructions(shown, listed, REST[surface]),
    surface,
    variables,
    operations,
    tags: ir.tags ?? {},
  });
  const sources = [...fixedSources()].map(([path, text]): [string, string] => [`src/${path}`, text]);
  const files = new Map<string, string>([
    [".gitignore", GITIGNORE],
    ["LICENSE-codeforge", readFileSync(LICENSE, "utf8")],
    ["README.md", toReadme({ identity, title: ir.title, baseUrl, surface, variables, operations })],
    ["package.json", toPackageJson(identity)],
    ...sources,
    ["src/tools.ts", tools],
    ["tsconfig.json", toTsconfig()],
    ["wrangler.toml", toWranglerToml(name)],
  ]);
  const { title, openapi, sha256, skipped, warnings } = ir;
  const record = {
    codeforge: VERSION,
    "x-codeforge-mapping": MAPPING_VERSION,
    document: { title, version: ir.version, openapi, sha256 },
    operations: operations.length,
    skipped,
    unselected: ir.operations.filter((operation) => !selected.includes(operation)).map(({ name }) => name),
    warnings,
  };
  return { files, record };
}

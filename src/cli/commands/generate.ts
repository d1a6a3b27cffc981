/**
 * `codeforge generate`: an OpenAPI document to an MCP server of its own, as a TypeScript project that stands alone. What is
 * left out is said; what is in the folder already is never overwritten.
 */
import { basename, resolve } from "node:path";

import { Option, type Command } from "commander";

import type { ApiIr, Skipped } from "../../openapi/ir.ts";
import { isObject } from "../../openapi/json.ts";
import { DEFAULT_LIMIT, select } from "../../openapi/select.ts";
import { oneLine } from "../../openapi/text.ts";
import { toWords } from "../../openapi/words.ts";
import { UserError } from "../errors.ts";
import { compileApi } from "../generate/compile-api.ts";
import { FILTER_FORM, parseFilter } from "../generate/filters.ts";
import { toProject } from "../generate/project.ts";
import type { Surface } from "../generate/template/settings.ts";
import { writeProject, type Written } from "../generate/write-project.ts";
import { readDocument } from "../openapi/read-document.ts";
import { displayPath, type ProjectOptions } from "../project.ts";

interface GenerateOptions extends ProjectOptions {
  readonly target: "mcp";
  readonly name?: string;
  readonly version: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly limit?: string;
  readonly surface: Surface;
  readonly baseUrl?: string;
  readonly allowHost: readonly string[];
  readonly allowRemoteRefs: readonly string[];
}

/** Names npm takes. */
const PACKAGE_NAME = /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/;
const MAX_PACKAGE_NAME = 214;
const SEMVER = /^\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$/;

/** A default name leaves room for tools' names behind it. */
const MAX_DEFAULT_NAME = 30;

/** How many skipped operations are printed; the record has all of them. */
const MAX_PRINTED = 20;

/** Adds the command's arguments, options and action. */
export function define(command: Command): void {
  const collect = (value: string, earlier: readonly string[]): string[] => [...earlier, value];
  command
    .argument("<document>", "an OpenAPI or Swagger document: a file or an https URL")
    .addOption(new Option("--target <target>", "what is generated").choices(["mcp"]).default("mcp"))
    .option("--name <name>", "the npm package's name (default: from the document's title)")
    .option("--version <version>", "the package's version", "1.0.0")
    .option("--include <filter>", `operations to take (${FILTER_FORM}); may be repeated`, collect, [])
    .option("--exclude <filter>", "operations to leave out, likewise; wins over --include", collect, [])
    .option("--limit <count>", `the most tools to list (default: ${DEFAULT_LIMIT})`)
    .addOption(
      new Option("--surface <surface>", "a tool per operation, or three tools that search, describe and call")
        .choices(["tools", "search"])
        .default("tools"),
    )
    .option("--base-url <url>", "the API's URL, where the document has none or another")
    .option("--allow-host <host>", "another host of the document that may be reached; may be repeated", collect, [])
    .option("--allow-remote-refs <host>", "a host whose https references are followed; may be repeated", collect, [])
    .addHelpText(
      "after",
      "\nExample:\n  codeforge generate openapi.json --out server --include tag:issues --name my-mcp",
    )
    .action(async (location: string) => {
      const options = command.optsWithGlobals<GenerateOptions>();
      if (options.out === undefined) command.error("error: name the folder to write into with --out");
      console.log(await generate(location, options.out, options));
    });
}

/** Generates into `out` and says what was done. @throws {UserError} before anything is written. */
export async function generate(location: string, out: string, options: GenerateOptions): Promise<string> {
  const limit = readLimit(options);
  const filters = { include: options.include.map(parseFilter), exclude: options.exclude.map(parseFilter) };
  if (!SEMVER.test(options.version)) throw new UserError(`--version ${options.version} is no version such as 1.2.3.`);
  const { document, url, unresolved } = await readDocument(location, { remoteHosts: options.allowRemoteRefs });
  const name = readName(options.name, document.root["info"]) ?? toName(basename(location)) ?? "api-mcp";
  const api = compileApi(document, {
    serverName: name,
    url,
    baseUrl: options.baseUrl,
    allowedHosts: options.allowHost,
  });
  const { include, exclude } = filters;
  const selected = select(api.ir, { exclude, limit, ...(include.length === 0 ? {} : { include }) });
  if (!selected.ok) {
    const ways = `--include tag:<tag> or --exclude path:<glob> select, --limit ${selected.count} lists all, --surface search puts three tools in their place.`;
    throw new UserError(`${selected.message}\nHere: ${ways}`);
  }
  if (selected.operations.length === 0)
    throw new UserError("No operation is selected, so there is nothing to generate.");
  const { surface, version } = options;
  const generated = toProject({ api, selected: selected.operations, surface, name, version });
  const folder = resolve(out);
  return report(api.ir, selected.operations.length, unresolved, folder, writeProject(folder, generated));
}

function readLimit({ limit, surface }: GenerateOptions): number {
  if (limit === undefined) return surface === "search" ? Number.POSITIVE_INFINITY : DEFAULT_LIMIT;
  if (/^[1-9]\d{0,5}$/.test(limit)) return Number(limit);
  throw new UserError("--limit has to be a whole number, such as 100.");
}

/** The package's name: as given, or from the document's title. @throws {UserError} when the given one is none. */
function readName(given: string | undefined, info: unknown): string | undefined {
  if (given === undefined) return toName(isObject(info) ? info["title"] : undefined);
  if (given.length <= MAX_PACKAGE_NAME && PACKAGE_NAME.test(given)) return given;
  throw new UserError(`--name ${given} is no npm package name: lower-case letters, digits, dashes, perhaps a @scope/.`);
}

/** `GitHub's REST API` → `githubs-rest-api-mcp`: whole words, as many as fit. */
function toName(title: unknown): string | undefined {
  const text = typeof title === "string" ? title.replace(/\.(?:json|ya?ml)$/, "").replace(/['’]/g, "") : "";
  const words = toWords(text.toLowerCase()).filter((word) => word !== "mcp");
  let name = (words[0] ?? "").slice(0, MAX_DEFAULT_NAME);
  for (const word of words.slice(1)) {
    if (`${name}-${word}`.length > MAX_DEFAULT_NAME) break;
    name = `${name}-${word}`;
  }
  return name === "" ? undefined : `${name}-mcp`;
}

function report(ir: ApiIr, selected: number, unresolved: readonly string[], folder: string, done: Written): string {
  const { written, kept, removed, unchanged } = done;
  const left = ir.operations.length - selected;
  const place = displayPath(folder);
  return [
    `${ir.operations.length} operations mapped, ${ir.skipped.length} skipped${left > 0 ? `, ${left} not selected` : ""}.`,
    ...toSkipLines(ir.skipped),
    ...toHostHint(ir.skipped),
    ...unresolved.map((reason) => `reference: ${oneLine(reason)}`),
    ...ir.warnings.slice(0, MAX_PRINTED).map((warning) => `warning: ${oneLine(warning)}`),
    ...(ir.warnings.length > MAX_PRINTED
      ? [`… ${ir.warnings.length - MAX_PRINTED} more warnings in codeforge.json`]
      : []),
    `${place}: ${written.length} files written, ${unchanged} unchanged${removed.length > 0 ? `, ${removed.length} removed` : ""}.`,
    ...kept.map((path) => `${path} was edited and is left as it is.`),
    "",
    "Next:",
    `  cd ${place} && npm install && npm run build && node dist/main.js`,
    "  README.md there says what to configure, how to publish it, and how to deploy it.",
  ].join("\n");
}

function toSkipLines(skipped: readonly Skipped[]): string[] {
  const lines = skipped.map(
    ({ method, path, rule, reason }) => `skipped ${method} ${oneLine(path)}: ${rule} (${oneLine(reason)})`,
  );
  const more = lines.length - MAX_PRINTED;
  return more > 0 ? [...lines.slice(0, MAX_PRINTED), `… ${more} more skipped, all in codeforge.json`] : lines;
}

function toHostHint(skipped: readonly Skipped[]): string[] {
  const some = skipped.some(({ rule }) => rule === "host_not_allowed");
  return some
    ? ["--allow-host <host> takes operations of other hosts of the document; they get the credentials too."]
    : [];
}

/**
 * `codeforge add`: writes a new API's folder, from its OpenAPI document or from the command line alone. What comes of it
 * is checked against the same schema as a file, next to the APIs that exist, and nothing is written unless all is right.
 */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import type { Command } from "commander";

import type { ApiConfigInput } from "../../contract/config.ts";
import { confirmOnTerminal } from "../ask.ts";
import { configPath } from "../catalog.ts";
import { toConfigText } from "../config-text.ts";
import { parseCredential } from "../credential-text.ts";
import { UserError } from "../errors.ts";
import { exampleOf } from "../example.ts";
import { replaceFile } from "../files.ts";
import { FILTER_FORM, parseFilter } from "../generate/filters.ts";
import { addDocument } from "../openapi/add-document.ts";
import { toPattern, type ImportOptions } from "../openapi/import-document.ts";
import { prepareUpdate } from "../openapi/update-document.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../project.ts";
import { readSecrets } from "../secrets.ts";
import { requireApi } from "../valid-api.ts";

interface AddOptions extends ProjectOptions {
  readonly domain: readonly string[];
  readonly credential: readonly string[];
  readonly restrict: readonly string[];
  readonly description?: string;
  readonly reference?: string;
  readonly allowHost: readonly string[];
  readonly allowRemoteRefs: readonly string[];
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly update?: boolean;
  readonly yes?: boolean;
  readonly server?: string;
  readonly scheme?: string;
}

const PLACES = "header (default), header:<name>, query:<key>, path, body:<field>";

const EXAMPLES = `
Examples:
  codeforge add figma ./openapi.yaml
  codeforge add github https://example.com/api.github.com.json --include tag:issues --include tag:pulls
  codeforge add stripe --domain api.stripe.com --credential STRIPE_AUTH_TOKEN --restrict DELETE`;

/** Adds the command's arguments, options and action. */
export function define(command: Command): void {
  const collect = (value: string, earlier: readonly string[]): string[] => [...earlier, value];
  command
    .argument("<name>", "the API's name: lower-case letters, digits and dashes")
    .argument("[document]", "its OpenAPI document: a file, a folder with one in it, or an https URL")
    .option("--domain <host>", "host the API is at, or *.example.com; may be repeated", collect, [])
    .option(
      "--credential <NAME[@place]>",
      `a credential's name and where it goes: ${PLACES}; with a document NAME[@security scheme]; may be repeated`,
      collect,
      [],
    )
    .option("--description <text>", "what the API is for; models read it")
    .option("--reference <url>", "its documentation; the host may be read without credentials")
    .option("--restrict <METHOD>", "a method that may not be used; may be repeated", collect, [])
    .optionsGroup("With a document:")
    .option("--include <filter>", `take only these operations (${FILTER_FORM}); may be repeated`, collect, [])
    .option("--exclude <filter>", "leave these operations out; wins over --include", collect, [])
    .option("--allow-host <host>", "open another host of the document; may be repeated", collect, [])
    .option("--server <url>", "the base URL, instead of those of the document")
    .option("--scheme <name>", "the security scheme to take where an operation has several")
    .option("--allow-remote-refs <host>", "follow the document's references to this https host", collect, [])
    .option("--update", "read the document of an API again, show what changes, and write it when that is wanted")
    .option("--yes", "with --update: write without asking")
    .addHelpText("after", EXAMPLES)
    .action(async (name: string, location?: string) => {
      const options = command.optsWithGlobals<AddOptions>();
      const project = openProject(options);
      if (options.update === true) {
        await update(project, name, location, options);
        return;
      }
      if (location !== undefined) {
        console.log(await addDocument(project, toImport(name, location, options), options));
        return;
      }
      if (options.domain.length === 0)
        command.error("error: give the API's document, or at least one host with --domain");
      console.log(add(project, name, options));
    });
}

/** Shows what an update changes, and writes it when its user says so. */
async function update(
  project: Project,
  name: string,
  location: string | undefined,
  options: AddOptions,
): Promise<void> {
  const { location: _, domains: __, ...rest } = toImport(name, "", options);
  const prepared = await prepareUpdate(project, { ...rest, location });
  console.log(prepared.text);
  if (!prepared.isChange) return;
  if (options.yes === true || (await confirmOnTerminal("Write this?"))) {
    prepared.write();
    console.log(`${displayPath(dirname(configPath(project.apis, name)))} is written.`);
  } else console.log("Nothing is written; --yes writes it.");
}

function toImport(api: string, location: string, options: AddOptions): ImportOptions {
  const { include, exclude, server, scheme, allowHost, allowRemoteRefs, domain, credential } = options;
  return {
    api,
    location,
    include: include.map(parseFilter),
    exclude: exclude.map(parseFilter),
    server,
    scheme,
    credentials: credential,
    domains: domain.length === 0 ? undefined : domain.map(toPattern),
    allowHosts: allowHost,
    remoteHosts: allowRemoteRefs,
  };
}

/**
 * Writes `apis/<name>/config.json` and says what to do next.
 *
 * @throws UserError with every issue at once, or if the folder exists already.
 */
export function add(project: Project, name: string, options: AddOptions): string {
  const file = configPath(project.apis, name);
  const config = toConfig(project, file, name, options);
  const api = requireApi(project, { name, config });
  if (existsSync(dirname(file)))
    throw new UserError(`${displayPath(dirname(file))} exists already; edit its config.json`);
  replaceFile(file, toConfigText(config));

  const { values } = readSecrets(project);
  const missing = api.credentials.filter((credential) => !values.has(credential.name));
  return [
    `${displayPath(file)} is written.`,
    "",
    "Next:",
    ...(options.description === undefined ? ["  describe in it what the API is for: models read that"] : []),
    ...missing.map((credential) => `  npx codeforge secret set ${credential.name}`),
    "  npx codeforge check",
    "",
    "In a block of code:",
    exampleOf(api).replace(/^/gm, "  "),
  ].join("\n");
}

function toConfig(project: Project, file: string, name: string, options: AddOptions): ApiConfigInput {
  const schema = relative(dirname(file), join(project.root, "docs/config.schema.json")).replaceAll("\\", "/");
  return {
    $schema: schema,
    description: options.description ?? `The ${name} API`,
    domains: [...options.domain],
    credentials: options.credential.map(parseCredential),
    ...(options.reference === undefined ? {} : { reference: options.reference }),
    ...(options.restrict.length === 0
      ? {}
      : { restricted_methods: options.restrict.map((method) => method.toUpperCase()) }),
  };
}

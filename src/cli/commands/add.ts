/**
 * `codeforge add`: writes a new API's folder from the command line. What is given is checked against the same schema as
 * a file, next to the APIs that exist, and nothing is written unless all of it is right.
 */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";

import type { Command } from "commander";

import { buildCatalog, type Api, type ConfigSource } from "../../contract/catalog.ts";
import type { ApiConfigInput } from "../../contract/config.ts";
import { apiFolders, configPath, issuesText, readConfig } from "../catalog.ts";
import { toConfigText } from "../config-text.ts";
import { UserError } from "../errors.ts";
import { exampleOf } from "../example.ts";
import { replaceFile } from "../files.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../project.ts";
import { readSecrets } from "../secrets.ts";

interface AddOptions extends ProjectOptions {
  readonly domain: readonly string[];
  readonly credential: readonly string[];
  readonly restrict: readonly string[];
  readonly description?: string;
  readonly reference?: string;
}

const PLACES = "header (default), header:<name>, query:<key>, path, body:<field>";

/** Adds the command's arguments, options and action. */
export function define(command: Command): void {
  const collect = (value: string, earlier: readonly string[]): string[] => [...earlier, value];
  command
    .argument("<name>", "the API's name: lower-case letters, digits and dashes")
    .option("--domain <host>", "host the API is at, or *.example.com; may be repeated", collect, [])
    .option(
      "--credential <NAME[@place]>",
      `a credential's name and where it goes: ${PLACES}; may be repeated`,
      collect,
      [],
    )
    .option("--description <text>", "what the API is for; models read it")
    .option("--reference <url>", "its documentation; the host may be read without credentials")
    .option("--restrict <METHOD>", "a method that may not be used; may be repeated", collect, [])
    .addHelpText(
      "after",
      "\nExample:\n  codeforge add stripe --domain api.stripe.com --credential STRIPE_AUTH_TOKEN --restrict DELETE",
    )
    .action((name: string) => {
      const options = command.optsWithGlobals<AddOptions>();
      if (options.domain.length === 0) command.error("error: name at least one host with --domain");
      console.log(add(openProject(options), name, options));
    });
}

/**
 * Writes `apis/<name>/config.json` and says what to do next.
 *
 * @throws UserError with every issue at once, or if the folder exists already.
 */
export function add(project: Project, name: string, options: AddOptions): string {
  const file = configPath(project.apis, name);
  const config = toConfig(project, file, name, options);
  const api = requireValid(project, { name, config });
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
    credentials: options.credential.map(toCredential),
    ...(options.reference === undefined ? {} : { reference: options.reference }),
    ...(options.restrict.length === 0
      ? {}
      : { restricted_methods: options.restrict.map((method) => method.toUpperCase()) }),
  };
}

/** `NAME` or `NAME@place`, with more places as `NAME@place@place`. */
function toCredential(text: string): string | { name: string; in: string[] } {
  const [name = "", ...places] = text.split("@");
  return places.length === 0 ? name : { name, in: places };
}

/** Checks the new API among the existing ones, whose own issues are not this command's. */
function requireValid(project: Project, added: ConfigSource): Api {
  const others = apiFolders(project.apis).flatMap((name): ConfigSource[] => {
    const read = readConfig(project.apis, name);
    const valid = read.ok && name !== added.name && buildCatalog([{ name, config: read.value }]).ok;
    return valid ? [{ name, config: read.value }] : [];
  });
  const alone = buildCatalog([added]);
  const built = alone.ok ? buildCatalog([...others, added]) : alone;
  if (built.ok) {
    const api = built.catalog.apis.find(({ name }) => name === added.name);
    if (api !== undefined) return api;
    throw new Error(`${added.name} is missing in its own catalog`);
  }
  const issues = built.issues.map(({ path, message }) => ({ file: added.name, path, message }));
  throw new UserError(`${issuesText(issues)}; nothing is written`);
}

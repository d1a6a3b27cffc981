/**
 * `codeforge secret move`: takes values that stand in a `config.json` (a map of name to value, as the container edition
 * has it) over into `.dev.vars` and leaves a list of names behind. Values are written before the config loses them.
 */
import type { Command } from "commander";
import { z } from "zod";

import { parseConfig } from "../../../contract/config.ts";
import { CredentialName } from "../../../contract/names.ts";
import { configPath, issuesText, readConfig } from "../../catalog.ts";
import { toConfigText } from "../../config-text.ts";
import { UserError } from "../../errors.ts";
import { replaceFile } from "../../files.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../../project.ts";
import { readSecrets, writeSecrets } from "../../secrets.ts";

const ConfigWithValues = z.looseObject({ credentials: z.record(z.string(), z.unknown()) });

/** Adds the command's argument and action. */
export function define(command: Command): void {
  command
    .description("move values out of an API's config.json into .dev.vars, leaving their names")
    .argument("<api>", "the API's folder under apis/")
    .action((api: string) => {
      const project = openProject(command.optsWithGlobals<ProjectOptions>());
      console.log(move(project, api));
    });
}

/**
 * Moves the values and says what was done.
 *
 * @throws UserError if there is nothing to move, or a name has another value already; nothing is changed then.
 */
export function move(project: Project, api: string): string {
  const file = configPath(project.apis, api);
  const read = readConfig(project.apis, api);
  if (!read.ok) throw new UserError(`${displayPath(file)}: ${read.message}`);
  const config = ConfigWithValues.safeParse(read.value);
  if (!config.success)
    throw new UserError(`${displayPath(file)} holds no values: its credentials are no map of name to value`);

  const values = readValues(file, config.data.credentials);
  refuseOverwriting(project, values);
  const names = Object.keys(config.data.credentials);
  const cleaned = { ...config.data, credentials: names };
  if (values.size > 0) writeSecrets(project, values);
  replaceFile(file, toConfigText(cleaned));

  const moved = values.size === 0 ? "no values" : [...values.keys()].join(", ");
  const lines = [
    `Moved from ${displayPath(file)} to ${displayPath(project.vars)}: ${moved}.`,
    "If the file was ever committed or shared, replace these values where they were issued: its history still holds them.",
  ];
  const checked = parseConfig(cleaned);
  if (!checked.ok) {
    lines.push(
      "",
      "Still to be put right:",
      issuesText(checked.issues.map(({ path, message }) => ({ file, path, message }))),
    );
  }
  return lines.join("\n");
}

/** The values that are there; a name with an empty text has none yet. */
function readValues(file: string, credentials: Readonly<Record<string, unknown>>): Map<string, string> {
  const values = new Map<string, string>();
  const issues: string[] = [];
  for (const [index, [name, value]] of Object.entries(credentials).entries()) {
    const parsed = CredentialName.safeParse(name);
    // The key is not shown unless it is a name: the two may have been mixed up.
    if (!parsed.success)
      issues.push(`member ${index + 1}: ${parsed.error.issues[0]?.message ?? "not a credential's name"}`);
    else if (typeof value !== "string") issues.push(`${name}: its value is not a text`);
    else if (value !== "") values.set(name, value);
  }
  if (issues.length > 0) {
    throw new UserError([`${displayPath(file)}: nothing is moved; put this right first`, ...issues].join("\n"));
  }
  return values;
}

function refuseOverwriting(project: Project, values: ReadonlyMap<string, string>): void {
  const existing = readSecrets(project);
  const known = (name: string): string | undefined => existing.values.get(name) ?? existing.variables.get(name);
  const different = [...values].filter(([name, value]) => (known(name) ?? value) !== value && known(name) !== "");
  if (different.length === 0) return;
  const names = different.map(([name]) => name).join(", ");
  throw new UserError(
    `${displayPath(project.vars)} has another value of ${names} already; nothing is moved.\n` +
      "Remove the one that is wrong, there or in config.json, and run this again.",
  );
}

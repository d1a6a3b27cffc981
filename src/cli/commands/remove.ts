/** `codeforge remove`: takes an API's folder away. Values of its credentials stay where they are, and are named. */
import { existsSync, rmSync } from "node:fs";
import { dirname } from "node:path";

import type { Command } from "commander";

import { ApiName } from "../../contract/names.ts";
import { buildCatalog } from "../../contract/catalog.ts";
import { confirmOnTerminal } from "../ask.ts";
import { configPath, readConfig } from "../catalog.ts";
import { UserError } from "../errors.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../project.ts";
import { readSecrets } from "../secrets.ts";

interface RemoveOptions extends ProjectOptions {
  readonly yes?: boolean;
}

/** Adds the command's argument, option and action. */
export function define(command: Command): void {
  command
    .argument("<name>", "the API's name")
    .option("--yes", "do not ask")
    .action(async (name: string) => {
      const options = command.optsWithGlobals<RemoveOptions>();
      const project = openProject(options);
      const folder = requireFolder(project, name);
      if (options.yes !== true && !(await confirmOnTerminal(`Remove ${displayPath(folder)} with everything in it?`))) {
        throw new UserError(`nothing is removed; --yes removes ${displayPath(folder)} without asking`);
      }
      console.log(remove(project, name));
    });
}

/** Removes the folder and says which values nobody uses any more. @throws {UserError} when there is no such API. */
export function remove(project: Project, name: string): string {
  const folder = requireFolder(project, name);
  const read = readConfig(project.apis, name);
  const built = read.ok ? buildCatalog([{ name, config: read.value }]) : undefined;
  const names =
    built?.ok === true ? built.catalog.apis.flatMap(({ credentials }) => credentials.map((each) => each.name)) : [];
  rmSync(folder, { recursive: true });
  const { values } = readSecrets(project);
  const left = names.filter((each) => values.has(each));
  return [
    `${displayPath(folder)} is removed.`,
    ...(left.length === 0 ? [] : [`still in ${displayPath(project.vars)}: ${left.join(", ")}`]),
  ].join("\n");
}

function requireFolder(project: Project, name: string): string {
  const folder = dirname(configPath(project.apis, name));
  if (!ApiName.safeParse(name).success || !existsSync(folder))
    throw new UserError(`there is no API ${JSON.stringify(name)}`);
  return folder;
}

/**
 * `codeforge build`: compiles `apis/` and `skills/` into what the Workers import. Runs before every build of wrangler's; it writes a
 * file only when its text changes, or wrangler, which watches them, would build for ever.
 */
import { join } from "node:path";

import type { Command } from "commander";

import { configJsonSchema } from "../../contract/catalog.ts";
import { requireCatalog } from "../catalog.ts";
import { writeIfChanged } from "../files.ts";
import { builtInsText } from "../skills/folder.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../project.ts";

/** Adds the command's options and action. */
export function define(command: Command): void {
  command.action(async () => {
    console.log(await build(openProject(command.optsWithGlobals<ProjectOptions>())));
  });
}

/**
 * Writes `catalog.txt`, `types.txt` and `skills.txt`, JSON texts that the Workers import, into the output folder and says
 * what it did.
 *
 * @throws UserError with every issue of every config or skill; nothing is written then.
 */
export async function build(project: Project): Promise<string> {
  const { catalog, inactive, types } = requireCatalog(project.apis);
  const skills = await builtInsText(project.skills);
  const changed = [
    writeIfChanged(join(project.out, "catalog.txt"), `${JSON.stringify(catalog)}\n`),
    writeIfChanged(join(project.out, "types.txt"), `${JSON.stringify(types)}\n`),
    writeIfChanged(join(project.out, "skills.txt"), skills),
  ].some(Boolean);
  const count = catalog.apis.length === 1 ? "1 API" : `${catalog.apis.length} APIs`;
  const left = inactive.length === 0 ? "" : `, ${inactive.length} inactive`;
  return `${displayPath(project.out)}: ${count}${left}${changed ? "" : " (unchanged)"}`;
}

/** The text of the published JSON Schema of `config.json`. */
export function configSchemaText(): string {
  return `${JSON.stringify(configJsonSchema(), null, 2)}\n`;
}

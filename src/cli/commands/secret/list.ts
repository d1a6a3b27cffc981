/** `codeforge secret list`: the names of all credentials and whether each has a value here. */
import type { Command } from "commander";

import type { Catalog } from "../../../contract/catalog.ts";
import { requireCatalog } from "../../catalog.ts";
import { openProject, type ProjectOptions } from "../../project.ts";
import { readSecrets } from "../../secrets.ts";
import { toTable } from "../../table.ts";

/** Adds the command's action. */
export function define(command: Command): void {
  command.description("list the credentials' names and whether each is set locally").action(() => {
    const project = openProject(command.optsWithGlobals<ProjectOptions>());
    const { catalog } = requireCatalog(project.apis);
    const { values, problems } = readSecrets(project);
    for (const problem of problems) console.error(`warning: ${problem}`);
    const users = usersOf(catalog);
    for (const name of values.keys()) if (!users.has(name)) users.set(name, []);
    const rows = [...users].map(([name, apis]) => [
      name,
      values.has(name) ? "set" : "missing",
      apis.join(", ") || "(no API)",
    ]);
    console.log(rows.length === 0 ? "No API names a credential." : toTable(["credential", "value", "used by"], rows));
  });
}

/** Every credential's name with the names of the APIs that use it. */
export function usersOf(catalog: Catalog): Map<string, string[]> {
  const users = new Map<string, string[]>();
  for (const api of catalog.apis) {
    for (const { name } of api.credentials) users.set(name, [...(users.get(name) ?? []), api.name]);
  }
  return users;
}

/** Checks a config that a command is about to write, next to the APIs that are there already. */
import { buildCatalog, type Api, type ConfigSource } from "../contract/catalog.ts";
import { apiFolders, issuesText, readConfig } from "./catalog.ts";
import { UserError } from "./errors.ts";
import type { Project } from "./project.ts";

/**
 * The API as the Workers would know it. The issues of other APIs are not looked at.
 *
 * @throws {UserError} with every issue at once.
 */
export function requireApi(project: Project, added: ConfigSource): Api {
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
    throw new UserError(`${added.name} is not active`);
  }
  const issues = built.issues.map(({ path, message }) => ({ file: added.name, path, message }));
  throw new UserError(`${issuesText(issues)}; nothing is written`);
}

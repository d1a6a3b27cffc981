/** `codeforge secret set`: stores one value, in `.dev.vars` for the local server or, through wrangler, on Cloudflare. */
import { join } from "node:path";

import type { Command } from "commander";

import { isSecretMapName } from "../../../contract/secrets.ts";
import { askValue } from "../../ask.ts";
import { readCatalog } from "../../catalog.ts";
import { requireDeploymentId, type DeploymentId } from "../../deploy/names.ts";
import { UserError } from "../../errors.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../../project.ts";
import { inspectValue, requireSecretName, writeSecrets } from "../../secrets.ts";
import { runWrangler } from "../../wrangler.ts";

interface SetOptions extends ProjectOptions {
  readonly remote?: boolean;
  readonly env?: string;
  readonly prefix?: string;
}

/** Adds the command's arguments, options and action. */
export function define(command: Command): void {
  command
    .description("store the value of a credential; asks for it without echo, or reads it from a pipe")
    .argument("<NAME>", "the credential's name as in config.json, a SECRETS map, or REDACTING_STRINGS")
    .option("--remote", "store it on Cloudflare, for the deployed outbound-proxy")
    .option("--env <name>", "environment of the deployment (with --remote)")
    .option("--prefix <name>", "prefix of the deployment's names (with --remote)")
    // Left to the action: what commander says of an argument too many repeats it, and here that is the value.
    .allowExcessArguments()
    .allowUnknownOption()
    .action(async (name: string) => {
      if (command.args.length > 1) command.error("error: give only the NAME; the value is asked for, or piped in");
      const options = command.optsWithGlobals<SetOptions>();
      const project = openProject(options);
      for (const flag of ["env", "prefix"] as const) {
        if (options[flag] !== undefined && options.remote !== true) command.error(`error: --${flag} needs --remote`);
      }
      requireDeploymentId(options);
      requireSecretName(name);
      const value = await askValue(name);
      for (const warning of inspectValue(name, value)) console.error(`warning: ${warning}`);
      if (options.remote === true) await putRemote(project, name, value, options);
      else writeSecrets(project, new Map([[name, value]]));
      const place = options.remote === true ? "on Cloudflare" : `in ${displayPath(project.vars)}`;
      console.log(`${name} is set ${place}.`);
      if (!isUsed(project, name))
        console.error(`note: no active API in ${displayPath(project.apis)} names ${name} yet`);
    });
}

/** Hands a value to `wrangler secret put` for the deployed proxy; it travels by pipe, never as an argument. */
export async function putRemote(
  project: Project,
  name: string,
  value: string,
  id: DeploymentId = {},
  wrangler?: string,
): Promise<void> {
  const config = join(project.root, "outbound-proxy/wrangler.toml");
  // It loads wrangler, which the other subcommands have no use for.
  const { readConfigs } = await import("../../deploy/package.ts");
  const worker = readConfigs(project, id).proxy.name;
  const code = await runWrangler(["secret", "put", name, "--config", config, "--name", worker], {
    input: value,
    program: wrangler,
  });
  if (code !== 0) {
    throw new UserError(
      `wrangler could not store ${name} (exit code ${code}). Are you logged in? npx wrangler login, or set CLOUDFLARE_API_TOKEN`,
    );
  }
}

/** Whether a config names it; an unreadable catalog is not this command's to complain about. */
function isUsed(project: Project, name: string): boolean {
  if (isSecretMapName(name) || name === "REDACTING_STRINGS") return true;
  const read = readCatalog(project.apis);
  return !read.ok || read.catalog.apis.some(({ credentials }) => credentials.some((entry) => entry.name === name));
}

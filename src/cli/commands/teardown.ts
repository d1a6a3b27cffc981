/**
 * `codeforge teardown`: removes a deployment, from the top down, so that no Worker loses what it binds. Results and
 * skills in R2 stay unless they are asked for.
 */
import { tmpdir } from "node:os";

import type { Command } from "commander";

import { findAccount, forAccount } from "../deploy/account.ts";
import { requireDeploymentId, toFlags, type DeploymentId } from "../deploy/names.ts";
import { planTeardown, tearDown, teardownText } from "../deploy/teardown.ts";
import { UserError } from "../errors.ts";
import { openProject, type ProjectOptions } from "../project.ts";
import { callWrangler } from "../wrangler.ts";

interface Options extends ProjectOptions, DeploymentId {
  readonly deleteData: boolean;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .option("--env <name>", "environment of the deployment")
    .option("--prefix <name>", "prefix of the deployment's names")
    .option("--delete-data", "delete the R2 buckets as well; they must be empty", false)
    .option("--dry-run", "say what would be removed", false)
    .option("--yes", "ask nothing", false)
    .action(() => run(command.optsWithGlobals<Options>()));
}

async function run(options: Options): Promise<void> {
  requireDeploymentId(options);
  const project = openProject(options);
  const account = await findAccount(process.env, callWrangler);
  const plan = await planTeardown(project, options, account);
  console.log(teardownText(plan, options.deleteData));
  if (options.dryRun || plan.isEmpty) return;
  if (!options.yes) {
    if (!process.stdin.isTTY) throw new UserError("nothing is removed: say --yes when nobody is there to ask");
    const { isCancel, text } = await import("@clack/prompts");
    const [name = ""] = plan.workers;
    const answer = await text({ message: `Sessions, tokens and secrets go with it. Type ${name} to remove it` });
    if (isCancel(answer) || answer !== name) throw new UserError("nothing is removed");
  }
  const failed = await tearDown(plan, {
    wrangler: forAccount(account),
    dir: tmpdir(),
    deleteData: options.deleteData,
    say: (text) => console.log(text),
  });
  if (failed !== null) {
    throw new UserError(`${failed}\nRun it again to go on: npx codeforge teardown${toFlags(options)}`);
  }
  console.log("Removed.");
}

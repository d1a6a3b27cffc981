/**
 * `codeforge deploy`: the three Workers on Cloudflare, in one command. Checks first, asks for what is missing, uploads,
 * promotes from the bottom up, tests what serves, and goes back if any of it fails.
 */
import { randomBytes } from "node:crypto";

import type { Command } from "commander";

import { askValue } from "../ask.ts";
import { connectionLines } from "../connect/lines.ts";
import { findAccount, forAccount } from "../deploy/account.ts";
import { deploy, type DeployOptions } from "../deploy/deploy.ts";
import { toFlags } from "../deploy/names.ts";
import { smokeTest } from "../deploy/smoke.ts";
import { readValuesFile, sortValues, type GivenValues } from "../deploy/values.ts";
import { UserError } from "../errors.ts";
import { openProject, type ProjectOptions } from "../project.ts";
import { callWrangler } from "../wrangler.ts";

interface Options extends ProjectOptions, Omit<DeployOptions, "prefix" | "env"> {
  readonly prefix?: string;
  readonly env?: string;
  readonly secrets?: string;
  readonly yes: boolean;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .option("--env <name>", "environment: a deployment of its own, with [env.<name>] of the wrangler.toml files")
    .option("--prefix <name>", "prefix of every name, for a second deployment on one account")
    .option("--secrets <file>", "values of missing secrets and settings: lines as in .dev.vars, or a JSON map")
    .option("--skip-missing", "deploy although credentials have no value", false)
    .option("--allow-debug", "deploy with DEBUG_MODE on", false)
    .option("--dry-run", "check and say what would be done", false)
    .option("--yes", "ask nothing", false)
    .action(() => run(command.optsWithGlobals<Options>()));
}

async function run(options: Options): Promise<void> {
  const project = openProject(options);
  const isAttended = process.stdin.isTTY && !options.yes;
  const stop = new AbortController();
  // Ctrl-C reaches wrangler too, whose step fails then. Leaving at once would leave a mixture behind.
  const onInterrupt = (): void => {
    console.error("Stopping: what can be is taken back.");
    stop.abort();
  };
  try {
    const account = await findAccount(process.env, callWrangler);
    const done = await deploy(project, readValues(options), options, {
      account,
      wrangler: forAccount(account),
      smokeTest,
      say: (text) => console.log(text),
      onBegin: () => process.on("SIGINT", onInterrupt),
      signal: stop.signal,
      ...(isAttended ? { ask: askMissing, confirm } : {}),
    });
    if (done === null) return;
    const flags = toFlags(options);
    console.log(
      [
        "",
        `CodeForge is deployed${done.isChanged ? "" : ", as it was"}: ${done.url}/mcp`,
        "",
        ...connectionLines({ url: `${done.url}/mcp`, token: "<token>" }),
        "",
        `<token> is ADMIN_TOKEN, or better one of \`npx codeforge tokens create\`. Remove it all: npx codeforge teardown${flags}`,
      ].join("\n"),
    );
  } finally {
    process.off("SIGINT", onInterrupt);
  }
}

/** Values of the file, and of the environment the token that opens the server. */
function readValues({ secrets }: Options): GivenValues {
  const values = secrets === undefined ? sortValues(new Map()) : readValuesFile(secrets);
  if (values.unknown > 0) {
    console.error(`warning: ${values.unknown} of the names in --secrets mean nothing here; they are passed over`);
  }
  const adminToken = process.env["ADMIN_TOKEN"];
  return adminToken ? { ...values, server: { ADMIN_TOKEN: adminToken, ...values.server } } : values;
}

async function askMissing(name: string): Promise<string> {
  if (name !== "ADMIN_TOKEN") return askValue(`${name} (nothing: leave it out)`);
  const answer = await askValue("ADMIN_TOKEN (nothing: one is made for you)");
  if (answer !== "") return answer;
  const token = randomBytes(32).toString("base64url");
  console.log(`ADMIN_TOKEN, shown this once:\n\n  ${token}\n`);
  return token;
}

async function confirm(question: string): Promise<boolean> {
  const prompts = await import("@clack/prompts");
  const answer = await prompts.confirm({ message: question });
  if (prompts.isCancel(answer)) throw new UserError("cancelled; nothing is changed");
  return answer;
}

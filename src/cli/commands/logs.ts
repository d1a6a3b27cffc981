/**
 * `codeforge logs`: what the Workers log. Of the local server, the files that `npm start` writes; of a deployed one,
 * `wrangler tail` of the three Workers joined, which shows what comes and keeps nothing.
 */
import { createReadStream, statSync } from "node:fs";

import type { Command } from "commander";

import { findAccount } from "../deploy/account.ts";
import { requireDeploymentId, type DeploymentId } from "../deploy/names.ts";
import { ORDER, readConfigs } from "../deploy/package.ts";
import { UserError } from "../errors.ts";
import { logFiles, logPath } from "../local/log-file.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../project.ts";
import { tailWorkers } from "../remote/tail.ts";
import { callWrangler } from "../wrangler.ts";

/** How often a file is looked at for more, in milliseconds. */
const FOLLOW_MS = 250;

interface LogsOptions extends ProjectOptions, DeploymentId {
  readonly follow?: boolean;
  readonly run?: string;
  readonly remote?: boolean;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .option("--follow", "go on with what comes")
    .option("--run <id>", "only lines of this run")
    .option("--remote", "of the deployed Workers, by wrangler tail; it shows what comes from now on")
    .option("--env <name>", "with --remote: environment of the deployment")
    .option("--prefix <name>", "with --remote: prefix of the deployment's names")
    .action(() => logs(command.optsWithGlobals<LogsOptions>()));
}

async function logs(options: LogsOptions): Promise<void> {
  const project = openProject(options);
  const show = (line: string): void => {
    if (options.run === undefined || line.includes(`run=${JSON.stringify(options.run)}`)) console.log(line);
  };
  if (options.remote === true) return tail(project, options, show);
  const path = logPath(project);
  const files = logFiles(path);
  if (files.length === 0 && options.follow !== true) {
    throw new UserError(`there is no ${displayPath(path)}: npm start writes it; --remote is for a deployed server`);
  }
  let read = 0;
  for (const file of files) read = await readFrom(file, 0, show);
  while (options.follow === true) {
    await new Promise((done) => setTimeout(done, FOLLOW_MS));
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    // A shorter file is a new one.
    if (size !== read && size > 0) read = await readFrom(path, size < read ? 0 : read, show);
  }
}

/** Shows whole lines from an offset on, and gives the offset behind the last one. */
async function readFrom(file: string, start: number, show: (line: string) => void): Promise<number> {
  let rest = "";
  let end = start;
  for await (const chunk of createReadStream(file, { start, encoding: "utf8" }) as AsyncIterable<string>) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      show(line);
      end += Buffer.byteLength(line) + 1;
    }
  }
  return end;
}

/** Joins the tails of the three Workers until they end, or the user has seen enough. */
async function tail(project: Project, id: DeploymentId, show: (line: string) => void): Promise<void> {
  requireDeploymentId(id);
  const configs = readConfigs(project, { prefix: id.prefix, env: id.env });
  const account = await findAccount(process.env, callWrangler);
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  const failed = await tailWorkers({
    workers: ORDER.toReversed().map((key) => configs[key].name),
    accountId: account.id,
    onLine: show,
    signal: stop.signal,
  });
  if (failed !== null) throw new UserError(failed);
}

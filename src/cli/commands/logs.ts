/**
 * `codeforge logs`: what the Workers log. Of the local server, the files that `npm start` writes; of a deployed one,
 * `wrangler tail` of the three Workers joined, which shows what comes and keeps nothing.
 */
import { spawn } from "node:child_process";
import { createReadStream, statSync } from "node:fs";
import { createInterface } from "node:readline";

import type { Command } from "commander";
import { unstable_readConfig } from "wrangler";

import { UserError } from "../errors.ts";
import { logFiles, logPath } from "../local/log-file.ts";
import { configPath, WORKERS, type WorkerKey } from "../local/bundle.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../project.ts";
import { wranglerPath } from "../wrangler.ts";

/** How often a file is looked at for more, in milliseconds. */
const FOLLOW_MS = 250;

interface LogsOptions extends ProjectOptions {
  readonly follow?: boolean;
  readonly run?: string;
  readonly remote?: boolean;
  readonly env?: string;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .option("--follow", "go on with what comes")
    .option("--run <id>", "only lines of this run")
    .option("--remote", "of the deployed Workers, by wrangler tail; it shows what comes from now on")
    .option("--env <name>", "with --remote: the environment in wrangler.toml")
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

/** Joins the tails of the three Workers until they end. */
async function tail(project: Project, { env }: LogsOptions, show: (line: string) => void): Promise<void> {
  const keys = Object.keys(WORKERS) as WorkerKey[];
  const codes = await Promise.all(
    keys.map(async (key) => {
      const config = configPath(project.root, key);
      const { name } = unstable_readConfig({ config, ...(env === undefined ? {} : { env }) });
      const args = [wranglerPath(), "tail", name ?? "", "--format", "pretty", "--config", config];
      const child = spawn(process.execPath, [...args, ...(env === undefined ? [] : ["--env", env])], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, WRANGLER_SEND_METRICS: "false" },
      });
      createInterface({ input: child.stdout }).on("line", show);
      return new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
    }),
  );
  if (codes.some((code) => code !== 0))
    throw new UserError("wrangler tail ended; is somebody logged in? (npx wrangler login)");
}

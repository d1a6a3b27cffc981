/** `codeforge start`: the whole server on this machine, until Ctrl-C. */
import { InvalidArgumentError, Option, type Command } from "commander";

import { requireCatalog } from "../catalog.ts";
import { exampleOf } from "../example.ts";
import { findAll } from "../findings.ts";
import { suggestedBlock } from "../local/demo-blocks.ts";
import { LogFile, logPath } from "../local/log-file.ts";
import { launch, type Running } from "../local/launch.ts";
import { watchProject } from "../local/watch.ts";
import { openProject, type Project, type ProjectOptions } from "../project.ts";
import { readSecrets } from "../secrets.ts";

interface StartOptions extends ProjectOptions {
  readonly port: number;
  readonly host: string;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .addOption(new Option("--port <port>", "port to listen on").env("PORT").default(8080).argParser(toPort))
    .addOption(
      new Option("--host <address>", "address to listen on; any but loopback needs ADMIN_TOKEN in the environment")
        .env("HOST")
        .default("127.0.0.1"),
    )
    .action(() => start(command.optsWithGlobals<StartOptions>()));
}

/** Starts everything, prints how to connect, and resolves after Ctrl-C, with nothing left running. */
async function start(options: StartOptions): Promise<void> {
  const project = openProject(options);
  const log = new LogFile(logPath(project));
  const onLog = (line: string): void => {
    console.log(line);
    log.write(line);
  };
  const running = await launch(project, { ...options, onLog });
  // Before anybody is told that the server is ready: an edit made at that moment is to be taken up.
  const stopWatching = watchProject(project, async () => {
    try {
      await running.stack.reload();
      console.log("reloaded");
    } catch (error) {
      console.error(`not reloaded: ${error instanceof Error ? error.message : String(error)}`);
    }
  });
  console.log(greeting(project, running));
  for (const warning of warnings(project)) console.warn(`warning: ${warning}`);
  await untilInterrupted();
  stopWatching();
  await running.stop();
}

function greeting(project: Project, { stack, example }: Running): string {
  const shown = stack.url.href.replace("//127.0.0.1:", "//localhost:");
  const { apis } = requireCatalog(project.apis).catalog;
  const [api] = apis;
  const block =
    example !== null ? suggestedBlock(`http://127.0.0.1:${example.port}`) : api !== undefined ? exampleOf(api) : null;
  const suggestion = block === null ? [] : ["", "Then let your model run this with execute_code:", "", indent(block)];
  return [
    `CodeForge ready: ${shown}`,
    "",
    `  claude mcp add --transport http codeforge ${shown}`,
    ...suggestion,
    "",
    "Ctrl-C stops it. What the Workers log follows.",
    "",
  ].join("\n");
}

/** What a person should know about the settings before the first call. */
function warnings(project: Project): string[] {
  const secrets = readSecrets(project);
  const found = findAll(requireCatalog(project.apis).catalog, secrets);
  const yolo = /^(?:true|1)$/i.test(secrets.variables.get("YOLO_MODE")?.trim() ?? "");
  return [
    ...(yolo ? ["YOLO_MODE is on: code may reach any public https host, without credentials"] : []),
    ...found.filter(({ level }) => level !== "note").map(({ message }) => message),
  ];
}

function indent(text: string): string {
  return text.replace(/^/gm, "  ");
}

/** Resolves at the first signal that asks the process to end. */
async function untilInterrupted(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => resolve());
  await promise;
}

function toPort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new InvalidArgumentError("use a number from 0 to 65535");
}

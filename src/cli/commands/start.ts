/** `codeforge start`: the whole server on this machine, until Ctrl-C. */
import { InvalidArgumentError, type Command } from "commander";

import { UserError, errorCode } from "../errors.ts";
import { exampleApi, startExampleApi } from "../local/example-api.ts";
import { isLoopback } from "../local/ports.ts";
import { startStack, type Stack } from "../local/stack.ts";
import { prepareVars } from "../local/vars.ts";
import { watchProject } from "../local/watch.ts";
import { openProject, type ProjectOptions } from "../project.ts";

interface StartOptions extends ProjectOptions {
  readonly port: number;
  readonly host: string;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .option("--port <port>", "port to listen on (env PORT)", toPort, toPort(process.env["PORT"] ?? "8080"))
    .option("--host <address>", "address to listen on; beyond loopback ADMIN_TOKEN is needed (env HOST)", process.env["HOST"] ?? "localhost")
    .action(() => start(command.optsWithGlobals<StartOptions>()));
}

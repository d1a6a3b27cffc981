/** `codeforge dev`: the three Workers under one `wrangler dev`, for working on CodeForge itself. */
import { mkdirSync } from "node:fs";

import { Option, type Command } from "commander";

import { UserError } from "../errors.ts";
import { startExampleApi } from "../local/example-api.ts";
import { prepareExample } from "../local/vars.ts";
import { openProject, type ProjectOptions } from "../project.ts";
import { runWrangler } from "../wrangler.ts";

interface DevOptions extends ProjectOptions {
  readonly port: string;
}

/** Adds the command's options and action. */
export function define(command: Command): void {
  command
    .addOption(new Option("--port <port>", "port to listen on").env("PORT").default("8080"))
    .action(() => dev(command.optsWithGlobals<DevOptions>()));
}

async function dev({ port, ...options }: DevOptions): Promise<void> {
  const given = (["apis", "vars", "out"] as const).filter((name) => options[name] !== undefined);
  if (given.length > 0) {
    throw new UserError(
      `codeforge dev runs what wrangler's own files name, so ${given.map((name) => `--${name}`).join(", ")} cannot be given here; codeforge start takes it`,
    );
  }
  const project = openProject(options);
  // wrangler wants the folder to exist, and a project may have no API yet.
  mkdirSync(project.apis, { recursive: true });
  const settings = prepareExample(project);
  const example = settings === null ? null : await startExampleApi(settings.port, settings.token);
  const configs = ["wrangler.toml", "sandbox-worker/wrangler.toml", "outbound-proxy/wrangler.toml"];
  const vars = ["LOCAL_RUNNER:loopback", `OWN_PORTS:${port}`];
  process.exitCode = await runWrangler(
    [
      "dev",
      ...configs.flatMap((config) => ["--config", config]),
      ...vars.flatMap((pair) => ["--var", pair]),
      "--ip",
      "127.0.0.1",
      "--port",
      port,
      "--persist-to",
      project.data,
    ],
    { cwd: project.root },
  );
  example?.closeAllConnections();
  example?.close();
}

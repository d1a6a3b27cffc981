#!/usr/bin/env node
/**
 * The `codeforge` command line. A command is one file under `commands/`, loaded only when it is named; to add one, add
 * its line to `COMMANDS`. Exit codes: 0 done, 1 failed, 2 wrong usage.
 */
import { Command, CommanderError } from "commander";

import { VERSION } from "../contract/version.ts";
import { UserError } from "./errors.ts";

/** What a file under `commands/` exports: it adds arguments, options and the action to its command. */
interface CommandModule {
  define(command: Command): void;
}

interface CommandEntry {
  readonly summary: string;
  load(): Promise<CommandModule>;
}

const COMMANDS: Readonly<Record<string, CommandEntry>> = {
  build: { summary: "compile apis/ and skills/ into dist/ for the Workers", load: () => import("./commands/build.ts") },
  check: { summary: "check configs, values and limits", load: () => import("./commands/check.ts") },
  generate: {
    summary: "generate an MCP server of its own from an OpenAPI document",
    load: () => import("./commands/generate.ts"),
  },
  add: { summary: "add an API: write its folder under apis/", load: () => import("./commands/add.ts") },
  remove: { summary: "remove an API: its folder under apis/", load: () => import("./commands/remove.ts") },
  start: { summary: "run the server on this machine", load: () => import("./commands/start.ts") },
  dev: { summary: "run the three Workers under wrangler dev", load: () => import("./commands/dev.ts") },
  demo: { summary: "start, run three blocks, and show what happens", load: () => import("./commands/demo.ts") },
  connect: { summary: "connect an MCP client", load: () => import("./commands/connect.ts") },
  import: { summary: "take over a folder of the container edition", load: () => import("./commands/import.ts") },
  deploy: { summary: "deploy the server to Cloudflare", load: () => import("./commands/deploy.ts") },
  teardown: { summary: "remove a deployment from Cloudflare", load: () => import("./commands/teardown.ts") },
  skills: { summary: "list, pull, push, run and test skills", load: () => import("./commands/skills.ts") },
  login: {
    summary: "keep a server's address and a token for the commands below",
    load: () => import("./commands/login.ts"),
  },
  tokens: { summary: "make, list, disable and revoke tokens", load: () => import("./commands/tokens.ts") },
  disable: { summary: "switch an API or a token off at once", load: () => import("./commands/disable.ts") },
  enable: { summary: "switch an API or a token on again", load: () => import("./commands/enable.ts") },
  runs: { summary: "list runs, or show one", load: () => import("./commands/runs.ts") },
  audit: { summary: "show who did what", load: () => import("./commands/audit.ts") },
  logs: { summary: "show what the Workers log", load: () => import("./commands/logs.ts") },
  secret: { summary: "store, move and list the values of credentials", load: () => import("./commands/secret.ts") },
};

/** Runs the command line in `args`; every way to fail is thrown. */
async function run(args: readonly string[]): Promise<void> {
  const program = new Command("codeforge")
    .description("Runs, configures and checks a CodeForge server.")
    .option("--apis <dir>", "folder of the APIs (default: apis/ of this checkout)")
    .option("--skills <dir>", "folder of the skills that are built in (default: skills/ of this checkout)")
    .option("--vars <file>", "file of local values (default: outbound-proxy/.dev.vars)")
    .option("--out <dir>", "folder to write into (default: dist/; generate has none)")
    .option("--data <dir>", "folder of what the local server stores (default: .codeforge/)")
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError("(--help shows how it is used)")
    .exitOverride();
  // A command may have a --version of its own.
  if (!args.some((arg) => Object.hasOwn(COMMANDS, arg))) program.version(VERSION);
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    const command = program.command(name).description(summary);
    if (args.includes(name)) (await load()).define(command);
  }
  await program.parseAsync(args, { from: "user" });
}

/** Prints what a user needs to know of a failure and gives the exit code. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UserError) {
    console.error(error.message);
    return 1;
  }
  const text = error instanceof Error ? error.message : String(error);
  console.error(`codeforge failed in a way it should not: ${text}`);
  if (process.env["CODEFORGE_DEBUG"] === "1") console.error(error);
  else console.error("CODEFORGE_DEBUG=1 shows where it happened.");
  return 1;
}

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.exitCode = report(error);
}

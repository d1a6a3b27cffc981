/**
 * `codeforge connect`: the configuration that connects an MCP client. It is printed; `--write` puts it into the client's
 * file, beside which the old text is kept.
 */
import { homedir } from "node:os";
import { dirname } from "node:path";
import { copyFileSync, mkdirSync } from "node:fs";

import { Argument, Option, type Command } from "commander";

import {
  CLIENTS,
  SCOPES,
  SCOPES_OF,
  TOKEN_VARIABLE,
  toTarget,
  type ClientName,
  type Scope,
} from "../connect/clients.ts";
import { entryText, putEntry } from "../connect/edit.ts";
import { claudeCodeCommand } from "../connect/lines.ts";
import { UserError } from "../errors.ts";
import { readIfThere, replaceFile } from "../files.ts";
import { displayPath } from "../project.ts";

interface ConnectOptions {
  readonly url: string;
  readonly name: string;
  readonly scope?: Scope;
  readonly write: boolean;
}

const LOCAL_URL = "http://localhost:8080/mcp";

/** Adds the command's arguments, options and action. */
export function define(command: Command): void {
  command
    .addArgument(new Argument("<client>", "which client").choices(CLIENTS))
    .option("--url <url>", "the MCP endpoint", LOCAL_URL)
    .option("--name <name>", "what the client calls the server", "codeforge")
    .addOption(
      new Option(
        "--scope <scope>",
        "local: you, this folder; project: all who work in it; user: you, everywhere",
      ).choices(SCOPES),
    )
    .option("--write", "write it into the client's file; the old one is kept beside it", false)
    .addHelpText(
      "after",
      `\nA deployed server asks for a token; it is taken from ${TOKEN_VARIABLE}, never from an argument.`,
    )
    .action((client: ClientName) => console.log(connect(client, command.optsWithGlobals<ConnectOptions>())));
}

/**
 * Prints or writes the configuration.
 *
 * @throws UserError if the client has no such scope, or its file cannot be edited; nothing is changed then.
 */
export function connect(client: ClientName, options: ConnectOptions): string {
  const url = requireEndpoint(options.url);
  if (!/^[A-Za-z0-9_-]{1,64}$/.test(options.name)) throw new UserError("--name: use letters, digits, - and _");
  const scopes = SCOPES_OF[client];
  const scope = options.scope ?? scopes[0] ?? "user";
  if (!scopes.includes(scope)) throw new UserError(`${client} has no scope ${scope}; it has ${scopes.join(", ")}`);
  const needsToken = !isLoopback(url);
  const token = process.env[TOKEN_VARIABLE] ?? "";
  const shown = token === "" || !options.write ? "<token>" : token;
  const connection = { url: url.href, name: options.name, needsToken, token: shown };
  const places = { home: homedir(), cwd: process.cwd(), platform: process.platform, env: process.env };
  const target = toTarget(client, scope, connection, places);
  const notes = target.notes.map((note) => `- ${note}`);
  if (!options.write) {
    const command = claudeCodeCommand({ url: url.href, token: needsToken ? "<token>" : null }, scope);
    const instead = client === "claude-code" ? [command, "", "or, in the file:"] : [];
    return [...instead, `${displayPath(target.file)}${inProject(target.path)}`, "", entryText(target), ...notes]
      .join("\n")
      .trimEnd();
  }
  if (target.holdsToken && token === "") {
    throw new UserError(`set ${TOKEN_VARIABLE} to the token first: ${client} can only read it from its file`);
  }
  const before = readIfThere(target.file);
  const edited = putEntry(before ?? "", target);
  if (!edited.ok) throw new UserError(`${displayPath(target.file)} is left as it is: ${edited.reason}`);
  if (edited.text === before) return [`${displayPath(target.file)} has it already.`, ...notes].join("\n");
  const backup = before === undefined ? null : keep(target.file);
  mkdirSync(dirname(target.file), { recursive: true });
  replaceFile(target.file, edited.text, target.holdsToken || client === "claude-code" ? 0o600 : 0o644);
  const kept = backup === null ? "" : ` (before: ${displayPath(backup)})`;
  return [`${displayPath(target.file)} is written${kept}.`, ...notes].join("\n");
}

/** The keys above the entry are in the text already; only Claude Code's are not what a reader would guess. */
function inProject(path: readonly string[]): string {
  return path[0] === "projects" ? " (under this folder's entry)" : "";
}

/** Copies the file to a name beside it that is not taken. */
function keep(file: string): string {
  const stamp = new Date().toISOString().replace(/\D/g, "").slice(0, 17);
  const backup = `${file}.${stamp}.bak`;
  copyFileSync(file, backup);
  return backup;
}

function requireEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new UserError(
      "--url: use the address of the MCP endpoint, such as https://codeforge.example.workers.dev/mcp",
    );
  if (url.username !== "" || url.password !== "" || url.search !== "")
    throw new UserError("--url: leave user names, passwords and queries out; a token never stands in an address");
  if (url.protocol === "http:" && !isLoopback(url))
    throw new UserError("--url: a token must not travel over plain http; use https://");
  if (url.pathname === "/") url.pathname = "/mcp";
  return url;
}

function isLoopback({ hostname }: URL): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
}

/** `codeforge tokens`: the tokens of a server. A token's text is printed once, when it is made, and kept nowhere. */
import { InvalidArgumentError, type Command } from "commander";

import { CreatedToken, NewToken, TokenList, TokenRecord } from "../../contract/admin.ts";
import { UserError } from "../errors.ts";
import { askAdmin } from "../remote/admin.ts";
import { findLogin } from "../remote/logins.ts";
import { toTable } from "../table.ts";

interface ServerOption {
  readonly server?: string;
}

interface CreateOptions extends ServerOption {
  readonly principal?: string;
  readonly scope?: readonly string[];
  readonly api?: readonly string[];
  readonly expires?: number;
}

/** Adds the subcommands. */
export function define(command: Command): void {
  const create = command.command("create").description("make a token; it is shown once");
  create
    .argument("<name>", "what the token is called, such as ada-laptop")
    .option(
      "--principal <name>",
      "whose it is (default: the token's name); a person's tokens share history and results",
    )
    .option("--scope <scopes...>", "run, run:read_only, skills:write, admin (default: run)")
    .option("--api <names...>", "the only APIs it reaches (default: all)")
    .option("--expires <days>", "days until it opens nothing any more, as in 90", toDays)
    .option("--server <url>", "the server (default: the last login)")
    .action((name: string) => createToken(name, create.optsWithGlobals<CreateOptions>()));
  const list = command.command("list").description("list the tokens");
  list
    .option("--server <url>", "the server (default: the last login)")
    .action(() => listTokens(list.optsWithGlobals<ServerOption>()));
  const revoke = command.command("revoke").description("revoke a token for good, and stop its runs");
  revoke
    .argument("<name>")
    .option("--server <url>", "the server (default: the last login)")
    .action(async (name: string) => {
      const { server } = revoke.optsWithGlobals<ServerOption>();
      await askAdmin(findLogin(server), `tokens/${encodeURIComponent(name)}`, TokenRecord, {
        body: { state: "revoked" },
      });
      console.log(`${name} is revoked; its runs that are going on are refused within seconds`);
    });
}

async function createToken(name: string, options: CreateOptions): Promise<void> {
  const { principal, scope, api, expires, server } = options;
  const wanted = NewToken.safeParse({
    name,
    ...(principal === undefined ? {} : { principal }),
    ...(scope === undefined ? {} : { scopes: scope }),
    apis: api ?? null,
    expiresInDays: expires ?? null,
  });
  if (!wanted.success) {
    throw new UserError(wanted.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("\n"));
  }
  const { token, record } = await askAdmin(findLogin(server), "tokens", CreatedToken, { body: wanted.data });
  console.error(`${record.name} for ${record.principal}: ${record.scopes.join(", ")}. Keep it; it is not shown again.`);
  console.log(token);
}

async function listTokens({ server }: ServerOption): Promise<void> {
  const { tokens } = await askAdmin(findLogin(server), "tokens", TokenList);
  if (tokens.length === 0) return console.log("no tokens; make one with: npx codeforge tokens create <name>");
  const rows = tokens.map(({ name, principal, scopes, apis, state, expiresMs, usedMs }) => [
    name,
    principal,
    scopes.join(" "),
    apis?.join(" ") ?? "all",
    expiresMs !== null && expiresMs <= Date.now() ? "expired" : state,
    expiresMs === null ? "never" : toDay(expiresMs),
    usedMs === null ? "never" : toDay(usedMs),
  ]);
  console.log(toTable(["name", "principal", "scopes", "apis", "state", "expires", "last used"], rows));
}

function toDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function toDays(text: string): number {
  const days = Number(text.replace(/d$/, ""));
  if (Number.isFinite(days) && days > 0) return days;
  throw new InvalidArgumentError("use a number of days");
}

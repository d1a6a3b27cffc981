/** `codeforge login`: keeps a server's address and a token, once the server has taken it. */
import type { Command } from "commander";

import { WhoAmI } from "../../contract/admin.ts";
import { askValue } from "../ask.ts";
import { UserError } from "../errors.ts";
import { askAdmin } from "../remote/admin.ts";
import { keepLogin, loginsPath, toServerUrl } from "../remote/logins.ts";

/** Adds the command's argument and action. */
export function define(command: Command): void {
  command
    .argument("<url>", "the server, as in https://codeforge.example.workers.dev")
    .addHelpText("after", "\nThe token is asked for without echo, or read from a pipe.")
    .action((url: string) => login(toServerUrl(url)));
}

async function login(url: URL): Promise<void> {
  const token = (await askValue("the token")).trim();
  if (token === "") throw new UserError("no token was given; nothing is changed");
  const { principal, scopes } = await askAdmin({ url, token }, "whoami", WhoAmI);
  keepLogin({ url, token });
  console.log(`${url.host}: you are ${principal}, with ${scopes.join(", ")}; kept in ${loginsPath()}`);
}

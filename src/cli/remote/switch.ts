/** The kill switch, as the commands `disable` and `enable` throw it. */
import { Argument, type Command } from "commander";
import { z } from "zod";

import { askAdmin } from "./admin.ts";
import { findLogin } from "./logins.ts";

const KINDS = ["api", "token"] as const;

/** Adds arguments and action to `disable` or `enable`. */
export function defineSwitch(command: Command, isOff: boolean): void {
  command
    .addArgument(new Argument("<kind>", "what").choices(KINDS))
    .argument("<name>", "its name")
    .option("--server <url>", "the server (default: the last login)")
    .action(async (kind: (typeof KINDS)[number], name: string) => {
      const login = findLogin(command.optsWithGlobals<{ readonly server?: string }>().server);
      const path = encodeURIComponent(name);
      if (kind === "api") await askAdmin(login, `apis/${path}`, z.unknown(), { body: { disabled: isOff } });
      else await askAdmin(login, `tokens/${path}`, z.unknown(), { body: { state: isOff ? "disabled" : "active" } });
      console.log(
        isOff ? `${kind} ${name} is off, within seconds for runs that are going on` : `${kind} ${name} is on`,
      );
    });
}

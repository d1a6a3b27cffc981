/** `codeforge secret`: the values of credentials. They go in here and come out nowhere: no command prints one. */
import type { Command } from "commander";

import { define as defineList } from "./secret/list.ts";
import { define as defineMove } from "./secret/move.ts";
import { define as defineSet } from "./secret/set.ts";

/** Adds the three subcommands. */
export function define(command: Command): void {
  defineSet(command.command("set"));
  defineMove(command.command("move"));
  defineList(command.command("list"));
}

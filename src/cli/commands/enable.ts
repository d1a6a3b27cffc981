/** `codeforge enable`: see the kill switch. */
import type { Command } from "commander";

import { defineSwitch } from "../remote/switch.ts";

/** Adds the command's arguments and action. */
export function define(command: Command): void {
  defineSwitch(command, false);
}

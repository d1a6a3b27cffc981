/** Takes a value from its user: typed without echo at a terminal, or piped in. Never from the command line's arguments. */
import { text } from "node:stream/consumers";

import { UserError } from "./errors.ts";

/**
 * Asks for the value of `name`. From a pipe everything is taken but one line break at the end, which `echo` and files
 * have and values do not.
 */
export async function askValue(name: string): Promise<string> {
  if (!process.stdin.isTTY) return (await text(process.stdin)).replace(/\r?\n$/, "");
  const { isCancel, password } = await import("@clack/prompts");
  const answer = await password({ message: `Value of ${name} (pipe it in if it has several lines)` });
  if (isCancel(answer)) throw new UserError("cancelled; nothing is changed");
  return answer ?? "";
}

/** Asks at a terminal; anywhere else nobody can answer, and that is a no. */
export async function confirmOnTerminal(message: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) return false;
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message, initialValue: false });
  return !isCancel(answer) && answer;
}

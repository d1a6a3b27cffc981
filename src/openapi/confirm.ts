/**
 * The question put to a person before an operation that asks for it is called (rule M13a): what would be sent, in words.
 * Pure; asking it is done where there is a client to ask.
 */
import type { Operation } from "./ir.ts";
import type { Cutters, ToolResult } from "./result.ts";
import { sha256 } from "./sha256.ts";
import { cleanText } from "./text.ts";

/** How many characters of the arguments a person is shown. */
const MAX_SHOWN = 2_000;

/** A question, and a key that is the same only for the same call: an answer to another call is no answer. */
export interface Question {
  readonly key: string;
  readonly message: string;
}

/** Asks for one call: its operation, method, path and arguments. */
export function toQuestion(operation: Operation, input: unknown, { cutText }: Pick<Cutters, "cutText">): Question {
  const { name, title, method, path } = operation;
  const exact = JSON.stringify(input ?? {});
  const shown = cutText(cleanText(JSON.stringify(input ?? {}, null, 2)), MAX_SHOWN);
  const message = `Call ${name}${title === undefined ? "" : ` (${title})`}?\n\n${method} ${path}\n${shown}`;
  return { key: `confirm_${sha256(`${name} ${exact}`).slice(0, 16)}`, message };
}

/** Why a call was not sent although its arguments were right. */
export type Unconfirmed = "declined" | "cannot_ask";

/** The result of a call that nobody confirmed. */
export function toUnconfirmedResult(operation: Operation, why: Unconfirmed): ToolResult {
  const text =
    why === "declined"
      ? `The user did not confirm ${operation.name}. Nothing was sent.`
      : `${operation.name} is called only after the user confirms it, and this client cannot ask (it does not support elicitation on this connection). Nothing was sent.`;
  return { content: [{ type: "text", text }], isError: true, _meta: {} };
}

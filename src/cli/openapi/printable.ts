/** Text of a document on a terminal: one line without control characters, so that nothing in it moves a cursor. */
import { cutAtWord, oneLine } from "../../openapi/text.ts";

const MAX_LENGTH = 200;

/** The text as it may be printed. */
export function printable(text: string): string {
  return cutAtWord(oneLine(text), MAX_LENGTH);
}

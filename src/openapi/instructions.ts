/** A server's `instructions` (rule M13b): what the API is, where it is, how much of it is listed and how to find the rest. */
import type { ApiIr } from "./ir.ts";
import { cleanText, cutAtWord } from "./text.ts";

const MAX_PARAGRAPH = 500;

/** The text of a server that lists `listed` of the API's operations; `howToFindTheRest` is one sentence. */
export function toInstructions(
  ir: Pick<ApiIr, "title" | "description" | "servers"> & { readonly operations: readonly unknown[] },
  listed: number,
  howToFindTheRest: string,
): string {
  const [paragraph = ""] = cleanText(ir.description ?? "").split(/\n\s*\n/);
  const [server] = ir.servers;
  const total = ir.operations.length;
  return [
    ir.title,
    cutAtWord(paragraph.replace(/\s+/g, " "), MAX_PARAGRAPH),
    server === undefined ? "" : `Base URL: ${server}`,
    listed === total
      ? `${total} operations, all of them listed.`
      : `${listed} of ${total} operations are listed. ${howToFindTheRest}`,
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

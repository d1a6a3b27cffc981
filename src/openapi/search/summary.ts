/** What stands in for the title of an operation that has none. */
import { cutAtWord, oneLine } from "../text.ts";

const MAX_LENGTH = 80;

/** The first sentence of a description, without markup; empty when there is no description. */
export function toSummary(description: string): string {
  const text = oneLine(description.replace(/(?:^|\n\n)[A-Z]+ \/\S*$/, "").replace(/<[^>]*>/g, " "));
  return cutAtWord(/^.*?[.!?](?=\s|$)/.exec(text)?.[0].slice(0, -1) ?? text, MAX_LENGTH);
}

/**
 * What a model is told when a credential's name went out as it stands: services answer such a request in ways that
 * hide the cause (Slack: 200 `invalid_auth`). Names and places only, as one line that a header can carry.
 */
import type { LeftName } from "./inject.ts";

/** Words names that were left; null when there is nothing to say. Every character is printable ASCII. */
export function wordHint(left: readonly LeftName[]): string | null {
  if (left.length === 0) return null;
  return left
    .map(wordLeft)
    .join(" ")
    .replace(/[^\u0020-\u007e]/g, "?");
}

function wordLeft({ name, place, reason }: LeftName): string {
  switch (reason) {
    case "place":
      return `${name} went out as it stands: its config does not open ${JSON.stringify(place)}.`;
    case "other_api":
      return `${name} went out as it stands: it belongs to another API than this request goes to.`;
    case "unset":
      return `${name} went out as it stands: it has no value yet (npx codeforge secret set ${name}).`;
    case "encoded":
      return `${name} went out as it stands: in ${JSON.stringify(place)} it is written with escapes.`;
  }
}

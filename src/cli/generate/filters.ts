/**
 * `--include` and `--exclude` as filters of rule M16. One option is one filter: conditions of different kinds all have to
 * hold, values of one kind are alternatives: `tag:issues,tag:pulls,method:GET`.
 */
import type { Filter } from "../../openapi/select.ts";
import { UserError } from "../errors.ts";

const KINDS = { tag: "tags", group: "groups", path: "paths", method: "methods", operation: "operationIds" } as const;

/** How a filter is written, for help and errors. */
export const FILTER_FORM = "tag:, group:, path:, method: or operation: with a value, or deprecated; joined by commas";

/** Reads one option's value. @throws {UserError} */
export function parseFilter(text: string): Filter {
  const lists: Record<string, string[]> = {};
  let deprecated: boolean | undefined;
  // A comma may be part of a tag: it separates only where another condition follows.
  for (const part of text.split(/,(?=(?:tag|group|path|method|operation):|deprecated$|deprecated,)/)) {
    const [, kind = "", value = ""] = /^(\w+):(.+)$/s.exec(part) ?? [];
    if (part === "deprecated") deprecated = true;
    else if (Object.hasOwn(KINDS, kind)) (lists[KINDS[kind as keyof typeof KINDS]] ??= []).push(value);
    else throw new UserError(`${JSON.stringify(text)} is no filter: write ${FILTER_FORM}.`);
  }
  return { ...lists, ...(deprecated === undefined ? {} : { deprecated }) };
}

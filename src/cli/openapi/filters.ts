/** `--include` and `--exclude` as people type them: `tag:issues`, `path:/repos/**,method:GET`; commas mean "and". */
import { InvalidArgumentError } from "commander";

import type { Filter } from "../../openapi/select.ts";

/** What may stand before the colon, and the field of a filter it fills. */
const FIELDS = { tag: "tags", group: "groups", path: "paths", method: "methods", operation: "operationIds" } as const;

const FORM = `use ${Object.keys(FIELDS).join(":, ")}: or deprecated, such as tag:issues or path:/repos/**,method:GET`;

/** Reads one filter. @throws {InvalidArgumentError} with the forms that are known. */
export function toFilter(text: string): Filter {
  const filter: { [K in (typeof FIELDS)[keyof typeof FIELDS]]?: string[] } & { deprecated?: boolean } = {};
  for (const part of text.split(",")) {
    const [, kind = "", value = ""] = /^([a-z]+)(?::(.+))?$/.exec(part.trim()) ?? [];
    if (kind === "deprecated" && value === "") {
      filter.deprecated = true;
      continue;
    }
    const field = Object.entries(FIELDS).find(([name]) => name === kind)?.[1];
    if (field === undefined || value === "") throw new InvalidArgumentError(FORM);
    filter[field] = [...(filter[field] ?? []), value];
  }
  return filter;
}

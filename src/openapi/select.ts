/**
 * Which operations become tools of their own (rule M16): includes and excludes by what a person knows of an operation.
 * An exclude wins over an include, and what the document's author wrote on the operation wins over both.
 */
import { byCodeUnit } from "./json.ts";

/** More tools than this in one list cost a model more than they give it. */
export const DEFAULT_LIMIT = 40;

/** What is looked at of an operation, whole or as its row in an index. */
export interface Selectable {
  readonly name: string;
  readonly tags: readonly string[];
  readonly group?: string;
  readonly path: string;
  readonly method: string;
  readonly operationId?: string;
  readonly deprecated?: boolean;
  readonly pinned?: boolean;
}

/** A condition: every field given has to match one of its values. Paths are globs: `*` one segment, `**` any number. */
export interface Filter {
  readonly tags?: readonly string[] | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly methods?: readonly string[] | undefined;
  readonly operationIds?: readonly string[] | undefined;
  readonly deprecated?: boolean | undefined;
}

/** What is selected: any of `include` (all when absent) and none of `exclude`. */
export interface Selection {
  readonly include?: readonly Filter[] | undefined;
  readonly exclude?: readonly Filter[] | undefined;
  readonly limit?: number | undefined;
}

export type SelectResult<T extends Selectable> =
  | { readonly ok: true; readonly operations: readonly T[] }
  | { readonly ok: false; readonly count: number; readonly limit: number; readonly message: string };

/** Selects the operations to list, or says why they are too many and how many each tag has. */
export function select<T extends Selectable>(
  ir: { readonly operations: readonly T[] },
  { limit = DEFAULT_LIMIT, ...selection }: Selection,
): SelectResult<T> {
  const operations = filterOperations(ir.operations, selection);
  if (operations.length <= limit) return { ok: true, operations };
  const tags = countTags(operations)
    .map(([tag, count]) => `${tag} ${count}`)
    .join(", ");
  const message = `${operations.length} operations are selected, at most ${limit} are listed. Select some (by tag: ${tags}), or use the surface "search" or "code".`;
  return { ok: false, count: operations.length, limit, message };
}

/** The operations that are selected, however many. */
export function filterOperations<T extends Selectable>(
  operations: readonly T[],
  { include, exclude = [] }: Omit<Selection, "limit">,
): readonly T[] {
  return operations.filter((operation) => {
    if (operation.pinned === true) return true;
    if (exclude.some((filter) => matches(filter, operation))) return false;
    return include === undefined || include.some((filter) => matches(filter, operation));
  });
}

/** Whether an operation meets every condition of a filter. */
export function matches(filter: Filter, operation: Selectable): boolean {
  const some = (values: readonly string[] | undefined, test: (value: string) => boolean): boolean =>
    values === undefined || values.some(test);
  return (
    some(filter.tags, (tag) => operation.tags.includes(tag)) &&
    some(filter.groups, (group) => operation.group === group || operation.group?.startsWith(`${group}.`) === true) &&
    some(filter.paths, (glob) => matchesGlob(glob, operation.path)) &&
    some(filter.methods, (method) => operation.method === method.toUpperCase()) &&
    some(filter.operationIds, (id) => operation.operationId === id || operation.name === id) &&
    (filter.deprecated === undefined || filter.deprecated === (operation.deprecated === true))
  );
}

function matchesGlob(glob: string, path: string): boolean {
  const source = glob
    .split(/(\*\*|\*)/)
    .map((part) => (part === "**" ? ".*" : part === "*" ? "[^/]*" : part.replace(/[\\^$.|?+()[\]{}]/g, "\\$&")))
    .join("");
  return new RegExp(`^${source}$`).test(path);
}

function countTags(operations: readonly Selectable[]): [string, number][] {
  const count = new Map<string, number>();
  for (const { tags } of operations)
    for (const tag of tags.length > 0 ? tags : ["untagged"]) count.set(tag, (count.get(tag) ?? 0) + 1);
  return [...count].toSorted(([a, m], [b, n]) => n - m || byCodeUnit(a, b));
}

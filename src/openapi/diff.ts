/**
 * What a new document changes for a client (rule M18): tools that are gone, new, renamed or different. A rename is an
 * operation with the same method and path under another name.
 */
import type { ApiIr, Operation } from "./ir.ts";

/** The changes from one compiled document to the next, by tool name, each list sorted. */
export interface Diff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
  /** Tools whose arguments, description or request differ, and in which fields. */
  readonly changed: readonly { readonly name: string; readonly fields: readonly string[] }[];
}

function identity({ method, path }: Operation): string {
  return `${method} ${path}`;
}

/** Compares two compilations of one API. */
export function diff(before: Pick<ApiIr, "operations">, after: Pick<ApiIr, "operations">): Diff {
  const old = new Map(before.operations.map((operation) => [identity(operation), operation]));
  const current = new Map(after.operations.map((operation) => [identity(operation), operation]));
  const pairs = after.operations.flatMap((operation) => {
    const previous = old.get(identity(operation));
    return previous === undefined ? [] : [{ previous, operation }];
  });
  return {
    added: after.operations.filter((operation) => !old.has(identity(operation))).map(({ name }) => name),
    removed: before.operations.filter((operation) => !current.has(identity(operation))).map(({ name }) => name),
    renamed: pairs
      .filter(({ previous, operation }) => previous.name !== operation.name)
      .map(({ previous, operation }) => ({ from: previous.name, to: operation.name })),
    changed: pairs
      .map(({ previous, operation }) => ({ name: operation.name, fields: changedFields(previous, operation) }))
      .filter(({ fields }) => fields.length > 0),
  };
}

function changedFields(before: Operation, after: Operation): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)] as (keyof Operation)[]);
  fields.delete("name");
  return [...fields].filter((field) => JSON.stringify(before[field]) !== JSON.stringify(after[field])).toSorted();
}

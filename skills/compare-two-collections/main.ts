import { fetchAll, type PageOptions } from "skills/paginate-everything";
import { readPath } from "skills/paginate-everything/read.ts";

type Item = Record<string, unknown>;

export interface Comparison {
  key: string;
  rightKey?: string;
  fields?: Record<string, string>;
  limit?: number;
}

/** Compares two lists by a key. */
export function reconcile(left: Item[], right: Item[], { key, rightKey = key, fields = {}, limit = 20 }: Comparison) {
  const duplicates: string[] = [];
  const byKey = (items: Item[], path: string) => {
    const found = new Map<string, Item>();
    for (const item of items) {
      const value = readPath(item, path);
      if (value === undefined || value === null)
        throw new Error(`an item has no ${path}: ${JSON.stringify(item).slice(0, 200)}`);
      if (found.has(String(value))) duplicates.push(String(value));
      found.set(String(value), item);
    }
    return found;
  };
  const [lefts, rights] = [byKey(left, key), byKey(right, rightKey)];
  const onlyLeft = [...lefts.keys()].filter((name) => !rights.has(name));
  const onlyRight = [...rights.keys()].filter((name) => !lefts.has(name));
  const both = [...lefts.keys()].filter((name) => rights.has(name));
  const different = both.flatMap((name) => {
    const differing = Object.entries(fields)
      .map(([a, b]) => [a, [readPath(lefts.get(name), a), readPath(rights.get(name), b)]] as const)
      .filter(([, [a, b]]) => JSON.stringify(a) !== JSON.stringify(b));
    return differing.length === 0 ? [] : [{ key: name, fields: Object.fromEntries(differing) }];
  });
  return {
    left: lefts.size,
    right: rights.size,
    both: both.length,
    onlyLeftCount: onlyLeft.length,
    onlyRightCount: onlyRight.length,
    differentCount: different.length,
    onlyLeft: onlyLeft.slice(0, limit),
    onlyRight: onlyRight.slice(0, limit),
    different: different.slice(0, limit),
    duplicates: duplicates.slice(0, limit),
  };
}

export default async function main(input: Comparison & { left: PageOptions; right: PageOptions }) {
  const [left, right] = await Promise.all([fetchAll(input.left), fetchAll(input.right)]);
  return reconcile(left, right, input);
}

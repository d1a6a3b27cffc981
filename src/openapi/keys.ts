/**
 * Argument keys (rule M6): model APIs accept `^[A-Za-z0-9_-]{1,64}$` and refuse a whole list of tools for one key that
 * is not. The name on the wire stays in the plan; the key is what a model sees.
 */
import { sha256 } from "./sha256.ts";

const SAFE = /^[A-Za-z0-9_-]{1,64}$/;
const MAX_KEY = 64;
const OPERATORS: readonly (readonly [string, string])[] = [
  ["<=", "_lte"],
  [">=", "_gte"],
  ["<", "_lt"],
  [">", "_gt"],
  ["!", "_not"],
];

/** Whether a name may be used as an argument key as it stands. */
export function isSafeKey(name: string): boolean {
  return SAFE.test(name) && name !== "__proto__";
}

/** The safe form of one name. Runs of unsafe characters at either end vanish; inside they become one `_`. */
export function toKey(name: string): string {
  if (isSafeKey(name)) return name;
  let text = name;
  for (const [operator, word] of OPERATORS) text = text.replaceAll(operator, word);
  const key = text.replace(/^[^A-Za-z0-9_-]+|[^A-Za-z0-9_-]+$/g, "").replace(/[^A-Za-z0-9_-]+/g, "_");
  if (key === "" || key === "__proto__") return `arg_${sha256(name).slice(0, 6)}`;
  return key.length <= MAX_KEY ? key : cut(key, `_${sha256(name).slice(0, 6)}`);
}

/** A wire name and where it is sent. */
export interface Keyable {
  readonly name: string;
  readonly in: string;
}

/** One key each, in order. On a clash every member says where it is sent; members that are still equal are numbered. */
export function assignKeys(items: readonly Keyable[], reserved: readonly string[] = []): string[] {
  const wanted = items.map((item) => toKey(item.name));
  const count = new Map<string, number>(reserved.map((key) => [key, 1]));
  for (const key of wanted) count.set(key, (count.get(key) ?? 0) + 1);
  const taken = new Set<string>([...reserved, ...wanted.filter((key) => count.get(key) === 1)]);
  return wanted.map((key, i) => {
    if (count.get(key) === 1) return key;
    const located = cut(key, `_${items[i]?.in ?? "arg"}`);
    let unique = located;
    for (let n = 2; taken.has(unique); n++) unique = cut(located, `_${n}`);
    taken.add(unique);
    return unique;
  });
}

function cut(key: string, suffix: string): string {
  return key.slice(0, MAX_KEY - suffix.length) + suffix;
}

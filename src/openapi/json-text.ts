/**
 * JSON text of a value that may hold a BigInt. A 64-bit integer arrives as decimal text, and has to leave as a number
 * whose digits JavaScript's own numbers cannot hold.
 */
import { isObject } from "./json.ts";

/** Compact JSON; BigInts become numbers, undefined members are left out. */
export function toJsonText(value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (Array.isArray(value)) return `[${value.map(toJsonText).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${toJsonText(member)}`).join(",")}}`;
}

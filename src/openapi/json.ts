/**
 * Small guards and builders for parsed JSON. A document is never trusted to have a shape: everything read from it goes
 * through these. Objects are built from entries, so that a key named `__proto__` is a key and nothing more.
 */

/** Any parsed JSON object, its values unchecked. */
export type Json = Readonly<Record<string, unknown>>;

/** Whether `value` is a JSON object: not null, not an array. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; an empty one when it is something else. */
export function toObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

/** The value as a list; an empty one when it is something else. */
export function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value as text, or undefined. */
export function toText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** The strings of a list, without repetition; everything else is left out. */
export function toStrings(value: unknown): string[] {
  return [...new Set(toList(value).filter((item) => typeof item === "string"))];
}

/** An own property; never one of the prototype. */
export function own(object: Json, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/** The object without the named keys. */
export function omit(object: Json, ...keys: readonly string[]): Json {
  return Object.fromEntries(Object.entries(object).filter(([key]) => !keys.includes(key)));
}

/** Every property of `T` whose type allows undefined, made optional and never undefined. */
type Defined<T> = { [K in keyof T as undefined extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** The object without its undefined properties. */
export function defined<T extends object>(object: T): Defined<T> {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Defined<T>;
}

/** Orders by code units: the same everywhere, whatever the locale. */
export function byCodeUnit(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

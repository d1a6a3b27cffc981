/**
 * Tool names (rule M2): where a name comes from, how it is cut, and what happens when two operations want the same one.
 * A name depends on its own operation and on who collides with it, never on the order of the document.
 */
import { isObject, toList, toText, type Json } from "./json.ts";
import { sha256 } from "./sha256.ts";
import { toWords } from "./words.ts";

/** Model APIs accept 64 characters, and clients put `mcp__<server>__` before the tool's name. */
const MAX_MODEL_NAME = 64;
const HASH_LENGTH = 6;
const FRONT_SHARE = 0.6;

/** How names are made: their room, a prefix for servers with several APIs, and renames by operationId or `METHOD /path`. */
export interface NameOptions {
  readonly maxLength: number;
  readonly prefix?: string;
  readonly rename?: Readonly<Record<string, string>>;
}

/** An operation as far as its name is concerned. */
export interface Nameable {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

/** The length that is left for a tool's name on a server of that name. */
export function maxNameLength(server: string): number {
  return MAX_MODEL_NAME - `mcp__${server}__`.length;
}

/** The words an operation's name is made of, from the first source that exists. */
export function nameWords({ method, path, operation }: Nameable, options: NameOptions): string[] {
  const sources = [
    toText(isObject(operation["x-mcp"]) ? operation["x-mcp"]["name"] : undefined),
    options.rename?.[toText(operation["operationId"]) ?? ""] ?? options.rename?.[`${method} ${path}`],
    fernName(operation),
    toText(operation["operationId"]),
    `${method} ${path.replace(/\{([^}]*)\}/g, " by $1 ")}`,
    method,
  ];
  for (const source of sources) {
    const words = source === undefined ? [] : toWords(source);
    if (words.length > 0) return [...toWords(options.prefix ?? ""), ...words];
  }
  return ["operation"];
}

/** The group an operation belongs to, as written by `x-fern-sdk-group-name`: `["dns", "records"]`. */
export function groupPath(operation: Json): string[] {
  const group = operation["x-fern-sdk-group-name"];
  if (typeof group === "string") return group.split(".");
  return toList(group).filter((part) => typeof part === "string");
}

function fernName(operation: Json): string | undefined {
  const method = toText(operation["x-fern-sdk-method-name"]);
  return method === undefined ? undefined : [...groupPath(operation), method].join(" ");
}

/**
 * Gives every operation its name, in the order given. Every member of a collision gets the hash of its method and path,
 * so that adding an operation can rename a tool but never swap two.
 */
export function assignNames(operations: readonly Nameable[], options: NameOptions): string[] {
  const words = operations.map((operation) => nameWords(operation, options));
  const hashes = operations.map(({ method, path }) => sha256(`${method} ${path}`));
  let names = words.map((list, i) => fit(list, hashes[i] ?? "", options.maxLength));
  for (let length = HASH_LENGTH; length <= 24; length += HASH_LENGTH) {
    const count = new Map<string, number>();
    for (const name of names) count.set(name, (count.get(name) ?? 0) + 1);
    if (count.size === names.length) break;
    names = names.map((name, i) =>
      count.get(name) === 1 ? name : hashed(words[i] ?? [], (hashes[i] ?? "").slice(0, length), options.maxLength),
    );
  }
  return names;
}

function fit(words: readonly string[], hash: string, maxLength: number): string {
  const name = words.join("_");
  return name.length <= maxLength ? name : hashed(words, hash.slice(0, HASH_LENGTH), maxLength);
}

/** Whole words from the front and from the back, then the hash. */
function hashed(words: readonly string[], hash: string, maxLength: number): string {
  const room = maxLength - hash.length - 1;
  const whole = words.join("_");
  return `${whole.length <= room ? whole : shorten(words, room)}_${hash}`;
}

function shorten(words: readonly string[], room: number): string {
  const frontRoom = Math.floor(room * FRONT_SHARE);
  let front = "";
  let taken = 0;
  for (const word of words) {
    const longer = front === "" ? word : `${front}_${word}`;
    if (longer.length > frontRoom) break;
    front = longer;
    taken++;
  }
  if (front === "") {
    front = (words[0] ?? "").slice(0, frontRoom);
    taken = 1;
  }
  let back = "";
  for (const word of words.slice(taken).toReversed()) {
    const longer = back === "" ? word : `${word}_${back}`;
    if (front.length + 1 + longer.length > room) break;
    back = longer;
  }
  return back === "" ? front : `${front}_${back}`;
}

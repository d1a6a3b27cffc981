/**
 * A compiled document as files (rules M17 and M18): one index to search, and cards with everything about an operation,
 * packed into shards so that a Worker reads a few hundred kilobytes to answer and never the whole. Pure: names and bytes
 * come out, somebody else writes them.
 */
import type { ApiIr, Operation } from "./ir.ts";
import { byCodeUnit, defined, isObject, toList, toObject, toText } from "./json.ts";
import { toSearchIndex, type SearchIndex } from "./search/search-index.ts";
import { toSummary } from "./search/summary.ts";
import { sha256 } from "./sha256.ts";

/** A shard holds about this much; a card that is larger has to be alone in its shard all the same. */
const SHARD_BYTES = 128 * 1024;
const MAX_SHARD_BITS = 12;

/** Where the index is. */
export const INDEX_FILE = "index.json";

/** The folder of a compiled document's files, inside the folder of its API. */
export const OPERATIONS_FOLDER = "operations";

/** What is known of an operation without reading its card. */
export interface IndexEntry {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly group?: string;
  readonly operationId?: string;
  readonly deprecated: boolean;
  readonly readOnly: boolean;
  readonly pinned: boolean;
}

/** What the index says of an operation. */
export function toIndexEntry(operation: Operation): IndexEntry {
  const { name, method, path, description, title = toSummary(description) } = operation;
  const { tags, group, operationId, deprecated, pinned, annotations } = operation;
  const flags = { deprecated: deprecated === true, readOnly: annotations.readOnlyHint, pinned: pinned === true };
  return defined({ name, method, path, title, tags, group, operationId, ...flags });
}

/** A document's index: all but the operations' own matter. */
export interface ApiIndex extends Omit<ApiIr, "operations" | "skipped" | "warnings" | "tags"> {
  /** Cards are spread over two to the power of this many files. */
  readonly shardBits: number;
  /** SHA-256 over everything that is stored: what is remembered of these files is known by it. */
  readonly digest: string;
  /** What a search reads; `operations` are its rows. */
  readonly search: SearchIndex;
  readonly operations: readonly IndexEntry[];
}

/** Writes a compiled document as files: names to UTF-8 bytes, sorted by name. */
export function toFiles(ir: ApiIr): ReadonlyMap<string, Uint8Array> {
  const encoder = new TextEncoder();
  const cards = ir.operations.map((operation) => ({ name: operation.name, text: JSON.stringify(operation) }));
  const total = cards.reduce((sum, { text }) => sum + text.length, 0);
  const shardBits = Math.min(MAX_SHARD_BITS, Math.max(0, Math.ceil(Math.log2(total / SHARD_BYTES))));
  const shards = new Map<string, string[]>();
  for (const { name, text } of cards) {
    const file = cardFile(name, shardBits);
    const shard = shards.get(file) ?? [];
    shard.push(`${JSON.stringify(name)}:${text}`);
    shards.set(file, shard);
  }
  const { operations, skipped, warnings, tags, ...head } = ir;
  const rows = operations.map((operation) => {
    const entry = toIndexEntry(operation);
    const { name, method, path, title, tags, group = "", operationId = "" } = entry;
    return [name, method, path, title, tags, toBits(entry), group, operationId];
  });
  const cardTexts = [...shards].map(([file, parts]): [string, string] => [file, `{${parts.join(",\n")}}`]);
  const search = toSearchIndex(operations, tags);
  const digest = sha256(JSON.stringify([head, rows, search, cardTexts.map(([file, text]) => [file, sha256(text)])]));
  const texts = new Map([
    [INDEX_FILE, JSON.stringify({ ...head, shardBits, digest, operations: rows, search })],
    ["report.json", JSON.stringify({ skipped, warnings })],
    ...cardTexts,
  ]);
  return new Map(
    [...texts].toSorted(([a], [b]) => byCodeUnit(a, b)).map(([file, text]) => [file, encoder.encode(`${text}\n`)]),
  );
}

/** The file an operation's card is in: decided by its name alone, so that other cards can come and go. */
export function cardFile(name: string, shardBits: number): string {
  const shard = Number.parseInt(sha256(name).slice(0, 8), 16) >>> (32 - Math.max(shardBits, 1));
  return `cards/${(shardBits === 0 ? 0 : shard).toString(16).padStart(3, "0")}.json`;
}

/** Reads the text of the index file. @throws {Error} when it was not written by `toFiles`. */
export function readIndex(text: string): ApiIndex {
  const raw: unknown = JSON.parse(text);
  if (!isObject(raw) || raw["x-codeforge-mapping"] === undefined)
    throw new Error("not an index of a compiled document");
  const operations = toList(raw["operations"]).map((row): IndexEntry => {
    const [name, method, path, title, tags, bits, group, operationId] = toList(row);
    return defined({
      name: toText(name) ?? "",
      method: toText(method) ?? "",
      path: toText(path) ?? "",
      title: toText(title) ?? "",
      tags: toList(tags).filter((tag) => typeof tag === "string"),
      group: toText(group) || undefined,
      operationId: toText(operationId) || undefined,
      ...fromBits(Number(bits)),
    });
  });
  // Written by this project's own build: the shape is its own.
  return { ...(raw as unknown as ApiIndex), operations };
}

const FLAGS = ["deprecated", "readOnly", "pinned"] as const;
type Flags = Pick<IndexEntry, (typeof FLAGS)[number]>;

/** Flags as one number: an index has a row per operation, and every character counts. */
function toBits(entry: Flags): number {
  return FLAGS.reduce((bits, flag, place) => bits | (Number(entry[flag]) << place), 0);
}

function fromBits(bits: number): Flags {
  const [deprecated = false, readOnly = false, pinned = false] = FLAGS.map((_, place) => ((bits >> place) & 1) === 1);
  return { deprecated, readOnly, pinned };
}

/** The cards in the text of a shard, by the names of their operations. */
export function readCards(text: string): ReadonlyMap<string, Operation> {
  const raw: unknown = JSON.parse(text);
  // Written by this project's own build: the shape is its own.
  return new Map(Object.entries(toObject(raw)) as [string, Operation][]);
}

/**
 * The index that a search reads (rule M17), made when an API is added: for each word the operations that have it, and
 * how much it weighs in each. It is BM25F: a word counts by the field it is in, by how often it is there, and against
 * the field's length; all of that is worked out here, so that a search adds up a few numbers.
 */
import type { Operation, Schema } from "../ir.ts";
import { byCodeUnit, toList, toObject, toStrings, toText } from "../json.ts";
import { resolveDefinition } from "./definitions.ts";
import { toSummary } from "./summary.ts";
import { stem, toStems } from "./words.ts";

/** For each stem, the operations that have it. The text is packed: pairs of a step to the next operation and a weight. */
export interface SearchIndex {
  readonly count: number;
  readonly postings: Readonly<Record<string, string>>;
}

/** An operation as far as it can be searched: an entry of the index is enough, a whole card is better. */
export type Searchable = Pick<Operation, "name" | "method" | "path"> &
  Partial<Omit<Operation, "deprecated" | "pinned">>;

/** What a word in each field counts, and how much the field's length counts against it. */
const FIELDS = {
  name: { weight: 3.0, lengthShare: 0.5 },
  title: { weight: 3.5, lengthShare: 0.5 },
  resource: { weight: 3.0, lengthShare: 0.4 },
  path: { weight: 1.5, lengthShare: 0.6 },
  tags: { weight: 1.2, lengthShare: 0.4 },
  description: { weight: 1.0, lengthShare: 0.7 },
  input: { weight: 0.6, lengthShare: 0.8 },
  values: { weight: 0.8, lengthShare: 0.8 },
  output: { weight: 0.3, lengthShare: 0.8 },
  about: { weight: 0.5, lengthShare: 0.8 },
} as const;
type Field = keyof typeof FIELDS;

/** How soon more of a word counts no more: the `k1` of BM25. */
const K1 = 1.6;
const LEVELS = 31;
/** Where packed numbers begin: from here on JSON escapes nothing. */
const BASE = 0x5d;
const MAX_DESCRIPTION_WORDS = 60;
const MAX_WORDS = 120;

/** Makes the index. `about` has the document's own words on each tag. */
export function toSearchIndex(
  operations: readonly Searchable[],
  about: Readonly<Record<string, string>> = {},
): SearchIndex {
  const documents = operations.map((operation) => toFields(operation, about));
  const vocabulary = new Set(documents.flatMap((fields) => Object.values(fields).flat()));
  const parts = new Map([...vocabulary].map((word) => [word, splitCompound(word, vocabulary)]));
  const lengths = meanLengths(documents);
  const postings = new Map<string, { text: string; last: number }>();
  for (const [at, fields] of documents.entries()) {
    for (const [word, weight] of weigh(fields, lengths, parts)) {
      const level = Math.max(1, Math.round((LEVELS * weight) / (weight + K1)));
      const { text, last } = postings.get(word) ?? { text: "", last: -1 };
      postings.set(word, {
        text: `${text}${String.fromCharCode(BASE + at - last - 1)}${String.fromCharCode(BASE + level - 1)}`,
        last: at,
      });
    }
  }
  const sorted = [...postings].toSorted(([a], [b]) => byCodeUnit(a, b)).map(([word, { text }]) => [word, text]);
  return { count: operations.length, postings: Object.fromEntries(sorted) as Record<string, string> };
}

/** Reads the postings of a word: each operation's place in the index, and the word's weight there, from 0 to 1. */
export function readPostings(index: SearchIndex, word: string, take: (at: number, weight: number) => void): void {
  const text = Object.hasOwn(index.postings, word) ? (index.postings[word] ?? "") : "";
  let at = -1;
  for (let i = 0; i < text.length; i += 2) {
    at += text.charCodeAt(i) - BASE + 1;
    take(at, (text.charCodeAt(i + 1) - BASE + 1) / LEVELS);
  }
}

type Fields = Readonly<Record<Field, readonly string[]>>;

function toFields(operation: Searchable, about: Readonly<Record<string, string>>): Fields {
  const { name, path, description = "", title = toSummary(description), tags = [], group = "" } = operation;
  const segments = staticSegments(path);
  const input = operation.completeSchema ?? operation.inputSchema ?? {};
  const words = collectWords(input);
  const output = collectWords(operation.output?.schema ?? {});
  const own = description.replace(/\n\n[A-Z]+ \/\S*$/, "").replace(/<[^>]*>/g, " ");
  return {
    name: toStems(`${name.replace(/_[0-9a-f]{6}$/, "")} ${operation.operationId ?? ""}`),
    title: toStems(title),
    resource: toStems(segments.at(-1) ?? ""),
    path: toStems(segments.join(" ")),
    tags: toStems([...tags, group].join(" ")),
    description: toStems(own).slice(0, MAX_DESCRIPTION_WORDS),
    input: toStems(words.names.join(" ")).slice(0, MAX_WORDS),
    values: toStems(words.values.join(" ")).slice(0, MAX_WORDS),
    output: toStems(output.names.join(" ")).slice(0, MAX_WORDS),
    about: toStems(tags.map((tag) => (Object.hasOwn(about, tag) ? about[tag] : "")).join(" ")).slice(0, MAX_WORDS),
  };
}

/** The segments of a path that are names and no parameters, versions left out. */
export function staticSegments(path: string): string[] {
  return path
    .replace(/\{[^}]*\}/g, "")
    .split(/[/#?]/)
    .filter((segment) => segment !== "" && !/^v\d+(?:\.\d+)*$/.test(segment) && segment !== "api");
}

/** Names and values in a schema, to a small depth. */
function collectWords(schema: Schema): { readonly names: string[]; readonly values: string[] } {
  const names: string[] = [];
  const values: string[] = [];
  const visit = (part: Schema, depth: number): void => {
    if (depth > 3) return;
    const own = resolveDefinition(part, schema);
    for (const value of [...toList(own["enum"]), own["const"]]) if (typeof value === "string") values.push(value);
    for (const [name, property] of Object.entries(toObject(own["properties"]))) {
      names.push(name);
      const description = toText(toObject(property)["description"]);
      if (description !== undefined && depth === 0) values.push(...description.split(/\s+/, 12));
      visit(toObject(property), depth + 1);
    }
    for (const keyword of ["oneOf", "anyOf", "allOf"])
      for (const branch of toList(own[keyword])) visit(toObject(branch), depth);
    if (own["items"] !== undefined) visit(toObject(own["items"]), depth + 1);
  };
  visit(schema, 0);
  return { names, values: toStrings(values) };
}

function meanLengths(documents: readonly Fields[]): Readonly<Record<Field, number>> {
  const names = Object.keys(FIELDS) as Field[];
  const mean = (field: Field): number =>
    Math.max(1, documents.reduce((sum, fields) => sum + fields[field].length, 0) / Math.max(documents.length, 1));
  return Object.fromEntries(names.map((field) => [field, mean(field)])) as Record<Field, number>;
}

function weigh(
  fields: Fields,
  lengths: Readonly<Record<Field, number>>,
  parts: ReadonlyMap<string, readonly string[]>,
): Map<string, number> {
  const weights = new Map<string, number>();
  for (const [field, { weight, lengthShare }] of Object.entries(FIELDS) as [Field, (typeof FIELDS)[Field]][]) {
    const words = fields[field];
    const length = 1 - lengthShare + (lengthShare * words.length) / lengths[field];
    for (const word of words) {
      weights.set(word, (weights.get(word) ?? 0) + weight / length);
      for (const part of parts.get(word) ?? []) weights.set(part, (weights.get(part) ?? 0) + weight / length / 2);
    }
  }
  return weights;
}

const MIN_PART = 3;

/** `usergroup` where the document also knows `user` and `group`. */
function splitCompound(word: string, vocabulary: ReadonlySet<string>): string[] {
  for (let at = MIN_PART; at <= word.length - MIN_PART; at++) {
    const [head, tail] = [stem(word.slice(0, at)), stem(word.slice(at))];
    if (vocabulary.has(head) && vocabulary.has(tail)) return [head, tail];
  }
  return [];
}

/** Whether any operation has the word. */
export function known(index: SearchIndex, word: string): boolean {
  return Object.hasOwn(index.postings, word);
}

/** How much a word tells: the fewer operations have it, the more; 0 when none has. */
export function rarityOf(index: SearchIndex, word: string): number {
  if (!known(index, word)) return 0;
  const n = (index.postings[word] ?? "").length / 2;
  return Math.log(1.5 + (index.count - n + 0.5) / (n + 0.5));
}

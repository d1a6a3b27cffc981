/**
 * Ranked search over an index (rule M17): BM25 over the words of name, path, title and tags, the name counting most.
 * Pure and small enough to run per request; deprecated operations come last.
 */
import type { IndexEntry } from "./storage.ts";
import { toWords } from "./words.ts";

const K1 = 1.2;
const B = 0.75;
const WEIGHTS = { name: 3, title: 2, path: 1, tags: 1 } as const;

/** Words that say nothing about an operation. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  "a an all and by for from in into is my of on or the to with".split(" "),
);

/** A hit and its score; higher is better. */
export interface Hit {
  readonly entry: IndexEntry;
  readonly score: number;
}

interface Indexed {
  readonly entry: IndexEntry;
  readonly weights: ReadonlyMap<string, number>;
  readonly length: number;
}

/** A search over the operations of one or more APIs. */
export interface Search {
  find(query: string, limit: number): Hit[];
}

/** Prepares a search; the order of the entries decides between equals. */
export function createSearch(entries: readonly IndexEntry[]): Search {
  const indexed = entries.map(indexEntry);
  const frequency = new Map<string, number>();
  for (const { weights } of indexed)
    for (const word of weights.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const mean = indexed.reduce((sum, { length }) => sum + length, 0) / Math.max(indexed.length, 1);

  function find(query: string, limit: number): Hit[] {
    const words = toSearchWords(query);
    const hits = indexed
      .map(({ entry, weights, length }) => {
        const score = [...words].reduce((sum, word) => {
          const weight = weights.get(word) ?? 0;
          if (weight === 0) return sum;
          const n = frequency.get(word) ?? 0;
          const rarity = Math.log(1 + (indexed.length - n + 0.5) / (n + 0.5));
          return sum + (rarity * weight * (K1 + 1)) / (weight + K1 * (1 - B + (B * length) / mean));
        }, 0);
        return { entry, score };
      })
      .filter(({ score }) => score > 0);
    return hits
      .toSorted((a, b) => Number(a.entry.deprecated) - Number(b.entry.deprecated) || b.score - a.score)
      .slice(0, limit);
  }

  return { find };
}

function indexEntry(entry: IndexEntry): Indexed {
  const weights = new Map<string, number>();
  let length = 0;
  const fields = [
    [entry.name, WEIGHTS.name],
    [entry.title, WEIGHTS.title],
    [entry.path, WEIGHTS.path],
    [entry.tags.join(" "), WEIGHTS.tags],
    [entry.method, WEIGHTS.path],
  ] as const;
  for (const [text, weight] of fields) {
    for (const word of toSearchWords(text)) {
      weights.set(word, (weights.get(word) ?? 0) + weight);
      length++;
    }
  }
  return { entry, weights, length };
}

function toSearchWords(text: string): Set<string> {
  return new Set(
    toWords(text)
      .filter((word) => !STOP_WORDS.has(word))
      .map(stem),
  );
}

/** Plural and singular are the same word; nothing cleverer than that. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
}

/**
 * Ranking: what the words of a question weigh in each operation, then for the most promising ones how well they fit what
 * was asked for. Pure.
 */
import type { IndexEntry } from "../storage.ts";
import { toFit, toScore, type Asked, type Candidate } from "./fit.ts";
import { readQuestion } from "./question.ts";
import { readPostings, type SearchIndex } from "./search-index.ts";

/** An operation's place in the index, and its score; higher is better. */
export interface Ranked {
  readonly at: number;
  readonly score: number;
}

/** Only so many are looked at closely. */
const MAX_CANDIDATES = 100;
/** What coverage counts of the weight of words alone, to choose whom to look at. */
const COVERAGE = 0.6;
const DEPRECATED = 0.5;

/** Ranks all operations that have any of the words. */
export function rank(text: string, index: SearchIndex, entries: readonly IndexEntry[]): Ranked[] {
  const asked = toAsked(text, index);
  const found = findCandidates(asked, entries);
  const close = found.slice(0, MAX_CANDIDATES).map(({ at, candidate }): Ranked => {
    const score = toScore(toFit(candidate, asked));
    return { at, score: candidate.entry.deprecated ? score * DEPRECATED : score };
  });
  const sorted = close.toSorted((a, b) => b.score - a.score || a.at - b.at);
  // The others come after them, in the order of their words alone.
  const least = sorted.at(-1)?.score ?? 0;
  const rest = found.slice(MAX_CANDIDATES).map(({ at, weight }) => ({ at, score: Math.min(least, weight) * weight }));
  return [...sorted, ...rest];
}

/** A question as candidates are looked at in its light. */
export function toAsked(text: string, index: SearchIndex): Asked {
  const question = readQuestion(text, index);
  const stems = new Map<string, number>();
  for (const term of question.terms)
    for (const [word, share] of term.stems) stems.set(word, Math.max(stems.get(word) ?? 0, share));
  return { question, index, stems };
}

/** Every operation that has any of the words, by their weight. */
export function findCandidates(
  { question, index }: Asked,
  entries: readonly IndexEntry[],
): { readonly at: number; readonly weight: number; readonly candidate: Candidate }[] {
  const scores = new Float64Array(index.count);
  const coverage = new Float64Array(index.count);
  const best = new Float64Array(index.count);
  let total = 0;
  for (const { stems, weight, rarity } of question.terms) {
    if (rarity === 0) continue;
    total += rarity * weight;
    best.fill(0);
    for (const [word, share] of stems) {
      readPostings(index, word, (at, level) => {
        if (share * level > (best[at] ?? 0)) best[at] = share * level;
      });
    }
    for (let at = 0; at < best.length; at++) {
      const level = best[at] ?? 0;
      if (level === 0) continue;
      scores[at] = (scores[at] ?? 0) + rarity * weight * level;
      coverage[at] = (coverage[at] ?? 0) + rarity * weight * Math.min(1, 2 * level);
    }
  }
  const found: { at: number; weight: number; candidate: Candidate }[] = [];
  for (const [at, entry] of entries.entries()) {
    const share = (scores[at] ?? 0) / total;
    const covered = (coverage[at] ?? 0) / total;
    if (share > 0)
      found.push({
        at,
        weight: share * (1 - COVERAGE + COVERAGE * covered),
        candidate: { entry, share, coverage: covered },
      });
  }
  return found.toSorted((a, b) => b.weight - a.weight || a.at - b.at);
}

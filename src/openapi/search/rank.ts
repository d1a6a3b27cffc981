/**
 * Ranking: what the words of a question weigh in each operation, then what the operation does against what was asked
 * for (read or write, one or many), and how much of it the question did not ask for. Pure.
 */
import type { IndexEntry } from "../storage.ts";
import { readQuestion, type Question } from "./question.ts";
import { readPostings, staticSegments, type SearchIndex } from "./search-index.ts";
import { intentOf, type Intent } from "./vocabulary.ts";
import { stem, toStems } from "./words.ts";
import { toWords } from "../words.ts";

/** An operation's place in the index, and its score; higher is better. */
export interface Ranked {
  readonly at: number;
  readonly score: number;
}

/** Only so many are looked at closely. */
const MAX_CANDIDATES = 200;

/** What a candidate's score is multiplied by, for how well it fits beyond its words. */
const FIT = {
  coverage: 0.6,
  sameIntent: 1.25,
  otherWrite: 1.09,
  someIntent: 0.8,
  otherIntent: 0.51,
  readByDefault: 1.05,
  manyIsList: 1.08,
  manyIsItem: 0.85,
  resource: 0.25,
  words: 0.41,
  path: 0.3,
  depth: 0.04,
  caller: 1.15,
  notCaller: 0.93,
  deprecated: 0.5,
} as const;

/** Ranks all operations that have any of the words. */
export function rank(text: string, index: SearchIndex, entries: readonly IndexEntry[]): Ranked[] {
  const question = readQuestion(text, index);
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
  const candidates: Ranked[] = [];
  for (let at = 0; at < scores.length; at++) {
    const score = scores[at] ?? 0;
    const share = (coverage[at] ?? 0) / total;
    if (score > 0) candidates.push({ at, score: (score / total) * (1 - FIT.coverage + FIT.coverage * share) });
  }
  candidates.sort((a, b) => b.score - a.score || a.at - b.at);
  const asked = new Map<string, number>();
  for (const { stems } of question.terms)
    for (const [word, share] of stems) asked.set(word, Math.max(asked.get(word) ?? 0, share));
  const close = candidates.slice(0, MAX_CANDIDATES).map(({ at, score }) => {
    const entry = entries[at];
    return { at, score: entry === undefined ? 0 : score * fit(entry, question, asked) };
  });
  const isLast = ({ at }: Ranked): number => Number(entries[at]?.deprecated === true);
  return [...close, ...candidates.slice(MAX_CANDIDATES)].toSorted(
    (a, b) => isLast(a) - isLast(b) || b.score - a.score || a.at - b.at,
  );
}

const METHODS: Readonly<Record<string, Intent>> = {
  GET: "read",
  HEAD: "read",
  QUERY: "read",
  POST: "create",
  PUT: "update",
  PATCH: "update",
  DELETE: "delete",
};

/** How well an operation is what was asked for, beside its words: around 1. */
function fit(entry: IndexEntry, question: Question, asked: ReadonlyMap<string, number>): number {
  const segments = staticSegments(entry.path);
  const titleStems = toWords(entry.title).map(stem);
  const nameStems = toWords(entry.name.replace(/_[0-9a-f]{6}$/, "")).map(stem);
  const lastStems = toStems(segments.at(-1) ?? "");
  const does = intentsOf(entry.method, [...titleStems.slice(0, 1), ...nameStems.slice(0, 1), ...lastStems.slice(-2)]);
  let factor = 1;
  if (question.intent === undefined) factor *= does.has("read") ? FIT.readByDefault : 1;
  else if (question.intent === "write" ? !does.has("read") : does.has(question.intent)) factor *= FIT.sameIntent;
  else if (question.intent !== "read" && question.intent !== "write" && !does.has("read")) factor *= FIT.otherWrite;
  else if ([...question.intents].some((intent) => does.has(intent))) factor *= FIT.someIntent;
  else factor *= FIT.otherIntent;
  if (does.has("read") && question.isPlural) factor *= entry.path.endsWith("}") ? FIT.manyIsItem : FIT.manyIsList;

  const shareOf = (words: readonly string[]): number => {
    const nouns = [...new Set(words)].filter((word) => intentOf(word) === undefined || asked.has(word));
    return nouns.length === 0 ? 0.5 : nouns.reduce((sum, word) => sum + (asked.get(word) ?? 0), 0) / nouns.length;
  };
  const words = Math.max(shareOf(toStems(entry.title)), shareOf(nameStems.filter((word) => word.length > 2)));
  factor *= 1 - FIT.words + FIT.words * words;
  factor *= 1 - FIT.path + FIT.path * shareOf(toStems(segments.join(" ")));
  factor *= 1 - FIT.resource + FIT.resource * Math.max(0, ...lastStems.map((word) => asked.get(word) ?? 0));
  factor *= 1 - FIT.depth * Math.max(0, entry.path.split("/").length - 3);
  if (segments.some((segment) => segment === "me" || segment === "user" || segment === "my"))
    factor *= question.isAboutCaller ? FIT.caller : FIT.notCaller;
  return factor;
}

/** What an operation does: as its method says, or for a POST as its name does. */
function intentsOf(method: string, words: readonly string[]): Set<Intent> {
  const told = words.flatMap((word) => intentOf(word) ?? []);
  const own = METHODS[method] ?? "create";
  if (own === "read") return new Set([own]);
  const writes = told.filter((intent) => intent !== "read");
  return new Set(own === "create" && told.length > 0 ? told : [own, ...writes]);
}

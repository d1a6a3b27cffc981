/**
 * How well an operation is what was asked for: a few numbers that are worked out for the most promising ones, each about
 * 0 to 1, and what each counts. What they count was learnt, see bench/search/learn-weights.ts.
 */
import type { IndexEntry } from "../storage.ts";
import { toWords } from "../words.ts";
import { isVerb } from "./lexicon.ts";
import type { Question, Term } from "./question.ts";
import { rarityOf, staticSegments, type SearchIndex } from "./search-index.ts";
import { intentOf, isGenericVerb, methodsOf, placeOfMethod, type Intent, type Methods } from "./vocabulary.ts";
import { stem, toStems } from "./words.ts";

/** What each number counts: an operation's score is the exponential of their weighted sum. */
export const WEIGHTS = {
  /** The logarithm of how much of the question its words weigh, and how much of it they cover. */
  share: 3.84,
  coverage: 3.1,
  /** Of the question's things, how many its title, name and path have. */
  things: 1.88,
  /** What is asked for is the last thing in its path. */
  resource: 0.66,
  /** What comes after a preposition is above the last thing in its path, or is the last thing. */
  contextAbove: 1.8,
  contextLast: -0.96,
  /** Words of its title and of its path that were not asked for, the rarer the worse. */
  restOfTitle: -2.39,
  restOfPath: -2.53,
  /** It does something that nobody asked for. */
  otherVerb: -1.29,
  depth: -1.8,
  /** Many things were asked for: it is about one; it lists them. */
  manyIsItem: -2.15,
  manyIsList: 0.45,
  /** The logarithm of how likely such an order, and what is no order, is sent by its method. */
  order: 1.53,
  reading: 0.71,
  /** It does what the first verb says; it does what no verb says. */
  sameIntent: 0.85,
  otherIntent: -2.2,
  /** It is about the caller: as was asked, or not. */
  caller: 1.72,
  notCaller: -0.43,
} as const satisfies Readonly<Record<string, number>>;
export type Fit = Readonly<Record<keyof typeof WEIGHTS, number>>;

/** What a question asks for, worked out once. */
export interface Asked {
  readonly question: Question;
  readonly index: SearchIndex;
  /** Every stem that counts for any of the question's words, with the most that it counts. */
  readonly stems: ReadonlyMap<string, number>;
}

/** An operation that has some of the words: how much of the question they weigh and cover, as shares. */
export interface Candidate {
  readonly entry: IndexEntry;
  readonly share: number;
  readonly coverage: number;
}

const MAX_DEPTH = 5;
/** How sure a method is to be what it says: there is always this chance of something else. */
const DOUBT = 0.02;
/** An operation's own verb counts half, its method the other half. */
const OWN_VERB = 0.5;
const ABOUT_CALLER = new Set(["me", "user", "my"]);

/** Works out how well an operation fits. */
export function toFit({ entry, share, coverage }: Candidate, { question, index, stems }: Asked): Fit {
  const { method, path } = entry;
  const segments = staticSegments(path);
  const title = toWords(entry.title).map(stem);
  const name = toWords(entry.name.replace(/_[0-9a-f]{6}$/, "")).map(stem);
  const longName = name.filter((word) => word.length > 2);
  const inPath = toStems(segments.join(" "));
  const last = toStems(segments.at(-1) ?? "");
  const above = toStems(segments.slice(0, -1).join(" "));
  const does = intentsOf(method, [...title.slice(0, 1), ...name.slice(0, 1), ...last.slice(-2)]);
  const things = question.terms.filter((term) => !term.isGeneric && term.rarity > 0);
  const context = things.filter((term) => !term.isHead && !term.isSomebody);
  const everywhere = [...title, ...longName, ...inPath];
  const likely = Math.log(DOUBT + agreement(question.methods, toMethods(entry, [title[0], name[0], last.at(-1)])));
  const isRead = does.has("read");
  const isItem = path.endsWith("}");
  const isAboutCaller = segments.some((segment) => ABOUT_CALLER.has(segment));
  const isSame = isSameIntent(question.intent, does);
  const verbs = [...title.slice(0, 2), ...name.slice(0, 2), ...name.slice(-1), ...last.slice(0, 1), ...last.slice(-1)];
  return {
    share: Math.log(share),
    coverage,
    things: things.filter((term) => matchOf(term, everywhere) > 0.3).length / Math.max(1, things.length),
    resource: Math.max(0, ...last.map((word) => stems.get(word) ?? 0)),
    contextAbove: coverageOf(context, above),
    contextLast: coverageOf(context, last),
    restOfTitle: Math.min(restOf(title, stems, index), restOf(longName, stems, index)),
    restOfPath: restOf(inPath, stems, index),
    otherVerb: Number(verbs.some((verb) => isOwnVerb(verb) && (stems.get(verb) ?? 0) < 0.3)),
    depth: Math.max(0, path.split("/").length - 3) / MAX_DEPTH,
    manyIsItem: Number(isRead && question.isPlural && isItem),
    manyIsList: Number(method === "GET" && question.isHeadPlural && !isItem),
    order: question.isOrder ? likely : 0,
    reading: question.isOrder ? 0 : likely,
    sameIntent: Number(isSame),
    otherIntent: Number(!isSame && question.intent !== undefined && isOtherIntent(question, does)),
    caller: Number(isAboutCaller && question.isAboutCaller),
    notCaller: Number(isAboutCaller && !question.isAboutCaller),
  };
}

/** The score: higher is better. It is in the measure of `share`, so that operations of several APIs can be compared. */
export function toScore(fit: Fit): number {
  const sum = (Object.keys(WEIGHTS) as (keyof Fit)[]).reduce((total, key) => total + WEIGHTS[key] * fit[key], 0);
  return Math.exp(sum / WEIGHTS.share);
}

function isOwnVerb(word: string): boolean {
  return intentOf(word) !== undefined && !isGenericVerb(word);
}

/** How much of a term some words are, from 0 to 1. */
function matchOf(term: Term, words: readonly string[]): number {
  return Math.max(0, ...words.map((word) => term.stems.get(word) ?? 0));
}

/** How much of some terms some words cover, from 0 to 1. */
function coverageOf(terms: readonly Term[], words: readonly string[]): number {
  const weightOf = (term: Term): number => term.weight * term.rarity;
  const total = terms.reduce((sum, term) => sum + weightOf(term), 0);
  return total === 0 ? 0 : terms.reduce((sum, term) => sum + weightOf(term) * matchOf(term, words), 0) / total;
}

/** How much of some words was not asked for, from 0 to 1, the rarer the more; verbs that were not asked for aside. */
function restOf(words: readonly string[], asked: ReadonlyMap<string, number>, index: SearchIndex): number {
  let total = 0;
  let rest = 0;
  for (const word of new Set(words)) {
    if (intentOf(word) !== undefined && !asked.has(word)) continue;
    const rarity = rarityOf(index, word);
    total += rarity;
    rest += rarity * (1 - (asked.get(word) ?? 0));
  }
  return total === 0 ? 0.5 : rest / total;
}

const METHODS: readonly Intent[] = ["read", "create", "update", "delete"];

/** What an operation does: as its method says, or for a POST as its name does. */
function intentsOf(method: string, words: readonly string[]): Set<Intent> {
  const told = words.flatMap((word) => intentOf(word) ?? []);
  const own = METHODS[placeOfMethod(method)] ?? "create";
  if (own === "read") return new Set([own]);
  const writes = told.filter((intent) => intent !== "read");
  return new Set(own === "create" && told.length > 0 ? told : [own, ...writes]);
}

function isSameIntent(intent: Intent | undefined, does: ReadonlySet<Intent>): boolean {
  return intent === "write" ? !does.has("read") : intent !== undefined && does.has(intent);
}

function isOtherIntent({ intent, intents }: Question, does: ReadonlySet<Intent>): boolean {
  const areBothWrites = intent !== "read" && intent !== "write" && !does.has("read");
  return !areBothWrites && ![...intents].some((each) => does.has(each));
}

/** How an operation that does this would be sent: a POST that searches is half a GET. */
function toMethods({ method }: IndexEntry, words: readonly (string | undefined)[]): Methods {
  const place = placeOfMethod(method);
  const verb = words.find((word) => word !== undefined && isVerb(word) && methodsOf(word) !== undefined);
  const told = place === 0 || verb === undefined ? undefined : methodsOf(verb);
  const own = told === undefined ? 1 : 1 - OWN_VERB;
  const shareOf = (at: 0 | 1 | 2 | 3): number => (at === place ? own : 0) + OWN_VERB * (told?.[at] ?? 0);
  return [shareOf(0), shareOf(1), shareOf(2), shareOf(3)];
}

function agreement(a: Methods, b: Methods): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

/**
 * What people call the things that APIs have names for: general English, written once, nothing in it belongs to one API.
 * A line `target: word, some phrase, put _ into` says that whoever says what is on the right may mean what is on the
 * left; `_` stands for one to three words. A target of several words is found by any of them. A line without a colon is
 * a group of words that stand for one another.
 */
import { DOING } from "./lexicon/doing.ts";
import { GROUPS } from "./lexicon/groups.ts";
import { MACHINES } from "./lexicon/machines.ts";
import { PEOPLE } from "./lexicon/people.ts";
import { PHRASES } from "./lexicon/phrases.ts";
import { SHORT_FORMS } from "./lexicon/short-forms.ts";
import { THINGS } from "./lexicon/things.ts";
import { WORK } from "./lexicon/work.ts";
import { stem } from "./words.ts";

/** How much another word counts of the word itself. */
const SHARES = { shortForm: 0.95, meant: 0.7, group: 0.7, reverse: 0.35 } as const;
/** The more a word may mean, the less each of it counts. */
const FAN_OUT = 0.2;
/** The most words that a `_` stands for. */
const MAX_GAP = 3;

/** A turn of phrase: stems, with undefined for a gap, and the stems that it means. */
interface Phrase {
  readonly stems: readonly (string | undefined)[];
  readonly targets: Set<string>;
}

const meant = new Map<string, Set<string>>();
const related = new Map<string, Map<string, number>>();
const verbs = new Set<string>();
/** By the first word; longer ones first. */
const phrases = new Map<string, Phrase[]>();

function relate(from: string, to: string, share: number): void {
  if (from === to) return;
  const words = related.get(from) ?? new Map<string, number>();
  words.set(to, Math.max(words.get(to) ?? 0, share));
  related.set(from, words);
}

function readEntries(text: string, isAboutVerbs = false): void {
  for (const line of text.trim().split("\n")) {
    const [left = "", right = ""] = line.split(":");
    const targets = left.split(/[ _]/).map(stem);
    if (isAboutVerbs) for (const target of targets) verbs.add(target);
    for (const source of right.split(",")) {
      const words = source.trim().split(/[ -]/);
      const [first = ""] = words.map(stem);
      if (words.length > 1) addPhrase(words, targets);
      else {
        if (isAboutVerbs) verbs.add(first);
        const known = meant.get(first) ?? new Set();
        for (const target of targets) if (target !== first) known.add(target);
        meant.set(first, known);
      }
    }
  }
}

function addPhrase(words: readonly string[], targets: readonly string[]): void {
  const stems = words.map((word) => (word === "_" ? undefined : stem(word)));
  const [first = ""] = stems;
  const own = phrases.get(first) ?? [];
  const known = own.find((each) => each.stems.join(" ") === stems.join(" "));
  if (known === undefined) own.push({ stems, targets: new Set(targets) });
  else for (const target of targets) known.targets.add(target);
  phrases.set(first, own);
}

readEntries(DOING, true);
for (const text of [PEOPLE, WORK, MACHINES, THINGS, PHRASES]) readEntries(text);
for (const own of phrases.values()) own.sort((a, b) => b.stems.length - a.stems.length);
for (const [word, targets] of meant) {
  for (const target of targets) {
    relate(word, target, SHARES.meant / targets.size ** FAN_OUT);
    relate(target, word, SHARES.reverse);
  }
}
for (const line of GROUPS.trim().split("\n")) {
  const words = line.split(" ").map(stem);
  for (const from of words) for (const to of words) relate(from, to, SHARES.group);
}
for (const line of SHORT_FORMS.trim().split("\n")) {
  const [long = "", short = ""] = line.split(": ");
  for (const from of short.split(", ").map(stem)) {
    for (const to of long.split(" ").map(stem)) {
      relate(from, to, SHARES.shortForm);
      relate(to, from, SHARES.shortForm);
    }
  }
}

const NONE: ReadonlyMap<string, number> = new Map();

/** Stems that a stem may stand for, each with the share of it that it counts. */
export function relatedTo(word: string): ReadonlyMap<string, number> {
  return related.get(word) ?? NONE;
}

/** What a stem may mean, when it is more people's word than APIs'. */
export function meaningsOf(word: string): ReadonlySet<string> {
  return meant.get(word) ?? new Set();
}

/** Whether a stem is a verb, in some of its uses. */
export function isVerb(word: string): boolean {
  return verbs.has(word);
}

/** A turn of phrase in a question. */
export interface FoundPhrase {
  /** The places of its own words. */
  readonly at: readonly number[];
  readonly targets: ReadonlySet<string>;
}

/** The turns of phrase in a question's stems, none of which share a word. */
export function findPhrases(stems: readonly string[]): FoundPhrase[] {
  const found: FoundPhrase[] = [];
  const isFree = (at: number): boolean => !found.some((each) => each.at.includes(at));
  for (const [start, first] of stems.entries()) {
    if (!isFree(start)) continue;
    for (const phrase of phrases.get(first) ?? []) {
      const at = matchPhrase(phrase, stems, start);
      if (at === undefined || !at.every(isFree)) continue;
      found.push({ at, targets: phrase.targets });
      break;
    }
  }
  return found;
}

function matchPhrase(phrase: Phrase, stems: readonly string[], start: number): number[] | undefined {
  const at: number[] = [];
  let next = start;
  let gap = 0;
  for (const word of phrase.stems) {
    if (word === undefined) {
      next += 1;
      gap = MAX_GAP - 1;
      continue;
    }
    while (gap > 0 && stems[next] !== word) [next, gap] = [next + 1, gap - 1];
    if (stems[next] !== word) return undefined;
    at.push(next);
    next += 1;
    gap = 0;
  }
  return at;
}

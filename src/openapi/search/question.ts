/**
 * A question taken apart: the words and turns of phrase to look for, each with what else stands for it; what is to be
 * done; whether it is about one thing or many, and about the caller. What comes before the first preposition says what is
 * wanted, what comes after says where.
 */
import { toWords } from "../words.ts";
import { findPhrases, isVerb, meaningsOf, relatedTo, type FoundPhrase } from "./lexicon.ts";
import { known, rarityOf, type SearchIndex } from "./search-index.ts";
import {
  intentOf,
  isGenericVerb,
  isSomebody,
  meanMethods,
  methodsOf,
  type Intent,
  type Methods,
} from "./vocabulary.ts";
import { isContentWord, stem, withoutEndings } from "./words.ts";

/** A word or a turn of phrase of the question. */
export interface Term {
  /** The stems that count for it, each with its share. */
  readonly stems: ReadonlyMap<string, number>;
  readonly weight: number;
  readonly rarity: number;
  /** It says no more than a method does. */
  readonly isGeneric: boolean;
  readonly isSomebody: boolean;
  /** It comes before the first preposition. */
  readonly isHead: boolean;
}

export interface Question {
  readonly terms: readonly Term[];
  /** Something is to be done; or else something is wanted, or to be known. */
  readonly isOrder: boolean;
  /** How such an order is sent; reads for what is no order. */
  readonly methods: Methods;
  /** What is to be done: the first verb's intent, and those of all. */
  readonly intent: Intent | undefined;
  readonly intents: ReadonlySet<Intent>;
  /** Some word is a plural; the first thing named is. */
  readonly isPlural: boolean;
  readonly isHeadPlural: boolean;
  readonly isAboutCaller: boolean;
}

/** What a verb counts of a noun: what an operation does is also told by its method. */
const WEIGHTS = { verb: 0.34, somebody: 0.33, context: 0.7, part: 0.62, ofPhrase: 0.4, compressed: 0.75 } as const;
const MIN_PART = 4;
const PREPOSITIONS = new Set(
  "of in on to from under for by with into onto about between across at over off".split(" "),
);
const QUESTION = /^(?:what|which|who|whose|how|is|are|has|have|did|does|do|where|when|can|why|am|my|our|all)\b/;
/** What comes before an order. */
const LEAD_IN = /^(?:please|i|want|need|to|how|do|can|could|we|you|would|like|and|then|so|just|or|also|only)$/;
/** What follows a verb and no noun. */
const AFTER_VERB =
  /^(?:a|an|the|my|our|your|this|that|these|those|all|some|every|each|any|it|them|me|us|him|her|somebody|someone|people|everybody|everyone|another|one|more|on|to|for|in|into|with|from|as|at)$/;
/** Small words that name something in a question. */
const SAYS_WHAT = /^(?:who|where|may|let)$/;
const READS: Methods = [0.94, 0.04, 0.01, 0.01];
const UNKNOWN_ORDER: Methods = [0.2, 0.5, 0.2, 0.1];

/** The words of a question, with what has been found out about each. */
interface Words {
  readonly text: string;
  readonly words: readonly string[];
  readonly stems: readonly string[];
  readonly phrases: readonly FoundPhrase[];
  /** Whether a word says something, and is not part of a phrase. */
  isOwn(at: number): boolean;
}

/** Takes a question apart, in the light of what words there are. */
export function readQuestion(text: string, index: SearchIndex): Question {
  const words = toWords(withoutEndings(text));
  const stems = words.map(stem);
  const phrases = findPhrases(stems);
  const inPhrase = new Set(phrases.flatMap(({ at }) => at));
  const says = (word: string): boolean => isContentWord(word) || SAYS_WHAT.test(word);
  const isOwn = (at: number): boolean => says(words[at] ?? "") && !inPhrase.has(at);
  const question: Words = { text, words, stems, phrases, isOwn };
  const order = readOrder(question);
  const intents: readonly Intent[] = order.isOrder ? intentsIn(question) : [];
  const firstThing = words.findIndex((_, at) => isOwn(at) && !isVerb(stems[at] ?? ""));
  return {
    ...order,
    terms: toTerms(question, index),
    intent: intents[0],
    intents: new Set(intents),
    isPlural: words.some((word) => isContentWord(word) && isPlural(word)),
    isHeadPlural: isPlural(words[firstThing] ?? ""),
    isAboutCaller: words.some((word) => /^(?:my|me|i|mine|myself)$/.test(word)),
  };
}

function toTerms({ words, stems, phrases, isOwn }: Words, index: SearchIndex): Term[] {
  const inPhrase = new Set(phrases.flatMap(({ at }) => at));
  const cut = words.findIndex((word, at) => at > 0 && !inPhrase.has(at) && PREPOSITIONS.has(word));
  const isHead = (at: number): boolean => cut < 0 || at < cut;
  const own = words.flatMap((_, at) => {
    const word = stems[at] ?? "";
    return isOwn(at) && stems.indexOf(word) === at ? [toTerm(word, index, isHead(at))] : [];
  });
  const turns = phrases.map(({ at, targets }) => {
    const things = [...targets].filter((target) => !isGenericVerb(target));
    const own = at.filter((place) => isContentWord(words[place] ?? "")).map((place) => stems[place] ?? "");
    const stands = new Map<string, number>(own.map((word) => [word, WEIGHTS.ofPhrase]));
    for (const target of things.length > 0 ? things : targets) stands.set(target, 1);
    const found = new Map([...stands].filter(([word]) => known(index, word)));
    const isIntent = [...targets].every((target) => intentOf(target) !== undefined);
    return weigh(found, index, isHead(at[0] ?? 0), isIntent);
  });
  const joined = words.slice(1).flatMap((word, at) => {
    const both = stem(`${words[at] ?? ""}${word}`);
    return known(index, both) && !stems.includes(both) ? [weigh(new Map([[both, 1]]), index, isHead(at), false)] : [];
  });
  return [...own, ...turns, ...joined];
}

function toTerm(word: string, index: SearchIndex, isHead: boolean): Term {
  const stems = new Map([...relatedTo(word)].filter(([other]) => known(index, other)));
  stems.set(word, 1);
  if (!known(index, word) && word.length >= MIN_PART) {
    for (const other of Object.keys(index.postings)) {
      const isPart = other.startsWith(word) || (other.length >= MIN_PART && word.startsWith(other));
      if (isPart && !stems.has(other)) stems.set(other, WEIGHTS.part);
    }
  }
  return weigh(stems, index, isHead, isGenericVerb(word), word);
}

function weigh(
  stems: ReadonlyMap<string, number>,
  index: SearchIndex,
  isHead: boolean,
  isGeneric: boolean,
  word?: string,
): Term {
  // A word that the document has is as rare as it is; what else stands for it makes it no rarer.
  const own = word === undefined ? 0 : rarityOf(index, word);
  const rarity = own > 0 ? own : Math.max(0, ...[...stems].map(([other, share]) => rarityOf(index, other) * share));
  const isWhoever = word !== undefined && isSomebody(word);
  const kind = isGeneric ? WEIGHTS.verb : isWhoever ? WEIGHTS.somebody : 1;
  const weight = kind * (isHead ? 1 : WEIGHTS.context);
  return { stems, weight, rarity: rarity ** WEIGHTS.compressed, isGeneric, isSomebody: isWhoever, isHead };
}

/** Each clause may begin with an order; how all of them together are sent. */
function readOrder(question: Words): Pick<Question, "isOrder" | "methods"> {
  const { text, words, stems, phrases } = question;
  let hasOrder = false;
  const verbs: string[] = [];
  let next = 0;
  for (const clause of text.split(/[,;:.]/)) {
    const start = next;
    next += toWords(withoutEndings(clause)).length;
    const isQuestion = start === 0 && QUESTION.test(words.join(" "));
    let at = start;
    while (LEAD_IN.test(words[at] ?? "") && !phrases.some((phrase) => phrase.at.includes(at))) at += 1;
    if ((isQuestion && at === start) || at >= words.length) continue;
    const phrase = phrases.find((each) => each.at[0] === at);
    const meant = [...(phrase?.targets ?? [])].filter(isVerb);
    const word = stems[at] ?? "";
    if (meant.length > 0) verbs.push(...meant);
    else if (isOrder(question, at)) {
      const own = isVerb(word) && methodsOf(word) !== undefined;
      verbs.push(...(own ? [word] : [...meaningsOf(word)].filter(isVerb)));
    } else continue;
    hasOrder = true;
  }
  const methods = meanMethods(verbs);
  return { isOrder: hasOrder, methods: methods ?? (hasOrder ? UNKNOWN_ORDER : READS) };
}

/** Whether a word at the beginning of a clause is a verb: `comment on a file` and not `comments on a file`. */
function isOrder({ words, stems }: Words, at: number): boolean {
  const next = words[at + 1] ?? "";
  return !isPlural(words[at] ?? "") && next !== "of" && (isVerb(stems[at] ?? "") || AFTER_VERB.test(next));
}

/** What all verbs of a question tell, in their order; turns of phrase first. */
function intentsIn({ words, stems, phrases, isOwn }: Words): Intent[] {
  const turns = phrases.flatMap(({ targets }) => [...targets].flatMap((target) => intentOf(target) ?? []).slice(0, 1));
  const own = words.flatMap((word, at) => {
    const verb = stems[at] ?? "";
    if (!isOwn(at) || isPlural(word)) return [];
    const meant = isVerb(verb) ? [...meaningsOf(verb)].flatMap((target) => intentOf(target) ?? []) : [];
    return intentOf(verb) ?? meant.find((intent) => intent !== "read") ?? [];
  });
  return [...turns, ...own];
}

function isPlural(word: string): boolean {
  return /[^su]s$/.test(word) && !/^(?:status|access|address|process|alias|https?|dns|its)$/.test(word);
}

/**
 * A question taken apart: the words to look for, each with what else stands for it; what is to be done; whether it is
 * about one thing or many, and about the caller. What comes before the first preposition says what is wanted, what
 * comes after says where.
 */
import { known, rarityOf, type SearchIndex } from "./search-index.ts";
import { intentOf, isGenericVerb, isSomebody, phraseWords, relatedTo, type Intent } from "./vocabulary.ts";
import { contentWords, stem, toStems } from "./words.ts";

/** A word of the question. */
export interface Term {
  readonly word: string;
  /** The stems that count for it, each with its share. */
  readonly stems: ReadonlyMap<string, number>;
  readonly weight: number;
  readonly rarity: number;
  readonly isVerb: boolean;
}

export interface Question {
  readonly terms: readonly Term[];
  /** What is to be done: the first verb's intent, and those of all. */
  readonly intent: Intent | undefined;
  readonly intents: ReadonlySet<Intent>;
  readonly isPlural: boolean;
  readonly isAboutCaller: boolean;
}

/** What a verb counts of a noun: what an operation does is also told by its method. */
const WEIGHTS = {
  verb: 0.34,
  somebody: 0.33,
  phrase: 0.9,
  context: 0.7,
  part: 0.62,
  joined: 1.0,
  compressed: 0.75,
} as const;
const MIN_PART = 4;
const PREPOSITION = /\b(?:of|in|on|to|from|under|for|by|with|into|onto|about|between|across|at|over)\b/;
const QUESTION = /^(?:what|which|who|whose|how|is|are|has|have|did|does|do|where|when|can)\b/i;

/** Takes a question apart, in the light of what words there are. */
export function readQuestion(text: string, index: SearchIndex): Question {
  const cut = text.slice(1).search(PREPOSITION) + 1;
  const head = new Set(toStems(cut > 0 ? text.slice(0, cut) : text));
  const words = contentWords(text);
  const stems = words.map(stem);
  const phrases = toStems(phraseWords(text)).filter((word) => !stems.includes(word));
  const joined = words.slice(1).map((word, i) => stem(`${words[i] ?? ""}${word}`));
  const terms = [
    ...[...new Set(stems)].map((word) => toTerm(word, index, head.has(word) ? 1 : WEIGHTS.context)),
    ...[...new Set(phrases)].map((word) => toTerm(word, index, WEIGHTS.phrase)),
    ...[...new Set(joined)].filter((word) => known(index, word)).map((word) => toTerm(word, index, WEIGHTS.joined)),
  ];
  const isQuestion = QUESTION.test(text.trim());
  // `comments on a file` names things; `comment on a file` is an order.
  const orders = words.filter((word) => !isPlural(word)).map(stem);
  const found = [...orders, ...phrases].flatMap((word) => intentOf(word) ?? []);
  const [first] = isQuestion
    ? (["read"] as const)
    : phrases.length > 0
      ? [...phrases.flatMap((word) => intentOf(word) ?? []), ...found]
      : found;
  return {
    terms,
    intent: first,
    intents: new Set([...(first === undefined ? [] : [first]), ...found]),
    isPlural: words.some(isPlural),
    isAboutCaller: /\b(?:my|me|i|mine|myself)\b/i.test(text),
  };
}

function toTerm(word: string, index: SearchIndex, weight: number): Term {
  const stems = new Map<string, number>([[word, 1]]);
  for (const [other, share] of relatedTo(word)) if (known(index, other)) stems.set(other, share);
  if (!known(index, word) && word.length >= MIN_PART) {
    for (const other of Object.keys(index.postings)) {
      const isPart = other.startsWith(word) || (other.length >= MIN_PART && word.startsWith(other));
      if (isPart && !stems.has(other)) stems.set(other, WEIGHTS.part);
    }
  }
  const isVerb = isGenericVerb(word);
  const own = rarityOf(index, word);
  const others = [...stems].map(([other, share]) => rarityOf(index, other) * share);
  // A word that the document has is as rare as it is; its synonyms are no rarer.
  const rarity = own > 0 ? own : Math.max(0, ...others);
  return {
    word,
    stems,
    weight: weight * (isVerb ? WEIGHTS.verb : isSomebody(word) ? WEIGHTS.somebody : 1),
    rarity: rarity ** WEIGHTS.compressed,
    isVerb,
  };
}

function isPlural(word: string): boolean {
  return /[^su]s$/.test(word) && !/^(?:status|access|address|process|alias|https?|dns|its)$/.test(word);
}

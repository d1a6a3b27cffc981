/**
 * Text to the words that are compared: what says nothing is left out, one form stands for all forms of a word (Porter's
 * stems), and spellings that differ only in case, hyphens or marks are the same.
 */
import { stemmer } from "stemmer";

import { toWords } from "../words.ts";

/** Words that say nothing about an operation. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    "a an and any are as at be been but by can could did do does doing done for from had has have he her hers him his how i if in " +
    "into is it its let lets may me mine must my of on onto or our ours please s shall she should so some such than that the " +
    "their them then there these they this those to us via want was we were what when where which who whom whose why will " +
    "with would you your yours api endpoint operation exist exists existing myself"
  ).split(" "),
);

/** Irregular forms, and words whose stems would part what belongs together or join what does not. */
const FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    people: "person",
    persons: "person",
    children: "child",
    data: "data",
    media: "media",
    news: "news",
    sent: "send",
    made: "make",
    wrote: "write",
    written: "write",
    said: "say",
    paid: "pay",
    bought: "buy",
    sold: "sell",
    found: "find",
    held: "hold",
    kept: "keep",
    ran: "run",
    spent: "spend",
    taken: "take",
    left: "leave",
    indices: "index",
    indexes: "index",
    statuses: "status",
    aliases: "alias",
    addresses: "address",
    address: "address",
    access: "access",
    process: "process",
    organisation: "organ",
    organization: "organ",
    organizations: "organ",
    organisations: "organ",
    general: "general",
    generate: "generat",
    universe: "univers",
    international: "internat",
  }),
);

/** Stems that were worked out: a search meets the same few thousand words again and again. */
const stems = new Map<string, string>();
const MAX_STEMS = 20_000;

/** One form for all forms of a word. */
export function stem(word: string): string {
  const known = stems.get(word);
  if (known !== undefined) return known;
  const found = workOut(word);
  if (stems.size >= MAX_STEMS) stems.clear();
  stems.set(word, found);
  return found;
}

function workOut(word: string): string {
  return FORMS.get(word) ?? (word.length > 3 ? stemmer(word) : word.replace(/^(\w\w)s$/, "$1"));
}

/** A text without possessives, and with its negations written out. */
export function withoutEndings(text: string): string {
  return text.replace(/['’]s\b/g, "").replace(/n['’]t\b/g, " not");
}

/** Whether a word says something about an operation. */
export function isContentWord(word: string): boolean {
  return !STOP_WORDS.has(word);
}

/** The words of a text that say something, as they are written. */
function contentWords(text: string): string[] {
  return toWords(withoutEndings(text)).filter(isContentWord);
}

/** The stems of a text's words, in order, repeated as often as they occur. */
export function toStems(text: string): string[] {
  return contentWords(text).map(stem);
}

/**
 * General vocabulary of APIs and of people who use them: which words are used for one another, what abbreviations stand
 * for, and which words tell a read from a write. Nothing here belongs to one API.
 */
import { ABBREVIATIONS, PHRASES, SYNONYMS } from "./synonyms.ts";
import { stem } from "./words.ts";

/** What a request does, as words tell it. `write`: something other than reading; the word itself says what. */
export type Intent = "read" | "create" | "update" | "delete" | "write";

/** Verbs that say no more than the method of a request does. */
const GENERIC_VERBS: Readonly<Record<Exclude<Intent, "write">, string>> = {
  read: "get show list read view see fetch retrieve look display give find tell know check",
  create: "create add new make put insert",
  update: "update change edit modify set alter adjust",
  delete: "delete remove destroy erase drop discard",
};

/** Verbs that say more, with what they are likely to be sent as. */
const VERBS: Readonly<Record<Intent, string>> = {
  read: "search query browse count history recent latest last download export compare diff inspect describe",
  create: "register upload open post send issue report fork comment reply start import launch",
  update: "rename replace move mark overwrite complete finish close upgrade lock restore resize",
  delete: "revoke purge wipe clear unfollow unstar forget uninstall unassign throw",
  write:
    "write publish submit invite attach share sign schedule approve merge assign enable disable turn protect pause stop kick detach " +
    "leave cancel abort play skip follow star like save react pin mute archive reboot restart run trigger deploy redeploy retry rerun " +
    "transfer hand collect capture charge refund pay block issue email mail log join transfer copy duplicate verify attach dismiss " +
    "void finalize promote rollback revert convert sync subscribe unsubscribe bring take",
};

/** How much a synonym counts of the word itself. */
const SYNONYM_SHARE = 0.7;
const ABBREVIATION_SHARE = 0.95;

const related = buildRelated();
const generic = new Map(listIntents(GENERIC_VERBS));
const intents = new Map([...listIntents(VERBS).toReversed(), ...generic]);

function listIntents(table: Readonly<Partial<Record<Intent, string>>>): [string, Intent][] {
  return (Object.entries(table) as [Intent, string][]).flatMap(([intent, words]) =>
    words.split(" ").map((word): [string, Intent] => [stem(word), intent]),
  );
}

function buildRelated(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const table = new Map<string, Map<string, number>>();
  const relate = (from: string, to: string, share: number): void => {
    const words = table.get(from) ?? new Map<string, number>();
    words.set(to, Math.max(words.get(to) ?? 0, share));
    table.set(from, words);
  };
  for (const line of SYNONYMS.trim().split("\n")) {
    const words = line.split(" ").map(stem);
    for (const from of words) for (const to of words) if (from !== to) relate(from, to, SYNONYM_SHARE);
  }
  for (const [short, long] of Object.entries(ABBREVIATIONS)) {
    for (const word of long.split(" ").map(stem)) {
      relate(stem(short), word, ABBREVIATION_SHARE);
      relate(word, stem(short), ABBREVIATION_SHARE);
    }
  }
  return table;
}

/** Words that a stem may stand for, each with the share of it that it counts. */
export function relatedTo(word: string): ReadonlyMap<string, number> {
  return related.get(word) ?? NONE;
}
const NONE: ReadonlyMap<string, number> = new Map();

/** What a stem tells of the wanted operation, if anything. */
export function intentOf(word: string): Intent | undefined {
  return intents.get(word);
}

/** Whether a stem says nothing that the method of a request does not say too. */
export function isGenericVerb(word: string): boolean {
  return generic.has(word);
}

/** Whether a stem only says that there is somebody. */
export function isSomebody(word: string): boolean {
  return SOMEBODY.has(word);
}
const SOMEBODY = new Set(
  "person somebody someone anybody anyone everybody everyone something anything everything thing".split(" ").map(stem),
);

/** The words of phrases in a question, to be looked for beside its own. */
export function phraseWords(question: string): string {
  const text = question.toLowerCase();
  return PHRASES.filter(([pattern]) => pattern.test(text))
    .map(([, words]) => words)
    .join(" ");
}

/**
 * What verbs tell of a request: what it does, and how it is likely to be sent. Nothing here belongs to one API.
 */
import { METHODS } from "./methods.ts";
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

const generic = new Map(listIntents(GENERIC_VERBS));
const intents = new Map([...listIntents(VERBS).toReversed(), ...generic]);

function listIntents(table: Readonly<Partial<Record<Intent, string>>>): [string, Intent][] {
  return (Object.entries(table) as [Intent, string][]).flatMap(([intent, words]) =>
    words.split(" ").map((word): [string, Intent] => [stem(word), intent]),
  );
}

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

/** Shares of GET, POST, PUT or PATCH, and DELETE. They add up to 1. */
export type Methods = readonly [number, number, number, number];

const methods = new Map(
  METHODS.trim()
    .split("\n")
    .map((line): [string, Methods] => {
      const [verb = "", ...percents] = line.split(" ");
      const [get = 0, post = 0, put = 0, remove = 0] = percents.map((percent) => Number(percent) / 100);
      return [verb, [get, post, put, remove]];
    }),
);

/** How a verb is sent; undefined when that is not known. */
export function methodsOf(verb: string): Methods | undefined {
  return methods.get(verb);
}

/** How several verbs are sent on average; undefined when that is known of none. */
export function meanMethods(verbs: readonly string[]): Methods | undefined {
  const known = verbs.flatMap((verb) => [methodsOf(verb) ?? []].filter((each) => each.length === 4));
  if (known.length === 0) return undefined;
  const mean = (at: 0 | 1 | 2 | 3): number => known.reduce((sum, each) => sum + each[at], 0) / known.length;
  return [mean(0), mean(1), mean(2), mean(3)];
}

/** The place of a method in `Methods`. */
export function placeOfMethod(method: string): 0 | 1 | 2 | 3 {
  if (method === "GET" || method === "HEAD" || method === "QUERY") return 0;
  return method === "PUT" || method === "PATCH" ? 2 : method === "DELETE" ? 3 : 1;
}

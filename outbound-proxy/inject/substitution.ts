/**
 * The substitutions of one request. A name is found where a whole run of identifier characters equals it, so no name
 * is found inside another and inserted values are never looked at again. Each name goes in once; a second time is a
 * denial. What stays behind is recorded with its reason.
 */
import type { Credential } from "../../src/contract/config.ts";
import type { Denial } from "../denial.ts";
import type { Reading } from "./readings.ts";
import { checkValue } from "./values.ts";

/** A credential of an API whose rules cover the request, with its value when one is set. */
export interface InjectableCredential {
  readonly credential: Credential;
  readonly value: string | undefined;
}

/**
 * A name that went out as it stands. `place`: its credential is not open here; `other_api`: it belongs to an API that
 * this request does not go to; `unset`: it has no value; `encoded`: it is written in escapes.
 */
export interface LeftName {
  readonly name: string;
  readonly place: string;
  readonly reason: "place" | "other_api" | "unset" | "encoded";
}

/** Left names beyond this many are not recorded: the code writes the keys that make up their places. */
const MAX_LEFT = 16;

/** What may be a credential's name: a whole run of identifier characters, in capitals. */
const NAME = /(?<![A-Za-z0-9_])[A-Z][A-Z0-9_]+(?![A-Za-z0-9_])/g;

/** The same, or directly behind a lower-case letter. */
const LED_NAME = /(?<![A-Z0-9_])[A-Z][A-Z0-9_]+(?![A-Za-z0-9_])/g;

interface Known {
  readonly places: ReadonlySet<string>;
  readonly value: string | undefined;
}

/** How one place is written. */
export interface PlaceRules {
  /** As in a credential's `in`: `header:x-key`, `query:key`, `path`, `body:field`. */
  readonly place: string;
  readonly encode: (value: string) => string;
  /** Whether the default place `header` opens the name that stands at these positions of the text. */
  readonly opensByDefault?: (start: number, end: number) => boolean;
  /** Whether a lower-case letter may stand directly before a name: Telegram's `/botNAME/`. */
  readonly allowsLead?: boolean;
}

export class Substitution {
  readonly injected: string[] = [];
  /** The first thing for which the request must not leave. */
  denial: Denial | null = null;
  readonly #own = new Map<string, Known>();
  readonly #foreignNames: readonly string[];
  #foreign: ReadonlySet<string> | null = null;
  readonly #left = new Map<string, LeftName>();

  constructor(own: readonly InjectableCredential[], foreignNames: readonly string[]) {
    for (const { credential, value } of own) {
      const places = [...credential.in, ...(this.#own.get(credential.name)?.places ?? [])].map(normalisePlace);
      this.#own.set(credential.name, { places: new Set(places), value });
    }
    this.#foreignNames = foreignNames;
  }

  get left(): readonly LeftName[] {
    return [...this.#left.values()];
  }

  /** The own credentials' places that start with `prefix`. */
  hasPlaces(prefix: string): boolean {
    return [...this.#own.values()].some(({ places }) => [...places].some((place) => place.startsWith(prefix)));
  }

  /** Whether a text may hold a name, plain or behind an escape such as `\\n`. */
  mayMention(text: string): boolean {
    for (const [name] of text.matchAll(LED_NAME)) if (this.#own.has(name) || this.#isForeign(name)) return true;
    return false;
  }

  /** Replaces the names in a text that may be replaced there, in one pass, and returns its raw form. */
  replace(reading: Reading, rules: PlaceRules): string {
    const { raw, text } = reading;
    let result = "";
    let done = 0;
    for (const match of text.matchAll(rules.allowsLead === true ? LED_NAME : NAME)) {
      const [name] = match;
      const known = this.#own.get(name);
      if (known === undefined) {
        if (this.#isForeign(name)) this.#leave(name, rules.place, "other_api");
        continue;
      }
      const start = match.index;
      const end = start + name.length;
      const isOpen =
        known.places.has(rules.place) || (known.places.has("header") && rules.opensByDefault?.(start, end) === true);
      const [rawStart, rawEnd] = [reading.toRaw(start), reading.toRaw(end)];
      if (!isOpen) this.#leave(name, rules.place, "place");
      else if (known.value === undefined) this.#leave(name, rules.place, "unset");
      else if (raw.slice(rawStart, rawEnd) !== name) this.#leave(name, rules.place, "encoded");
      else if (!this.#admit(name, known.value, rules.place)) break;
      else {
        result += raw.slice(done, rawStart) + rules.encode(known.value);
        done = rawEnd;
      }
    }
    return done === 0 ? raw : result + raw.slice(done);
  }

  /** Notes that a value goes in, or why the request must not leave. */
  #admit(name: string, value: string, place: string): boolean {
    const reason = checkValue(value, [place]);
    if (reason !== null) this.denial ??= { code: "credential_unusable", name, place, reason };
    if (this.injected.includes(name)) this.denial ??= { code: "credential_repeated", name };
    if (this.denial !== null) return false;
    this.injected.push(name);
    return true;
  }

  #isForeign(name: string): boolean {
    this.#foreign ??= new Set(this.#foreignNames);
    return this.#foreign.has(name);
  }

  #leave(name: string, place: string, reason: LeftName["reason"]): void {
    if (this.#left.size < MAX_LEFT) this.#left.set(`${name} ${place} ${reason}`, { name, place, reason });
  }
}

function normalisePlace(place: string): string {
  return place.startsWith("header:") ? place.toLowerCase() : place;
}

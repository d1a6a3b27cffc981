/**
 * The values of credentials, out of a Worker's variables: one variable per credential, or a JSON map of several in
 * `SECRETS` and `SECRETS_<anything>`, since a Worker takes few variables. Problems name variables and credentials and
 * never show what was found there.
 */
import { z } from "zod";

import { CredentialName } from "./names.ts";

/** What the variables hold: the usable values, and what could not be used and why. */
export interface CollectedSecrets {
  readonly values: Map<string, string>;
  readonly problems: string[];
}

/** Values shorter than this are sent, but not looked for in responses: they would match ordinary text. */
export const MIN_SCRUBBED_LENGTH = 8;

const SecretMap = z.record(z.string(), z.unknown());

/** Whether a variable of this name holds a JSON map of values. */
export function isSecretMapName(name: string): boolean {
  return name === "SECRETS" || name.startsWith("SECRETS_");
}

/**
 * Collects every value by its credential's name. Bindings and the server's own variables are passed over, and an empty
 * text counts as not set. A name with two different values is a problem and gets neither: which one is meant cannot be
 * known, and only what is known here can be kept out of responses.
 */
export function collectSecrets(env: Readonly<Record<string, unknown>>): CollectedSecrets {
  const found = new Map<string, { value: string; source: string }>();
  const contradicted = new Set<string>();
  const problems: string[] = [];
  const add = (name: string, value: string, source: string): void => {
    const earlier = found.get(name);
    if (value === "" || earlier?.value === value) return;
    if (earlier === undefined) found.set(name, { value, source });
    else {
      contradicted.add(name);
      problems.push(`${name} has different values in ${earlier.source} and ${source}; remove one, neither is used`);
    }
  };
  for (const [name, value] of Object.entries(env)) {
    if (typeof value !== "string") continue;
    if (CredentialName.safeParse(name).success) add(name, value, "a variable of its own");
    else if (isSecretMapName(name) && value !== "") {
      const map = parseSecretMap(name, value);
      for (const [member, text] of map.values) add(member, text, name);
      problems.push(...map.problems);
    }
  }
  const usable = [...found].filter(([name]) => !contradicted.has(name));
  return { values: new Map(usable.map(([name, { value }]) => [name, value])), problems };
}

/** Reads one `SECRETS` variable; `variable` is its name, for the problems. */
export function parseSecretMap(variable: string, text: string): CollectedSecrets {
  const values = new Map<string, string>();
  const problems: string[] = [];
  const map = SecretMap.safeParse(parseJsonOrNothing(text));
  if (!map.success) return { values, problems: [`${variable} is not a JSON object; write {"NAME": "value"}`] };
  for (const [index, [name, value]] of Object.entries(map.data).entries()) {
    if (!CredentialName.safeParse(name).success) {
      problems.push(`${variable}: the key of member ${index + 1} is not a credential's name, or is reserved`);
    } else if (typeof value !== "string") problems.push(`${variable}: ${name} is not a text; put it in quotes`);
    else values.set(name, value);
  }
  return { values, problems };
}

function parseJsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

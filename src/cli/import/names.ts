/**
 * The names that credentials have here: made valid, and told apart where two APIs of the container edition had one name
 * for two values. A name that two APIs share with one value stays one, and both say `shared`.
 */
import { CredentialName } from "../../contract/names.ts";
import type { SourceApi } from "./read.ts";

/** A credential of one API, on its way. */
export interface NamedCredential {
  readonly api: string;
  readonly old: string;
  readonly name: string;
  readonly value: string;
  readonly shared: boolean;
}

export interface Naming {
  readonly credentials: readonly NamedCredential[];
  /** One line for each name that is another one now, or that could not be carried. */
  readonly renamed: readonly string[];
  readonly left: readonly string[];
}

/** Names every credential of every API. */
export function nameCredentials(apis: readonly SourceApi[]): Naming {
  const credentials: NamedCredential[] = [];
  const renamed: string[] = [];
  const left: string[] = [];
  const valuesOf = (old: string): Set<string> =>
    new Set(apis.map((api) => api.credentials.get(old) ?? "").filter((value) => value !== ""));
  const owners = (old: string): number => apis.filter((api) => api.credentials.has(old)).length;
  const taken = new Map<string, string>();
  for (const api of apis) {
    for (const [index, [old, value]] of [...api.credentials].entries()) {
      const isTwice = valuesOf(old).size > 1;
      const wanted = toName(isTwice ? `${api.name}_${old}` : old);
      const name = CredentialName.safeParse(wanted).success ? wanted : toName(`${api.name}_${old}`);
      const owner = isTwice ? `${api.name}/${old}` : old;
      const isTaken = (taken.get(name) ?? owner) !== owner;
      if (!CredentialName.safeParse(name).success || isTaken || looksLikeValue(old)) {
        // It is not shown: a value may stand where the name belongs.
        left.push(
          `apis/${api.name}: credential ${index + 1} has a name that cannot be made into one here; add it by hand`,
        );
        continue;
      }
      taken.set(name, owner);
      if (name !== old) {
        const why = isTwice ? "it has another value in another API" : "names are capitals, digits and _ here";
        renamed.push(`apis/${api.name}: ${old} is ${name} now: ${why}`);
      }
      credentials.push({ api: api.name, old, name, value, shared: owners(old) > 1 && !isTwice });
    }
  }
  return { credentials, renamed, left };
}

function toName(text: string): string {
  return text
    .toUpperCase()
    .replaceAll(/[^A-Z0-9_]+/g, "_")
    .replace(/^[^A-Z]+/, "");
}

/** Long, mixed and without a break: such a "name" is a value that was put in the wrong place. */
function looksLikeValue(name: string): boolean {
  return name.length > 24 && /[a-z]/.test(name) && /[A-Z0-9]/.test(name) && !/[_-]/.test(name);
}

/**
 * Security requirements (rule M11) to placeholders. Alternatives are read in order, the first usable one is taken; what
 * is written into a request is a credential's name, never a value, and it is never an argument.
 */
import { isReservedName } from "../contract/names.ts";
import type { CredentialNote, CredentialUse } from "./ir.ts";
import { byCodeUnit, isObject, toList, toObject, toText, type Json } from "./json.ts";
import type { Covered } from "./parameters.ts";
import type { Refs } from "./refs.ts";
import { sha256 } from "./sha256.ts";
import { Skip } from "./skip.ts";
import { toWords } from "./words.ts";

const MAX_PLACEHOLDER = 64;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** What the configuration says about credentials. */
export interface SecurityOptions {
  readonly api: string;
  /** Placeholders by security scheme, where the default names are not wanted. Basic takes two. */
  readonly credentials?: Readonly<Record<string, string | readonly [string, string]>> | undefined;
  /** The names that have a value; absent when that is not known, and then all of them count. */
  readonly secrets?: ReadonlySet<string> | undefined;
  /** A scheme to take, where an operation's alternatives have it, before the others. */
  readonly scheme?: string | undefined;
}

/** What one operation's requests carry, and the places no argument may fill. */
export interface Security {
  readonly uses: readonly CredentialUse[];
  readonly covered: readonly Covered[];
}

/** The security of a document. */
export interface SecurityReader {
  /** @throws {Skip} when no alternative can be satisfied. */
  select(operation: Json): Security;
}

/** Reads a document's security schemes once. */
export function createSecurity(root: Json, refs: Refs, options: SecurityOptions): SecurityReader {
  const schemes = readSchemes(root, refs, options);

  function select(operation: Json): Security {
    const written = Array.isArray(operation["security"]) ? operation["security"] : toList(root["security"]);
    const requirements = written.filter(isObject).map((requirement) => Object.keys(requirement));
    const used = requirements.flat().map((name) => schemes.get(name));
    const covered = used.filter((use) => use !== undefined && use.kind === "apiKey").map((use) => place(use));
    if (requirements.length === 0) return { uses: [], covered };
    const usable = requirements
      .filter((names) => names.length > 0)
      .toSorted((a, b) => Number(b.includes(options.scheme ?? "")) - Number(a.includes(options.scheme ?? "")))
      .map((names) => names.map((name) => schemes.get(name)))
      .filter((uses) => uses.every((use) => use !== undefined));
    const known = (use: CredentialUse): boolean =>
      options.secrets === undefined || use.placeholders.every((name) => options.secrets?.has(name));
    const optional = requirements.some((names) => names.length === 0);
    const chosen = usable.find((uses) => uses.every(known)) ?? (optional ? [] : usable[0]);
    if (chosen !== undefined) return { uses: onePerPlace(chosen), covered };
    const names = [...new Set(requirements.flat())].join(", ");
    throw new Skip("security_unsupported", `no supported security scheme among ${names}`);
  }

  return { select };
}

function place(use: CredentialUse | undefined): Covered {
  return { in: use?.in ?? "", name: use?.name ?? "" };
}

/** Two schemes that both want `Authorization` cannot both have it; the first one does. */
function onePerPlace(uses: readonly CredentialUse[]): CredentialUse[] {
  const byPlace = new Map<string, CredentialUse>();
  for (const use of uses) {
    const id = `${use.in} ${use.name.toLowerCase()}`;
    if (!byPlace.has(id)) byPlace.set(id, use);
  }
  return [...byPlace.values()];
}

function readSchemes(root: Json, refs: Refs, options: SecurityOptions): Map<string, CredentialUse> {
  const raw = toObject(toObject(root["components"])["securitySchemes"]);
  const stems = placeholderStems(Object.keys(raw), options.api);
  const schemes = new Map<string, CredentialUse>();
  for (const name of Object.keys(raw)) {
    let scheme: Json;
    try {
      scheme = refs.deref(raw[name]);
    } catch {
      continue;
    }
    const use = readScheme(name, scheme, stems.get(name) ?? "", options);
    if (use !== undefined) schemes.set(name, use);
  }
  return schemes;
}

function readScheme(scheme: string, raw: Json, stem: string, options: SecurityOptions): CredentialUse | undefined {
  const configured = options.credentials?.[scheme];
  const one = typeof configured === "string" ? [configured] : (configured ?? [stem]).slice(0, 1);
  const http = raw["type"] === "http" ? toText(raw["scheme"])?.toLowerCase() : undefined;
  if (raw["type"] === "apiKey") {
    const name = toText(raw["name"]) ?? "";
    const where = (["header", "query", "cookie"] as const).find((known) => known === raw["in"]);
    if (where === undefined || name === "" || (where !== "query" && !HEADER_NAME.test(name))) return undefined;
    return { scheme, kind: "apiKey", in: where, name, placeholders: one };
  }
  if (http === "basic") {
    const pair =
      typeof configured === "object"
        ? configured
        : [`${configured ?? stem}_USERNAME`, `${configured ?? stem}_PASSWORD`];
    return { scheme, kind: "basic", in: "header", name: "Authorization", placeholders: pair };
  }
  if (http === "bearer" || raw["type"] === "oauth2" || raw["type"] === "openIdConnect") {
    return { scheme, kind: "bearer", in: "header", name: "Authorization", placeholders: one };
  }
  return undefined;
}

/** `<API>_<SCHEME>` in upper snake case; where two schemes would share one, both carry a hash. */
function placeholderStems(names: readonly string[], api: string): Map<string, string> {
  const room = MAX_PLACEHOLDER - "_USERNAME".length;
  const plain = names.map((name) => [...toWords(api), ...toWords(name)].join("_").toUpperCase());
  return new Map(
    names.map((name, i) => {
      const stem = plain[i] ?? "";
      const clear = toWords(name).length > 0 && stem.length <= room && !isReservedName(stem) && /^[A-Z]/.test(stem);
      if (clear && plain.filter((other) => other === stem).length === 1) return [name, stem];
      const base = /^[A-Z]/.test(stem) && !isReservedName(stem) ? stem : `API_${stem}`;
      return [name, `${base.slice(0, room - 7)}_${sha256(name).slice(0, 6).toUpperCase()}`];
    }),
  );
}

/** The credentials a set of operations needs, and the places `config.json` has to open for them. */
export function noteCredentials(uses: Iterable<CredentialUse>): CredentialNote[] {
  const notes = new Map<string, { scheme: string; in: Set<string> }>();
  for (const use of uses) {
    const where =
      use.in === "query" ? `query:${use.name}` : use.in === "cookie" ? "header:Cookie" : `header:${use.name}`;
    for (const name of use.placeholders) {
      const note = notes.get(name) ?? { scheme: use.scheme, in: new Set<string>() };
      note.in.add(use.name === "Authorization" ? "header" : where);
      notes.set(name, note);
    }
  }
  return [...notes]
    .map(([name, note]) => ({ name, scheme: note.scheme, in: [...note.in].toSorted(byCodeUnit) }))
    .toSorted((a, b) => byCodeUnit(a.name, b.name));
}

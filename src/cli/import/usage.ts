/**
 * What one script does with credentials: which it names, where they end up, which hosts it talks to, and the script with
 * the names that hold here. What cannot be decided is said with its line.
 */
import { environmentName, hostOf } from "./flatten.ts";
import type { NamedCredential } from "./names.ts";
import { placesOf, type Reached } from "./places.ts";
import { readScript, wordPattern, type AnyNode, type Script } from "./script.ts";

export interface Usage {
  /** The script as it is to be here. */
  readonly text: string;
  /** Places by name and API. */
  readonly places: readonly { readonly credential: NamedCredential; readonly place: string }[];
  /** APIs whose credentials or hosts it uses; null if it also talks to hosts that cannot be told. */
  readonly apis: readonly string[] | null;
  /** What a person has to look at, each with its line. */
  readonly undecided: readonly string[];
}

export interface KnownApis {
  readonly credentials: readonly NamedCredential[];
  /** The name of the API that a host belongs to, or null. */
  apiOf(host: string): string | null;
}

interface Occurrence {
  readonly old: string;
  readonly line: number;
  readonly reached: readonly Reached[];
}

/** Reads a script; null if it is neither TypeScript nor JavaScript. */
export function readUsage(source: string, known: KnownApis): Usage | null {
  const script = readScript(source);
  if (script === null) return null;
  const undecided: string[] = [];
  const places: { credential: NamedCredential; place: string }[] = [];
  const apis = new Set<string>();
  const urls = callsOf(script).map((node) => hostOf(script, node));
  for (const host of urls) {
    const api = host === null ? null : known.apiOf(host);
    if (api !== null) apis.add(api);
  }
  const occurrences = findOccurrences(script, new Set(known.credentials.map(({ old }) => old)));
  const names = occurrences.map((occurrence) => {
    const { old, line, reached } = occurrence;
    const owner = decide(occurrence, known, [...apis]);
    if (owner === null) {
      undecided.push(`line ${line}: which API's ${old} is meant cannot be told; write the name that is right`);
      return old;
    }
    apis.add(owner.api);
    if (reached.length === 0)
      undecided.push(`line ${line}: where ${owner.name} goes cannot be told; name the place in "in"`);
    for (const { place } of reached) places.push({ credential: owner, place });
    return owner.name;
  });
  const { text, isWhole } = rewrite(source, occurrences, names);
  if (!isWhole) undecided.push("names stand in comments or types too; look whether they were replaced as meant");
  return { text, places, apis: urls.includes(null) ? null : [...apis].toSorted(), undecided };
}

/** Which API's credential is meant: by the host it goes to, or because there is one that the script talks to. */
function decide({ old, reached }: Occurrence, known: KnownApis, apis: readonly string[]): NamedCredential | null {
  const candidates = known.credentials.filter((credential) => credential.old === old);
  const [only, ...others] = candidates;
  if (others.length === 0 || candidates.every(({ name }) => name === only?.name)) return only ?? null;
  const byHost = new Set(reached.flatMap(({ host }) => (host === null ? [] : (known.apiOf(host) ?? []))));
  const wanted = byHost.size > 0 ? [...byHost] : apis;
  const matching = candidates.filter(({ api }) => wanted.includes(api));
  return matching.length === 1 ? (matching[0] ?? null) : null;
}

/** Every name in the script's strings and reads of the environment, in the order of the text. */
function findOccurrences(script: Script, names: ReadonlySet<string>): Occurrence[] {
  const found: (Occurrence & { readonly at: number })[] = [];
  const add = (node: AnyNode, old: string, at: number): void => {
    const line = script.text.slice(0, at).split("\n").length;
    found.push({ old, line, at, reached: placesOf(script, node, old) });
  };
  for (const node of script.strings) {
    const raw = script.text.slice(node.start, node.end);
    const parent = script.parentOf(node);
    const start = parent !== undefined && environmentName(parent) !== null ? parent : node;
    for (const name of names) {
      for (const match of raw.matchAll(wordPattern(name))) add(start, name, node.start + match.index);
    }
  }
  for (const node of script.members) {
    const name = node["computed"] === true ? null : environmentName(node);
    if (name !== null && names.has(name)) add(node, name, node.end - name.length);
  }
  return found.toSorted((a, b) => a.at - b.at);
}

/** What is fetched: the first argument of each `fetch` and `new Request`. */
function callsOf(script: Script): unknown[] {
  return ["fetch", "Request"].flatMap((name) =>
    (script.references.get(name) ?? []).flatMap((reference) => {
      const call = script.parentOf(reference);
      return call?.["callee"] === reference ? [(call["arguments"] as AnyNode[])[0]] : [];
    }),
  );
}

/**
 * Replaces the names, the n-th of the parsed script being the n-th of the source: stripping types moves text and never
 * reorders it. Where comments or types name one as well, the two do not count the same, and all of a kind are replaced.
 */
function rewrite(
  source: string,
  occurrences: readonly Occurrence[],
  names: readonly string[],
): { text: string; isWhole: boolean } {
  let text = source;
  let isWhole = true;
  for (const old of new Set(occurrences.map((occurrence) => occurrence.old))) {
    const wanted = names.filter((_, at) => occurrences[at]?.old === old);
    const pattern = wordPattern(old);
    const count = [...text.matchAll(pattern)].length;
    const isSame = new Set(wanted).size === 1;
    if (count !== wanted.length && !isSame) {
      isWhole = false;
      continue;
    }
    let at = 0;
    text = text.replace(pattern, () => (isSame ? wanted[0] : wanted[at++]) ?? old);
  }
  return { text, isWhole };
}

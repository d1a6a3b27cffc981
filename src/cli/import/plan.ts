/**
 * What an import writes, out of what was read: configs, values, skills, and a report of everything that is another thing
 * now or could not be carried. Pure. No text of it but the values themselves holds a value.
 */
import { basename, extname } from "node:path";

import { buildCatalog } from "../../contract/catalog.ts";
import { parseConfig, type ApiConfigInput } from "../../contract/config.ts";
import { matchesDomain, parseDomain } from "../../contract/domains.ts";
import { writeManifest } from "../../skills/manifest.ts";
import { SkillName } from "../../skills/names.ts";
import { nameCredentials, type NamedCredential } from "./names.ts";
import type { Source, SourceApi, SourceScript } from "./read.ts";
import { readUsage, type Usage } from "./usage.ts";

export interface PlannedSkill {
  readonly name: string;
  readonly manifest: string;
  readonly main: string;
}

export interface ImportPlan {
  readonly apis: readonly { readonly name: string; readonly config: ApiConfigInput }[];
  readonly skills: readonly PlannedSkill[];
  /** Values by name: credentials, and the server's variables out of `.env`. */
  readonly values: ReadonlyMap<string, string>;
  /** What is different now. */
  readonly changed: readonly string[];
  /** What a person has to decide. */
  readonly undecided: readonly string[];
  /** What is not carried over. */
  readonly left: readonly string[];
}

/** The variables of the container edition that there are here as well. */
const VARIABLES = ["YOLO_MODE", "USER_AGENT", "DEBUG_MODE", "REDACTING_STRINGS"];

/** Values shorter than this are not looked for in scripts: they would be found everywhere. */
const MIN_VALUE_LENGTH = 8;

/** Plans the import of a folder. */
export function planImport(source: Source): ImportPlan {
  const changed: string[] = [];
  const undecided: string[] = [];
  const left = [...source.left];
  const naming = nameCredentials(source.apis);
  changed.push(...naming.renamed);
  left.push(...naming.left);

  const domains = new Map(source.apis.map((api) => [api.name, readDomains(api, left)]));
  const known = { credentials: naming.credentials, apiOf: (host: string) => apiOf(domains, host) };
  const usages = source.scripts.map((script) => {
    const text = withoutValues(script, naming.credentials, changed);
    const usage = readUsage(text, known);
    if (usage === null) left.push(`skills/${script.file}: it is neither TypeScript nor JavaScript that can be read`);
    return { script, usage };
  });
  for (const { script, usage } of usages) {
    for (const line of usage?.undecided ?? []) undecided.push(`skills/${script.file}: ${line}`);
  }

  const places = usages.flatMap(({ usage }) => usage?.places ?? []);
  const apis = source.apis.flatMap((api) => {
    const config = toConfig(api, domains.get(api.name) ?? [], naming.credentials, places, changed);
    const parsed = parseConfig(config);
    const named = buildCatalog([{ name: api.name, config }]);
    if (parsed.ok && named.ok) return [{ name: api.name, config }];
    const issues = named.ok ? [] : named.issues.map(({ path, message }) => [path, message].filter(Boolean).join(": "));
    left.push(`apis/${api.name}: ${issues.join("; ")}`);
    return [];
  });
  const carried = new Set(apis.map(({ name }) => name));
  const values = new Map(
    naming.credentials.flatMap(({ api, name, value }) =>
      carried.has(api) && value !== "" ? [[name, value] as const] : [],
    ),
  );
  for (const { api, name, value } of naming.credentials) {
    if (carried.has(api) && value === "") undecided.push(`apis/${api}: ${name} has no value yet`);
  }
  for (const [name, value] of source.env) {
    if (!VARIABLES.includes(name))
      left.push(`.env: ${/^[A-Z_]{1,40}$/.test(name) ? name : "a variable"} means nothing here`);
    else if (value !== "") values.set(name, value);
  }
  const taken = new Set<string>();
  const skills = usages.flatMap(({ script, usage }) =>
    usage === null ? [] : toSkill(script, usage, { taken, changed, left }),
  );
  return { apis, skills, values, changed, undecided, left };
}

/** Domains in the form they have here; what is in none is left out. */
function readDomains({ name, config }: SourceApi, left: string[]): string[] {
  const given = Array.isArray(config["domains"]) ? config["domains"] : [config["domains"] ?? config["domain"]];
  return given.flatMap((domain: unknown): string[] => {
    const text = typeof domain === "string" ? domain.trim() : "";
    const [, scheme = "", authority = ""] = /^(?:(https?):\/\/)?([^/?#]+)/i.exec(text) ?? [];
    const isPlain = scheme.toLowerCase() === "http";
    const written = isPlain ? `http://${authority}${authority.includes(":") ? "" : ":80"}` : authority;
    if (parseDomain(written).ok) return [written];
    left.push(`apis/${name}: one of its domains cannot be written here; see docs/configuration.md`);
    return [];
  });
}

function apiOf(domains: ReadonlyMap<string, readonly string[]>, host: string): string | null {
  const urls = ["https", "http"].map((scheme) => `${scheme}://${host}/`).filter((url) => URL.canParse(url));
  for (const [api, texts] of domains) {
    const patterns = texts.map(parseDomain).flatMap((parsed) => (parsed.ok ? [parsed.pattern] : []));
    if (urls.some((url) => patterns.some((pattern) => matchesDomain(pattern, new URL(url))))) return api;
  }
  return null;
}

function toConfig(
  api: SourceApi,
  domains: readonly string[],
  credentials: readonly NamedCredential[],
  places: readonly { readonly credential: NamedCredential; readonly place: string }[],
  changed: string[],
): ApiConfigInput {
  const { description, reference, restricted_methods: restricted, active } = api.config;
  const own = credentials.filter((credential) => credential.api === api.name);
  const entries = own.map(({ name, shared }) => {
    const used = new Set(places.filter(({ credential }) => credential.name === name).map(({ place }) => place));
    const others = [...used].filter((place) => place !== "header").toSorted();
    if (others.length > 0)
      changed.push(`apis/${api.name}: ${name} is opened in ${others.join(", ")}, as the scripts use it`);
    const where = others.length === 0 ? {} : { in: used.has("header") ? ["header", ...others] : others };
    return others.length === 0 && !shared ? name : { name, ...where, ...(shared ? { shared } : {}) };
  });
  return {
    description: typeof description === "string" && description !== "" ? description : `The ${api.name} API`,
    domains: [...domains],
    credentials: entries,
    ...(typeof reference === "string" && reference !== "" ? { reference } : {}),
    ...(Array.isArray(restricted) && restricted.length > 0
      ? { restricted_methods: restricted.map(String) as never }
      : {}),
    ...(active === false ? { active } : {}),
  };
}

/** The script with values that stand in it turned into names: what it is written to is committed. */
function withoutValues(
  { file, text }: SourceScript,
  credentials: readonly NamedCredential[],
  changed: string[],
): string {
  let cleaned = text;
  for (const { old, value } of credentials) {
    if (value.length < MIN_VALUE_LENGTH || !cleaned.includes(value)) continue;
    cleaned = cleaned.replaceAll(value, old);
    changed.push(
      `skills/${file}: the value of ${old} stood in it; its name stands there now. Replace that value where it was issued`,
    );
  }
  return cleaned;
}

interface SkillContext {
  readonly taken: Set<string>;
  readonly changed: string[];
  readonly left: string[];
}

function toSkill({ file, text }: SourceScript, usage: Usage, { taken, changed, left }: SkillContext): PlannedSkill[] {
  const stem = basename(file, extname(file));
  const name = stem
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 64);
  if (!SkillName.safeParse(name).success || taken.has(name)) {
    left.push(`skills/${file}: no name for a skill can be made of it; rename the file`);
    return [];
  }
  taken.add(name);
  if (name !== stem) changed.push(`skills/${file} is the skill ${name} now`);
  const description = leadingComment(text) ?? `Imported script ${stem}.`;
  // Narrowed to the APIs it uses, where that can be told.
  const apis =
    usage.apis !== null && usage.apis.length > 0 && usage.undecided.length === 0 ? [...usage.apis] : undefined;
  return [{ name, manifest: writeManifest({ name, description, apis }), main: usage.text }];
}

/** The first sentences of the comment at the top, as one line. */
function leadingComment(text: string): string | null {
  const match = /^\s*(?:#![^\n]*\n\s*)?(?:\/\*\*?([\s\S]*?)\*\/|((?:\/\/[^\n]*\n)+))/.exec(text);
  const comment = (match?.[1] ?? match?.[2] ?? "")
    .split("\n")
    .map((line) => line.replace(/^\s*(?:\/\/|\*)?\s?/, "").trim())
    .filter((line) => line !== "" && !line.startsWith("@"))
    .join(" ")
    .trim();
  return comment === "" ? null : comment.slice(0, 1_000);
}

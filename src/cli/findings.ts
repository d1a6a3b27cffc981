/**
 * What `codeforge check` looks for in a valid catalog and the local values. Pure: it takes data, and gives findings that
 * name APIs, domains and credentials and never a value.
 */
import type { Api, Catalog } from "../contract/catalog.ts";
import { isIpLiteral, toDomainText, type DomainPattern } from "../contract/domains.ts";
import { CredentialName, isReservedName, toPreviousName } from "../contract/names.ts";
import { MIN_SCRUBBED_LENGTH } from "../contract/secrets.ts";
import { MAX_VARIABLE_BYTES, type LocalSecrets } from "./secrets.ts";
import { coversStrangers } from "./shared-hosts.ts";

/** `error`: it does not work. `warning`: it works, but probably not as meant. `note`: good to know. */
export interface Finding {
  readonly level: "error" | "warning" | "note";
  readonly message: string;
}

/** How many variables a deployed Worker takes on each of Cloudflare's plans. */
export const MAX_VARIABLES = { free: 64, paid: 128 } as const;

/** Everything worth saying about a catalog and the values for it, the worst first. */
export function findAll(catalog: Catalog, secrets: LocalSecrets): Finding[] {
  const found = [
    ...secrets.problems.map((message): Finding => ({ level: "error", message })),
    ...catalog.apis.flatMap((api) => [...domainFindings(api), ...valueFindings(api, secrets)]),
    ...limitFindings(catalog, secrets),
    ...unusedFindings(catalog, secrets),
    ...overlapFindings(catalog.apis),
  ];
  const order = ["error", "warning", "note"];
  return found.toSorted((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
}

/** The variables a deployed proxy would have: those that are set, and one for each credential still missing. */
export function countVariables(catalog: Catalog, secrets: LocalSecrets): number {
  const missing = catalog.apis.flatMap((api) => api.credentials).filter(({ name }) => !secrets.values.has(name));
  return new Set([...secrets.variables.keys(), ...missing.map(({ name }) => name)]).size;
}

function domainFindings(api: Api): Finding[] {
  const findings: Finding[] = [];
  for (const pattern of api.domains) {
    const text = toDomainText(pattern);
    if (coversStrangers(pattern)) {
      const message = `${api.name}: anyone can get a host under ${text}, and would be sent this API's credentials; name your own host`;
      findings.push({ level: "warning", message });
    }
    if (pattern.scheme === "http" && !isLoopback(pattern.host) && api.credentials.length > 0) {
      findings.push({ level: "warning", message: `${api.name}: credentials travel unencrypted to ${text}` });
    }
  }
  return findings;
}

function valueFindings(api: Api, secrets: LocalSecrets): Finding[] {
  const findings: Finding[] = [];
  for (const { name, sensitive } of api.credentials) {
    const value = secrets.values.get(name);
    if (value === undefined) {
      const message = `${api.name}: ${name} has no value; run \`npx codeforge secret set ${name}\``;
      findings.push({ level: "warning", message });
    } else if (sensitive && value.length < MIN_SCRUBBED_LENGTH) {
      const message = `${api.name}: ${name} is shorter than ${MIN_SCRUBBED_LENGTH} characters, so it is not looked for in responses; if it is no secret, say "sensitive": false`;
      findings.push({ level: "warning", message });
    }
  }
  return findings;
}

function limitFindings(catalog: Catalog, secrets: LocalSecrets): Finding[] {
  const findings: Finding[] = [];
  const advice = `put several into one variable SECRETS_1 that holds a JSON map {"NAME": "value"} of at most 5 KB`;
  const count = countVariables(catalog, secrets);
  if (count > MAX_VARIABLES.free) {
    const plan = count > MAX_VARIABLES.paid ? "any plan" : "Workers Free";
    const limit = count > MAX_VARIABLES.paid ? MAX_VARIABLES.paid : MAX_VARIABLES.free;
    const message = `${count} variables are more than a deployed Worker takes on ${plan} (${limit}); ${advice}`;
    findings.push({ level: "warning", message });
  }
  for (const [name, value] of secrets.variables) {
    if (Buffer.byteLength(value) <= MAX_VARIABLE_BYTES || !isShowable(name)) continue;
    findings.push({ level: "warning", message: `${name} is longer than the 5 KB that a deployed Worker takes` });
  }
  return findings;
}

function unusedFindings(catalog: Catalog, secrets: LocalSecrets): Finding[] {
  const names = catalog.apis.flatMap((api) => api.credentials.map(({ name }) => name));
  const used = new Set(names.flatMap((name) => [name, toPreviousName(name)]));
  const findings: Finding[] = [];
  for (const name of secrets.values.keys()) {
    if (!used.has(name)) findings.push({ level: "note", message: `${name} has a value, but no active API names it` });
  }
  const strange = [...secrets.variables.keys()].filter((name) => !isShowable(name)).length;
  // Such a name is not shown: a value pasted on a line of its own reads as one.
  if (strange > 0) {
    const message = `${strange} of the variables have names that no credential can have; they are not used`;
    findings.push({ level: "note", message });
  }
  return findings;
}

function overlapFindings(apis: readonly Api[]): Finding[] {
  const findings: Finding[] = [];
  for (const [index, api] of apis.entries()) {
    for (const other of apis.slice(index + 1)) {
      const pair = api.domains
        .flatMap((a) => other.domains.map((b) => [a, b] as const))
        .find(([a, b]) => overlaps(a, b));
      if (pair === undefined) continue;
      const [a, b] = pair.map(toDomainText);
      const hosts = a === b ? `both have ${a}` : `${a} and ${b} overlap`;
      findings.push({
        level: "note",
        message: `${api.name} and ${other.name}: ${hosts}, where the credentials of both are sent`,
      });
    }
  }
  return findings;
}

function overlaps(a: DomainPattern, b: DomainPattern): boolean {
  if (a.scheme !== b.scheme || a.port !== b.port) return false;
  if (a.host === b.host) return a.match === b.match;
  const covers = (outer: DomainPattern, inner: DomainPattern): boolean =>
    outer.match === "suffix" && inner.host.endsWith(`.${outer.host}`);
  return covers(a, b) || covers(b, a);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost") || (isIpLiteral(host) && /^(?:127\.|\[::1\]$)/.test(host));
}

function isShowable(name: string): boolean {
  return isReservedName(name) || CredentialName.safeParse(name).success;
}

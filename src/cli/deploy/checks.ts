/**
 * What has to be right before anything is uploaded. Pure: it takes data and gives sentences, each of which says what to
 * do; none holds a value.
 */
import { isPrivateHost } from "../../contract/addresses.ts";
import type { Api, Catalog } from "../../contract/catalog.ts";
import { toDomainText } from "../../contract/domains.ts";
import { MAX_VARIABLE_BYTES } from "../secrets.ts";

/** Variables and secrets that a Worker takes on the Workers Paid plan, which Worker Loaders need anyway. */
const MAX_WORKER_VARIABLES = 128;

/** What is looked at. */
export interface CheckInput {
  readonly catalog: Catalog;
  /** Names that the proxy will have: settings, secrets and `SECRETS` maps, those on the account included. */
  readonly proxyVariables: readonly string[];
  /** What is to be uploaded with it. */
  readonly values: Readonly<Record<string, string>>;
  /** The proxy's settings as they will be. */
  readonly settings: Readonly<Record<string, string>>;
  readonly allowDebug: boolean;
  /** Whether `ADMIN_TOKEN` is on the account or given. */
  readonly isAuthenticated: boolean;
}

/** Everything that stands in the way. Nothing is deployed as long as there is anything. */
export function findObstacles(input: CheckInput): string[] {
  return [
    ...input.catalog.apis.flatMap(privateDomains),
    ...variableLimits(input),
    ...(input.isAuthenticated
      ? []
      : ["no authentication is set: give ADMIN_TOKEN in the environment or in the --secrets file"]),
    ...(isOn(input.settings["DEBUG_MODE"]) && !input.allowDebug
      ? ["DEBUG_MODE is on, which logs payloads and code; turn it off, or say --allow-debug"]
      : []),
  ];
}

function isOn(text: string | undefined): boolean {
  return /^(?:true|1)$/i.test(text?.trim() ?? "");
}

function variableLimits({ proxyVariables, values }: CheckInput): string[] {
  const count = new Set(proxyVariables).size;
  const advice = 'several fit into one secret SECRETS_1 that holds a JSON map {"NAME": "value"}';
  const tooMany =
    count > MAX_WORKER_VARIABLES
      ? [`the proxy would have ${count} variables, and a Worker takes ${MAX_WORKER_VARIABLES}; ${advice}`]
      : [];
  const tooLong = Object.entries(values)
    .filter(([, value]) => Buffer.byteLength(value) > MAX_VARIABLE_BYTES)
    .map(([name]) => `${name} is longer than the 5 KB that a Worker takes; split it`);
  return [...tooMany, ...tooLong];
}

function privateDomains(api: Api): string[] {
  const texts = api.domains.filter(({ host }) => isPrivateHost(host)).map(toDomainText);
  if (texts.length === 0) return [];
  return [
    `${api.name}: Cloudflare cannot reach ${texts.join(", ")}. Give it a public name through a Cloudflare Tunnel, ` +
      `reach it privately through Workers VPC, or protect a public one with mTLS (docs/deployment.md has all three); ` +
      `or set "active": false in apis/${api.name}/config.json`,
  ];
}

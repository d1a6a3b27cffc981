/**
 * Everything that stays the same while this Worker's version runs: the catalog, the settings, the values. Built once
 * per isolate, synchronously, and immutable from then on; nothing of a run is ever kept here.
 */
import catalogText from "../dist/catalog.txt";

import { Catalog, type Api } from "../src/contract/catalog.ts";
import { toPreviousName } from "../src/contract/names.ts";
import type { RunPolicy } from "../src/contract/run.ts";
import { collectSecrets, MIN_SCRUBBED_LENGTH } from "../src/contract/secrets.ts";
import type { CredentialState, ProxyDescription } from "../src/contract/services.ts";
import type { Env } from "./env.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import type { SecretValue } from "./sanitize/scrubber.ts";
import { readSettings, type Settings } from "./settings.ts";

export interface ProxyState {
  readonly catalog: Catalog;
  readonly settings: Settings;
  readonly redactor: Redactor | null;
  readonly description: Omit<ProxyDescription, "disabled" | "version">;
  /** A credential's value, or undefined when it is not set. */
  valueOf(name: string): string | undefined;
  /** Names of the credentials of the APIs that a run may reach. */
  reachableNames(policy: RunPolicy): string[];
  /**
   * What has to be turned back into names in every response: the values of all APIs, whichever a run names, for what one
   * host was sent may be stored at another. While a value is being rotated, the previous one as well (`NAME_PREVIOUS`),
   * which is never sent.
   */
  readonly scrubbed: readonly SecretValue[];
}

const states = new WeakMap<Env, ProxyState>();

/** The state of this isolate. */
export function loadState(env: Env): ProxyState {
  const known = states.get(env);
  if (known !== undefined) return known;
  const state = createState(Catalog.parse(JSON.parse(catalogText)), { ...env });
  states.set(env, state);
  return state;
}

/** Builds a state: of this Worker, or of a self-test with a catalog and values of its own. */
export function createState(catalog: Catalog, env: Readonly<Record<string, unknown>>): ProxyState {
  const names = [...new Set(catalog.apis.flatMap((api) => api.credentials.map(({ name }) => name)))];
  const settings = readSettings(env, names);
  const secrets = collectSecrets(env);
  const valueOf = (name: string): string | undefined => secrets.values.get(name);
  const reachable = ({ apis }: RunPolicy): readonly Api[] =>
    apis === null ? catalog.apis : catalog.apis.filter((api) => apis.includes(api.name));
  const { yolo, debug, userAgent } = settings;
  return {
    catalog,
    settings,
    redactor: createRedactor(settings.redacting),
    description: {
      yolo,
      debug,
      userAgent,
      credentials: Object.fromEntries(names.map((name) => [name, stateOf(valueOf(name))])),
      problems: [...settings.problems, ...secrets.problems],
    },
    valueOf,
    reachableNames: (policy) => [
      ...new Set(reachable(policy).flatMap((api) => api.credentials.map(({ name }) => name))),
    ],
    scrubbed: catalog.apis
      .flatMap((api) => api.credentials.filter(({ sensitive }) => sensitive))
      .flatMap(({ name }) => [name, toPreviousName(name)].map((from) => ({ name, value: valueOf(from) ?? "" })))
      .filter(({ value }) => value.length >= MIN_SCRUBBED_LENGTH),
  };
}

function stateOf(value: string | undefined): CredentialState {
  if (value === undefined || value === "") return "missing";
  return value.length < MIN_SCRUBBED_LENGTH ? "too_short" : "set";
}

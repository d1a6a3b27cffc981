/**
 * The values a deployment needs and where they come from: a file, the environment, a question. What is on the account
 * already is never asked for and never replaced here: `codeforge secret set --remote` does that.
 */
import { readFileSync } from "node:fs";

import { z } from "zod";

import type { Catalog } from "../../contract/catalog.ts";
import { CredentialName } from "../../contract/names.ts";
import { collectSecrets, isSecretMapName } from "../../contract/secrets.ts";
import { SETTING_NAMES } from "../../contract/settings.ts";
import { errorCode, UserError } from "../errors.ts";
import { parseJson } from "../json.ts";
import { displayPath } from "../project.ts";
import { parseVars } from "../secrets-file.ts";

/** Variables of the proxy that are no secrets. */
const PROXY_SETTINGS = ["YOLO_MODE", "USER_AGENT", "DEBUG_MODE"];

/** What a values file holds, by where it goes. */
export interface GivenValues {
  /** Credentials, `SECRETS` maps and `REDACTING_STRINGS`: secrets of the proxy. */
  readonly proxy: Readonly<Record<string, string>>;
  /** Variables that are no secrets, of the proxy and of the server. */
  readonly settings: Readonly<Record<"proxy" | "server", Readonly<Record<string, string>>>>;
  /** `ADMIN_TOKEN`: a secret of the server. */
  readonly server: Readonly<Record<string, string>>;
  /** How many of its names are none of these. */
  readonly unknown: number;
}

const JsonValues = z.record(z.string(), z.string());

/**
 * Reads a values file: lines as in `.dev.vars`, or a JSON map of texts.
 *
 * @throws UserError if there is no such file, or it is neither; nothing of it is repeated.
 */
export function readValuesFile(path: string): GivenValues {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new UserError(`${displayPath(path)} cannot be read (${errorCode(error) ?? "unknown error"})`);
  }
  if (!text.trimStart().startsWith("{")) return sortValues(parseVars(text));
  const json = parseJson(text);
  if (!json.ok) throw new UserError(`${displayPath(path)}: ${json.message}`);
  const values = JsonValues.safeParse(json.value);
  if (!values.success) throw new UserError(`${displayPath(path)}: use a map of name to text: {"NAME": "value"}`);
  return sortValues(new Map(Object.entries(values.data)));
}

/** Sorts values by where they go; an empty text counts as not given. */
export function sortValues(values: ReadonlyMap<string, string>): GivenValues {
  const proxy: Record<string, string> = {};
  const settings: Record<"proxy" | "server", Record<string, string>> = { proxy: {}, server: {} };
  const server: Record<string, string> = {};
  let unknown = 0;
  for (const [name, value] of values) {
    if (value === "") continue;
    if (PROXY_SETTINGS.includes(name)) settings.proxy[name] = value;
    else if (SETTING_NAMES.includes(name)) settings.server[name] = value;
    else if (name === "ADMIN_TOKEN") server[name] = value;
    else if (name === "REDACTING_STRINGS" || isSecretMapName(name) || CredentialName.safeParse(name).success)
      proxy[name] = value;
    else unknown++;
  }
  return { proxy, settings, server, unknown };
}

/** Names of credentials that active APIs use and that would have no value; `onAccount` are names of secrets there. */
export function missingCredentials(
  catalog: Catalog,
  given: Readonly<Record<string, string>>,
  onAccount: readonly string[],
): string[] {
  // A map on the account may hold any of them, and cannot be read.
  if (onAccount.some(isSecretMapName)) return [];
  const { values } = collectSecrets(given);
  const names = catalog.apis.flatMap((api) => api.credentials.map(({ name }) => name));
  return [...new Set(names)].filter((name) => !values.has(name) && !onAccount.includes(name));
}

/** What is not on the account yet. */
export function notYetThere(
  given: Readonly<Record<string, string>>,
  onAccount: readonly string[],
): Record<string, string> {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !onAccount.includes(name)));
}

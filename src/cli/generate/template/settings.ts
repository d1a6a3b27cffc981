/**
 * What is configured where the server runs: variables of the environment, or bindings of a Worker. Read once and checked
 * at once; values of credentials are kept apart from everything that is written into a text.
 */
import { encode } from "../../../openapi/encode.ts";
import type { CredentialUse, Operation } from "../../../openapi/ir.ts";
import { BASE_URL, VARIABLES } from "./tools.ts";

/** How operations are shown: each as a tool of its own, or through three tools that search, describe and call. */
export type Surface = "tools" | "search";

/** A variable that holds a credential. Without an optional one, requests are sent as they are. */
export interface Variable {
  readonly name: string;
  /** What to put in it, in words. */
  readonly holds: string;
  readonly optional: boolean;
}

/** The checked settings. */
export interface Settings {
  /** Without a final slash. */
  readonly baseUrl: string;
  /** Values of credentials by variable. */
  readonly values: ReadonlyMap<string, string>;
}

export type SettingsResult =
  | { readonly ok: true; readonly settings: Settings }
  | { readonly ok: false; readonly message: string };

/** Reads the settings. An empty variable counts only for passwords, which may be empty. */
export function readSettings(env: Readonly<Record<string, unknown>>): SettingsResult {
  const text = (name: string): string | undefined => {
    const value = env[name];
    return typeof value === "string" ? value.replace(/[\r\n]+$/, "") : undefined;
  };
  const configured = text("API_BASE_URL") ?? "";
  const baseUrl = configured === "" ? BASE_URL : toBaseUrl(configured);
  if (baseUrl === undefined) {
    return { ok: false, message: "API_BASE_URL has to be an http(s) URL without user name, query and fragment." };
  }
  const values = new Map<string, string>();
  for (const { name } of VARIABLES) {
    const value = text(name);
    if (value === undefined || (value === "" && !name.endsWith("_PASSWORD"))) continue;
    if (/\p{Cc}/u.test(value)) return { ok: false, message: `${name} has a line break or another control character.` };
    values.set(name, value);
  }
  return { ok: true, settings: { baseUrl, values } };
}

function toBaseUrl(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, username, password, search, hash } = new URL(text);
  const isPlain = username === "" && password === "" && search === "" && hash === "";
  return isPlain && /^https?:$/.test(protocol) ? `${origin}${pathname.replace(/\/+$/, "")}` : undefined;
}

/** The variables that have no value and are needed: a line each, to be shown when the server starts. */
export function missingVariables({ values }: Settings): string[] {
  const missing = VARIABLES.filter(({ name, optional }) => !optional && !values.has(name));
  return missing.map(({ name, holds }) => `${name} is not set: ${holds}.`);
}

export type Prepared =
  | { readonly ok: true; readonly operation: Operation }
  | { readonly ok: false; readonly message: string };

/** The operation with its base URL and the values of its credentials in the places of their names. */
export function prepare(operation: Operation, { baseUrl, values }: Settings): Prepared {
  const server = operation.server === BASE_URL ? baseUrl : operation.server;
  const security: CredentialUse[] = [];
  const missing: Variable[] = [];
  for (const use of operation.security) {
    const without = VARIABLES.filter(({ name }) => use.placeholders.includes(name) && !values.has(name));
    missing.push(...without.filter(({ optional }) => !optional));
    if (without.length > 0) continue;
    security.push({ ...use, placeholders: use.placeholders.map((name) => toWire(use, values.get(name) ?? "")) });
  }
  if (missing.length === 0) return { ok: true, operation: { ...operation, server, security } };
  const lines = missing.map(({ name, holds }) => `${name} is not set where this server runs: ${holds}.`);
  return { ok: false, message: `${lines.join("\n")}\nNothing was sent.` };
}

/** A value as its place needs it: UTF-8 in headers, one byte a character; in cookies nothing that would end one. */
function toWire({ in: place, kind }: CredentialUse, value: string): string {
  if (place === "query") return value;
  if (place === "cookie" && kind === "apiKey")
    return value.replace(/[^\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]+/g, encode);
  return Array.from(new TextEncoder().encode(value), (byte) => String.fromCharCode(byte)).join("");
}

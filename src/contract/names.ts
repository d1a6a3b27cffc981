/**
 * The names a user chooses: APIs and credentials. A credential's name is ordinary text in a model's code, so its form
 * is narrow enough to be found on identifier boundaries and wide enough to say what it is (`STRIPE_AUTH_TOKEN`).
 */
import { z } from "zod";

import { SETTING_NAMES } from "./settings.ts";

/** An API's name: its folder under `apis/`, a path segment of `/mcp/<api>`, a prefix of tool names. */
export const ApiName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, "use 1 to 32 lower-case letters, digits and dashes, starting with a letter");

const CREDENTIAL_FORM =
  "use the credential's NAME (3 to 64 of A-Z, 0-9 and _, starting with a letter), never its value";
const CREDENTIAL_NAME = /^[A-Z][A-Z0-9_]{2,63}$/;

/** Names that mean something to the server itself, so that no credential can shadow a setting or a binding. */
const RESERVED = new Set([
  "ADMIN_TOKEN",
  "ADDRESS_LIMIT",
  "AUDIT",
  "AUDIT_DAYS",
  "AUDIT_ROWS",
  "PRINCIPAL_LIMIT",
  "DEBUG_MODE",
  "FORGE",
  "LOADER",
  "LOCAL_RUNNER",
  "LOOP_GUARD",
  "OPERATIONS",
  "OUTBOUND_PROXY",
  "OWN_PORTS",
  "PUBLIC_NETWORK",
  "REDACTING_STRINGS",
  "RUNS",
  "SANDBOX",
  "SECRETS",
  "SELF_TEST",
  "STORAGE",
  "SUPERVISOR",
  "SWITCHES",
  "TOKENS",
  "USER_AGENT",
  "YOLO_MODE",
  ...SETTING_NAMES,
]);

/** Whether `name` is a server variable or binding, or one of the `SECRETS_…` maps. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name) || name.startsWith("SECRETS_");
}

/** Under this name the last value of a credential is kept while it is being rotated: hidden in responses, never sent. */
export function toPreviousName(name: string): string {
  return `${name}_PREVIOUS`;
}

/** A credential's name. The messages never repeat the input: what was pasted here by mistake may be the secret itself. */
export const CredentialName = z
  .string(CREDENTIAL_FORM)
  .regex(CREDENTIAL_NAME, CREDENTIAL_FORM)
  .refine((name) => !isReservedName(name), "this name is reserved for the server; choose another");

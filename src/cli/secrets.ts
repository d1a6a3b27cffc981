/**
 * The values this checkout has for its credentials: what `.dev.vars` holds, and writing one into it. Nothing here prints.
 */
import { CredentialName, isReservedName } from "../contract/names.ts";
import {
  collectSecrets,
  isSecretMapName,
  MIN_SCRUBBED_LENGTH,
  parseSecretMap,
  type CollectedSecrets,
} from "../contract/secrets.ts";
import { UserError } from "./errors.ts";
import { readIfThere, replaceFile } from "./files.ts";
import { displayPath, type Project } from "./project.ts";
import { parseVars, setVar } from "./secrets-file.ts";

/** What Cloudflare takes as one variable of a Worker, in bytes of UTF-8. */
export const MAX_VARIABLE_BYTES = 5 * 1024;

/** The local values: the variables as written, and the credentials' values that come of them. */
export interface LocalSecrets extends CollectedSecrets {
  readonly variables: ReadonlyMap<string, string>;
}

/** Reads `.dev.vars`; no file means no values. */
export function readSecrets(project: Project): LocalSecrets {
  const variables = parseVars(readIfThere(project.vars) ?? "");
  return { variables, ...collectSecrets(Object.fromEntries(variables)) };
}

/**
 * Writes values into `.dev.vars`, all of them or none, readable by its owner alone; a file
 * that holds them already is left as it is.
 *
 * @throws UserError if the file's format cannot hold one of them.
 */
export function writeSecrets(project: Project, values: ReadonlyMap<string, string>): void {
  const before = readIfThere(project.vars) ?? "";
  let text = before;
  for (const [name, value] of values) {
    const next = setVar(text, name, value);
    if (next === undefined) {
      throw new UserError(
        `${displayPath(project.vars)} cannot hold this value of ${name}: it mixes all three kinds of quotes with # or line breaks.\n` +
          `Put it into a JSON map instead: SECRETS_1='{"${name}": "…"}' with each ' written as \\u0027`,
      );
    }
    text = next;
  }
  if (text !== before) replaceFile(project.vars, text, 0o600);
}

/**
 * Checks that the proxy takes a value under this name: a credential, a `SECRETS` map, or `REDACTING_STRINGS`.
 *
 * @throws UserError otherwise; what was given is not repeated, it may be the value itself.
 */
export function requireSecretName(name: string): void {
  if (name === "REDACTING_STRINGS" || isSecretMapName(name)) return;
  if (isReservedName(name))
    throw new UserError(`${name} is a name of the server's own, not a credential's; choose another`);
  const parsed = CredentialName.safeParse(name);
  if (!parsed.success) throw new UserError(parsed.error.issues[0]?.message ?? "this is not a credential's name");
}

/**
 * Checks a value before it is written.
 *
 * @returns Warnings, none of which shows anything of the value.
 * @throws UserError if it is empty, or is not the JSON map that its name asks for.
 */
export function inspectValue(name: string, value: string): string[] {
  if (value === "") throw new UserError(`no value was given for ${name}; nothing is changed`);
  const warnings: string[] = [];
  if (isSecretMapName(name)) {
    const { problems } = parseSecretMap(name, value);
    if (problems.length > 0) throw new UserError(problems.join("\n"));
  } else if (value.length < MIN_SCRUBBED_LENGTH) {
    warnings.push(`${name} is shorter than ${MIN_SCRUBBED_LENGTH} characters, so it is not looked for in responses`);
  }
  if (value !== value.trim()) warnings.push(`${name} begins or ends with white space; is that part of it?`);
  if (Buffer.byteLength(value) > MAX_VARIABLE_BYTES) {
    warnings.push(`${name} is longer than 5 KB, which is more than a deployed Worker takes`);
  }
  return warnings;
}

/**
 * Where the commands find their server: `--server` and `CODEFORGE_TOKEN`, `CODEFORGE_URL`, or the last login. Logins are
 * kept in the user's config directory, in a file that nobody else can read.
 */
import { homedir } from "node:os";
import { join } from "node:path";

import { z } from "zod";

import { UserError } from "../errors.ts";
import { readIfThere, replaceFile } from "../files.ts";
import { parseJson } from "../json.ts";

const LOCAL_URL = "http://localhost:8080";

const Logins = z.object({ current: z.string().nullable(), tokens: z.record(z.string(), z.string()) });
type Logins = z.infer<typeof Logins>;

/** A server, and the token to show; an open one on this machine takes none. */
export interface Login {
  readonly url: URL;
  readonly token: string | null;
}

/** The file of the logins: `$XDG_CONFIG_HOME/codeforge/logins.json`, or `%APPDATA%` on Windows. */
export function loginsPath(env: NodeJS.ProcessEnv = process.env): string {
  const base = env["XDG_CONFIG_HOME"] || (process.platform === "win32" && env["APPDATA"]) || join(homedir(), ".config");
  return join(base, "codeforge", "logins.json");
}

/** Keeps a login and makes it the current one. */
export function keepLogin({ url, token }: { readonly url: URL; readonly token: string }): void {
  const { tokens } = readLogins();
  const logins: Logins = { current: url.origin, tokens: { ...tokens, [url.origin]: token } };
  replaceFile(loginsPath(), `${JSON.stringify(logins, null, 2)}\n`, 0o600);
}

/** The server that a command is for. */
export function findLogin(server: string | undefined, env: NodeJS.ProcessEnv = process.env): Login {
  const { current, tokens } = readLogins();
  const url = toServerUrl(server ?? (env["CODEFORGE_URL"] || current || LOCAL_URL));
  return { url, token: env["CODEFORGE_TOKEN"] || tokens[url.origin] || null };
}

/** Parses a server's address. Beyond this machine only https is taken: the token goes along with every request. */
export function toServerUrl(text: string): URL {
  const url = URL.parse(text.includes("://") ? text : `https://${text}`);
  if (url === null)
    throw new UserError(`${JSON.stringify(text)} is no address; write it as https://codeforge.example.com`);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
  if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) {
    throw new UserError(`${url.origin} is not https: the token would be readable on its way`);
  }
  return new URL(url.origin);
}

function readLogins(): Logins {
  const text = readIfThere(loginsPath());
  if (text === undefined) return { current: null, tokens: {} };
  const json = parseJson(text);
  const parsed = Logins.safeParse(json.ok ? json.value : null);
  if (!parsed.success) throw new UserError(`${loginsPath()} cannot be read; remove it and log in again`);
  return parsed.data;
}

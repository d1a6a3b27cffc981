/**
 * The MCP clients that `codeforge connect` knows: where each keeps its servers, in which form, and how it is told the
 * token without the token standing in a file, where it can be.
 */
import { join } from "node:path";

export const CLIENTS = ["claude-code", "claude-desktop", "cursor", "vscode", "codex"] as const;
export type ClientName = (typeof CLIENTS)[number];

/** `user`: you, everywhere. `project`: this folder, shared with who works in it. `local`: you, in this folder. */
export const SCOPES = ["local", "project", "user"] as const;
export type Scope = (typeof SCOPES)[number];

/** The environment variable in which clients look for the token. */
export const TOKEN_VARIABLE = "CODEFORGE_TOKEN";

/** Where things are on this machine. */
export interface Places {
  readonly home: string;
  readonly cwd: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface Connection {
  /** The MCP endpoint. */
  readonly url: string;
  /** What the client calls the server. */
  readonly name: string;
  /** Whether the server asks for a token. */
  readonly needsToken: boolean;
  /** The token itself, for the one client that has no other way; a placeholder when it is not known. */
  readonly token: string;
}

/** One entry in one file. */
export interface Target {
  readonly file: string;
  readonly format: "json" | "toml";
  /** Keys down to the entry. */
  readonly path: readonly string[];
  readonly entry: Readonly<Record<string, unknown>>;
  /** Further entries that are added to lists, unless one with the same `id` is there. */
  readonly inputs?: Readonly<Record<string, unknown>>;
  /** Whether the entry holds the token itself. */
  readonly holdsToken: boolean;
  /** What is left to be done. */
  readonly notes: readonly string[];
}

/** The scopes that a client has, its own default first. */
export const SCOPES_OF: Readonly<Record<ClientName, readonly Scope[]>> = {
  "claude-code": ["local", "project", "user"],
  "claude-desktop": ["user"],
  cursor: ["user", "project"],
  vscode: ["user", "project"],
  codex: ["user", "project"],
};

/** What to write for a client, and where. */
export function toTarget(client: ClientName, scope: Scope, connection: Connection, places: Places): Target {
  const { name, url, needsToken } = connection;
  const bearer = (token: string): object => (needsToken ? { headers: { Authorization: `Bearer ${token}` } } : {});
  const setVariable = needsToken ? [`set ${TOKEN_VARIABLE} to the token where the client is started`] : [];
  switch (client) {
    case "claude-code": {
      const entry = { type: "http", url, ...bearer(`\${${TOKEN_VARIABLE}}`) };
      const file = scope === "project" ? join(places.cwd, ".mcp.json") : join(places.home, ".claude.json");
      const path = scope === "local" ? ["projects", places.cwd, "mcpServers", name] : ["mcpServers", name];
      return { file, format: "json", path, entry, holdsToken: false, notes: setVariable };
    }
    case "claude-desktop": {
      // It starts programs only; a space in an argument is lost on some systems, hence the variable.
      const header = needsToken ? ["--header", "Authorization:${AUTHORIZATION}"] : [];
      const env = needsToken ? { env: { AUTHORIZATION: `Bearer ${connection.token}` } } : {};
      const entry = { command: "npx", args: ["-y", "mcp-remote", url, ...header], ...env };
      const file = join(settingsFolder(places, "Claude"), "claude_desktop_config.json");
      const notes = [
        "restart Claude Desktop",
        ...(needsToken ? ["this file holds the token: keep it to yourself"] : []),
      ];
      return { file, format: "json", path: ["mcpServers", name], entry, holdsToken: needsToken, notes };
    }
    case "cursor": {
      const file = join(scope === "project" ? places.cwd : places.home, ".cursor", "mcp.json");
      const entry = { url, ...bearer(`\${env:${TOKEN_VARIABLE}}`) };
      return { file, format: "json", path: ["mcpServers", name], entry, holdsToken: false, notes: setVariable };
    }
    case "vscode": {
      const folder = scope === "project" ? join(places.cwd, ".vscode") : join(settingsFolder(places, "Code"), "User");
      const id = `${name}-token`;
      const input = { type: "promptString", id, description: "CodeForge token", password: true };
      const entry = { type: "http", url, ...bearer(`\${input:${id}}`) };
      const notes = needsToken ? ["VS Code asks for the token at the first start and keeps it"] : [];
      const target = { file: join(folder, "mcp.json"), format: "json", path: ["servers", name] } as const;
      return { ...target, entry, ...(needsToken ? { inputs: input } : {}), holdsToken: false, notes };
    }
    case "codex": {
      const home = places.env["CODEX_HOME"] ?? join(places.home, ".codex");
      const file = join(scope === "project" ? join(places.cwd, ".codex") : home, "config.toml");
      const entry = { url, ...(needsToken ? { bearer_token_env_var: TOKEN_VARIABLE } : {}) };
      const trust = scope === "project" ? ["Codex reads it in projects that it trusts"] : [];
      const target = { file, format: "toml", path: ["mcp_servers", name], entry } as const;
      return { ...target, holdsToken: false, notes: [...setVariable, ...trust] };
    }
  }
}

/** Where programs keep their settings. */
function settingsFolder({ home, platform, env }: Places, program: string): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", program);
  if (platform === "win32") return join(env["APPDATA"] ?? join(home, "AppData", "Roaming"), program);
  return join(env["XDG_CONFIG_HOME"] ?? join(home, ".config"), program);
}

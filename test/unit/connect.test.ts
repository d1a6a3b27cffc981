/** The configuration of each client: what is printed, what is written, and what is left as it was. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parse as parseJsonc } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it, onTestFinished } from "vitest";

import {
  CLIENTS,
  SCOPES_OF,
  toTarget,
  type ClientName,
  type Places,
  type Scope,
} from "../../src/cli/connect/clients.ts";
import { entryText, putEntry } from "../../src/cli/connect/edit.ts";
import { createCliFolder } from "../helpers/cli.ts";

const PLACES: Places = { home: "/home/ada", cwd: "/srv/shop", platform: "linux", env: {} };
const URL_ = "https://codeforge.acme.workers.dev/mcp";
const TOKEN = "cf_a-token-that-must-not-be-shared";

function targetOf(client: ClientName, scope: Scope, needsToken = true, places = PLACES) {
  return toTarget(client, scope, { url: URL_, name: "codeforge", needsToken, token: TOKEN }, places);
}

describe("a client's entry", () => {
  it.each<[ClientName, Scope, string, object]>([
    [
      "claude-code",
      "project",
      "/srv/shop/.mcp.json",
      {
        mcpServers: { codeforge: { type: "http", url: URL_, headers: { Authorization: "Bearer ${CODEFORGE_TOKEN}" } } },
      },
    ],
    [
      "claude-code",
      "local",
      "/home/ada/.claude.json",
      {
        projects: {
          "/srv/shop": {
            mcpServers: {
              codeforge: { type: "http", url: URL_, headers: { Authorization: "Bearer ${CODEFORGE_TOKEN}" } },
            },
          },
        },
      },
    ],
    [
      "claude-desktop",
      "user",
      "/home/ada/.config/Claude/claude_desktop_config.json",
      {
        mcpServers: {
          codeforge: {
            command: "npx",
            args: ["-y", "mcp-remote", URL_, "--header", "Authorization:${AUTHORIZATION}"],
            env: { AUTHORIZATION: `Bearer ${TOKEN}` },
          },
        },
      },
    ],
    [
      "cursor",
      "user",
      "/home/ada/.cursor/mcp.json",
      { mcpServers: { codeforge: { url: URL_, headers: { Authorization: "Bearer ${env:CODEFORGE_TOKEN}" } } } },
    ],
    [
      "vscode",
      "project",
      "/srv/shop/.vscode/mcp.json",
      {
        servers: {
          codeforge: { type: "http", url: URL_, headers: { Authorization: "Bearer ${input:codeforge-token}" } },
        },
        inputs: [{ type: "promptString", id: "codeforge-token", description: "CodeForge token", password: true }],
      },
    ],
    [
      "codex",
      "user",
      "/home/ada/.codex/config.toml",
      { mcp_servers: { codeforge: { url: URL_, bearer_token_env_var: "CODEFORGE_TOKEN" } } },
    ],
  ])("of %s, for %s, is in its file and form", (client, scope, file, expected) => {
    const target = targetOf(client, scope);
    expect(target.file).toBe(file);
    const text = entryText(target);
    expect(target.format === "toml" ? parseToml(text) : parseJsonc(text)).toEqual(expected);
  });

  it.each(CLIENTS)(
    "of %s holds no token where the client can find it elsewhere, and none for a server without one",
    (client) => {
      for (const scope of SCOPES_OF[client]) {
        const target = targetOf(client, scope);
        expect(entryText(target).includes(TOKEN)).toBe(target.holdsToken);
        expect(target.holdsToken).toBe(client === "claude-desktop");
        expect(entryText(targetOf(client, scope, false))).not.toMatch(/authorization|bearer|token/i);
      }
    },
  );

  it.each<[NodeJS.Platform, Record<string, string>, string]>([
    ["darwin", {}, "/home/ada/Library/Application Support/Claude/claude_desktop_config.json"],
    ["linux", { XDG_CONFIG_HOME: "/cfg" }, "/cfg/Claude/claude_desktop_config.json"],
    ["win32", { APPDATA: "/roaming" }, "/roaming/Claude/claude_desktop_config.json"],
  ])("is found on %s", (platform, env, file) => {
    expect(targetOf("claude-desktop", "user", true, { ...PLACES, platform, env }).file).toBe(file);
  });
});

describe("an edit", () => {
  const edit = (text: string, client: ClientName): string => {
    const result = putEntry(text, targetOf(client, "project"));
    return result.ok ? result.text : `refused: ${result.reason}`;
  };

  it("keeps comments, order, trailing commas and everything else of JSON", () => {
    const before =
      '{\n  // mine\n  "servers": {\n    "other": { "command": "x" }, // keep\n  },\n  "inputs": [{ "id": "mine" }],\n}\n';
    const after = edit(before, "vscode");
    expect(after).toContain("// mine");
    expect(parseJsonc(after).servers.other).toEqual({ command: "x" });
    expect(after).toContain("// keep");
    expect(parseJsonc(after).inputs.map(({ id }: { id: string }) => id)).toEqual(["mine", "codeforge-token"]);
    expect(edit(after, "vscode")).toBe(after);
  });

  it("keeps comments and everything else of TOML, and replaces the table that was there", () => {
    const before =
      '# mine\nmodel = "x" # keep\n\n[mcp_servers.codeforge]\nurl = "http://old"\n\n[mcp_servers.other]\ncommand = "y" # too\n';
    const after = edit(before, "codex");
    for (const part of ["# mine", '"x" # keep', '[mcp_servers.other]\ncommand = "y" # too'])
      expect(after).toContain(part);
    expect(after).not.toContain("http://old");
    expect(edit(after, "codex")).toBe(after);
    expect(edit('model = "x"\n', "codex")).toMatch(/^model = "x"\n\n\[mcp_servers\.codeforge\]\n/);
  });

  it.each<[string, ClientName, string]>([
    ["broken JSON", "cursor", '{ "mcpServers": { '],
    ["a list at the top", "cursor", "[]"],
    ["servers that are no object", "cursor", '{ "mcpServers": [] }'],
    ["inputs that are no list", "vscode", '{ "inputs": {} }'],
    ["broken TOML", "codex", "a = = 1"],
    ["an inline table in its place", "codex", 'mcp_servers = { codeforge = { url = "x" } }'],
    [
      "a table below its own",
      "codex",
      '[mcp_servers.codeforge]\nurl = "x"\n[mcp_servers.codeforge.http_headers]\na = "b"',
    ],
  ])("is refused for %s", (_, client, text) => {
    expect(edit(text, client)).toMatch(/^refused: /);
  });
});

describe("codeforge connect", () => {
  const home = () => {
    const dir = mkdtempSync(join(tmpdir(), "codeforge-home-"));
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
  };

  it("prints, and writes only when told, with the old file kept beside the new one", () => {
    const folder = createCliFolder();
    const env = { HOME: home(), USERPROFILE: home(), CODEFORGE_TOKEN: TOKEN };
    const printed = folder.run(["connect", "claude-code", "--url", URL_], { env });
    expect(printed.output).toContain(
      `claude mcp add --transport http --scope local codeforge ${URL_} --header "Authorization: Bearer <token>"`,
    );
    expect(printed.output).not.toContain(TOKEN);

    folder.write(".mcp.json", '{ "mcpServers": { "other": { "command": "x" } } }');
    const written = folder.run(["connect", "claude-code", "--scope", "project", "--url", URL_, "--write"], { env });
    expect(written.code).toBe(0);
    expect(JSON.parse(folder.read(".mcp.json") ?? "")).toMatchObject({
      mcpServers: { other: {}, codeforge: { url: URL_ } },
    });
    const backup = readdirSync(folder.dir).find((name) => name.endsWith(".bak")) ?? "";
    expect(folder.read(backup)).toBe('{ "mcpServers": { "other": { "command": "x" } } }');
    expect(
      folder.run(["connect", "claude-code", "--scope", "project", "--url", URL_, "--write"], { env }).output,
    ).toContain("has it already");
    expect(readdirSync(folder.dir).filter((name) => name.endsWith(".bak"))).toHaveLength(1);
  });

  it.each(CLIENTS)("keeps the file of %s as it was beside the one that it writes, which has both entries", (client) => {
    const folder = createCliFolder();
    const dir = home();
    const env = { HOME: dir, XDG_CONFIG_HOME: dir, APPDATA: dir, CODEFORGE_TOKEN: TOKEN };
    const write = (name: string): string =>
      folder.run(["connect", client, "--url", URL_, "--name", name, "--write"], { env }).stdout;
    const files = (): string[] =>
      [dir, folder.dir].flatMap((root) =>
        readdirSync(root, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name)),
      );
    expect(write("first")).toContain("is written.");
    const [file = "", ...others] = files();
    expect(others).toEqual([]);
    const before = readFileSync(file, "utf8");
    expect(write("second")).toContain("is written (before: ");
    const [backup = "", ...more] = files().filter((path) => path !== file);
    expect(more).toEqual([]);
    expect(backup.startsWith(file)).toBe(true);
    expect(readFileSync(backup, "utf8")).toBe(before);
    const after = readFileSync(file, "utf8");
    for (const name of ["first", "second"]) expect(after).toMatch(new RegExp(`\\b${name}\\b`));
  });

  it("writes the token where there is no other way, for its owner alone, and asks for it first", () => {
    const folder = createCliFolder();
    const dir = home();
    const env = { HOME: dir, XDG_CONFIG_HOME: dir, APPDATA: dir, CODEFORGE_TOKEN: "" };
    const args = ["connect", "claude-desktop", "--url", URL_, "--write"];
    expect(folder.run(args, { env }).output).toContain("set CODEFORGE_TOKEN");
    expect(folder.run(args, { env: { ...env, CODEFORGE_TOKEN: TOKEN } }).code).toBe(0);
    const file = readdirSync(dir, { recursive: true, encoding: "utf8" }).find((name) => name.endsWith(".json")) ?? "";
    expect(readFileSync(join(dir, file), "utf8")).toContain(TOKEN);
    if (process.platform !== "win32") expect(statSync(join(dir, file)).mode & 0o777).toBe(0o600);
  });

  it.each<[string, string[], RegExp]>([
    ["a token in the address", ["--url", "https://u:p@x.test/mcp"], /leave user names/],
    ["plain http beyond this machine", ["--url", "http://x.test/mcp"], /plain http/],
    ["what is no address", ["--url", "x"], /--url/],
    ["a scope that the client has not", ["--scope", "local"], /has no scope local/],
  ])("refuses %s", (_, args, expected) => {
    const folder = createCliFolder();
    writeFileSync(join(folder.dir, "keep"), "");
    expect(folder.run(["connect", "cursor", ...args]).output).toMatch(expected);
  });
});

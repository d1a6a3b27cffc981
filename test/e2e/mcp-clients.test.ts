/** Clients that people use, each on its own wire, all on the same object. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { connectV2 } from "../helpers/clients.ts";
import { runPackage } from "../helpers/run.ts";
import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";

const TOOLS = ["execute_code", "execute_read_only_code", "list_apis", "search_apis", "run_skill"];

let codeforge: TestStack;
let home: string;

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "codeforge-home-"));
  codeforge = await startTestStack({
    apis: {
      pets: { description: "Pets", domains: ["pets.example.com"], credentials: ["PETS_TOKEN"] },
      payments: { description: "Payments", domains: ["payments.example.com"] },
      weather: { description: "Weather", domains: ["weather.example.com"] },
    },
    types: { pets: "export interface Pet { id: string }" },
    connect: false,
  });
});

afterAll(async () => {
  await codeforge.stop();
  rmSync(home, { recursive: true, force: true });
});

/** What every client offers, as far as these tests go. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  close(): Promise<void>;
}

/** mcp-remote as a process of its own, for clients that speak stdio only. */
async function connectRemote(url: URL): Promise<AnyClient> {
  const client = new Client({ name: "codeforge-test", version: "1.0.0" });
  const script = resolve(import.meta.dirname, "../../node_modules/mcp-remote/dist/proxy.js");
  const args = [script, url.href, "--transport", "http-only"];
  const env = { PATH: process.env["PATH"] ?? "", HOME: home, MCP_REMOTE_CONFIG_DIR: home };
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" }));
  return client;
}

const CLIENTS: Readonly<Record<string, (url: URL) => Promise<AnyClient>>> = {
  "SDK v1": (url) => connect(url),
  "SDK v2 in the 2025 era": (url) => connectV2(url, "legacy"),
  "SDK v2 in the era that the server prefers": (url) => connectV2(url, "auto"),
  "mcp-remote": connectRemote,
};

describe.each(Object.entries(CLIENTS))("%s", (_, open) => {
  it("lists the tools and runs a block", async () => {
    const client = await open(codeforge.url);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(TOOLS);
    const result = await client.callTool({ name: "execute_code", arguments: { code: "return 6 * 7" } });
    expect(result).toMatchObject({ content: [{ type: "text", text: "42" }], structuredContent: { result: 42 } });
    await client.close();
    expect(await codeforge.stack.server.listDurableObjectIds("FORGE", "codeforge")).toHaveLength(1);
  });
});

describe("SDK v2", () => {
  it("negotiates 2026-07-28 by itself", async () => {
    const client = await connectV2(codeforge.url, "auto");
    expect(client.getNegotiatedProtocolVersion()).toBe("2026-07-28");
    await client.close();
  });

  it.each(["legacy", "auto"] as const)("learns what the server is (%s)", async (mode) => {
    const client = await connectV2(codeforge.url, mode);
    expect(client.getServerVersion()).toMatchObject({
      name: "codeforge",
      title: "CodeForge",
      icons: [{ src: expect.stringMatching(/^data:image\/svg\+xml;base64,/), mimeType: "image/svg+xml" }],
    });
    expect(client.getInstructions()).toContain("list_apis");
    // Skills come and go; nothing else changes while a stream lives, and nothing else is promised.
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: false },
      prompts: { listChanged: false },
      resources: { listChanged: true },
      completions: {},
      extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } },
    });
    await client.close();
  });

  it.each(["legacy", "auto"] as const)("reads an API as a resource and completes its name (%s)", async (mode) => {
    const client = await connectV2(codeforge.url, mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).filter((uri) => uri.startsWith("codeforge://apis/"))).toEqual([
      "codeforge://apis/payments",
      "codeforge://apis/pets",
      "codeforge://apis/weather",
    ]);
    const { contents } = await client.readResource({ uri: "codeforge://apis/pets" });
    const { content } = await client.callTool({ name: "list_apis", arguments: { name: "pets" } });
    expect(content).toEqual([{ type: "text", text: (contents[0] as { text: string }).text }]);
    const completed = await client.complete({
      ref: { type: "ref/resource", uri: "codeforge://apis/{name}" },
      argument: { name: "name", value: "p" },
    });
    expect(completed.completion.values).toEqual(["payments", "pets"]);
    await expect(client.readResource({ uri: "codeforge://apis/nope" })).rejects.toMatchObject({ code: -32_602 });
    await client.close();
  });
});

describe("the inspector", () => {
  const inspect = (...args: string[]): ReturnType<typeof runPackage> =>
    runPackage(
      "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
      ["--cli", codeforge.url.href, "--transport", "http", ...args],
      { HOME: home, MCP_CATALOG_PATH: join(home, "mcp.json") },
    );

  it("reads every skill, and finds its files to be what the listing says", async () => {
    const { code, stdout, stderr } = await inspect("--method", "skills/list", "--verify");
    expect(stderr).toMatch(/^Verified 3 skills and \d+ files: no conformance errors\.\n$/);
    expect(code).toBe(0);
    expect(stdout).toContain("skill://paginate-everything/SKILL.md");
  });

  it("finds no schema that a client could stumble over", async () => {
    const { code, stdout, stderr } = await inspect("--method", "tools/list", "--strict");
    expect(stderr).not.toMatch(/error|warning/i);
    expect(code).toBe(0);
    expect(stdout).toContain('"execute_code"');
  });

  it("runs a block", async () => {
    const call = ["--method", "tools/call", "--tool-name", "execute_code", "--tool-arg", "code=return 6 * 7"];
    const { code, stdout } = await inspect(...call);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ structuredContent: { result: 42 } });
  });
});

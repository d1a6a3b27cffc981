/** A folder of the container edition, taken over, and its scripts run: every value arrives where the script meant it. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { importFolder } from "../../src/cli/commands/import.ts";
import { openProject } from "../../src/cli/project.ts";
import { parseVars } from "../../src/cli/secrets-file.ts";
import type { ApiConfigInput } from "../../src/contract/config.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

const FIXTURE = join(import.meta.dirname, "../fixtures/container-edition");
const PORTS = ["9101", "9102", "9103"];

let dir: string;
let upstreams: Upstream[];
let codeforge: TestStack;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "codeforge-import-"));
  // They answer without repeating what they were sent, and so without what a test would have to look for.
  upstreams = await Promise.all(PORTS.map(() => startUpstream((_, response) => response.end("[]"))));
  const old = join(dir, "old");
  cpSync(FIXTURE, old, { recursive: true });
  for (const entry of readdirSync(old, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const moved = PORTS.reduce(
      (text, port, at) => text.replaceAll(`127.0.0.1:${port}`, `127.0.0.1:${upstreams[at]!.port}`),
      readFileSync(path, "utf8"),
    );
    writeFileSync(path, moved);
  }
  mkdirSync(join(dir, "new"));
  const at = (name: string) => join(dir, "new", name);
  importFolder(openProject({ apis: at("apis"), skills: at("skills"), vars: at(".dev.vars") }), old, true);
  const apis = readdirSync(at("apis")).map((name) => {
    const config = JSON.parse(readFileSync(join(at("apis"), name, "config.json"), "utf8")) as ApiConfigInput;
    return [name, config] as const;
  });
  const vars = Object.fromEntries(parseVars(readFileSync(at(".dev.vars"), "utf8")));
  codeforge = await startTestStack({ apis: Object.fromEntries(apis), vars });
});
afterAll(async () => {
  await codeforge.stop();
  await Promise.all(upstreams.map((upstream) => upstream.stop()));
  rmSync(dir, { recursive: true, force: true });
});

async function runSkill(name: string): Promise<string> {
  const { text, isError } = await codeforge.run(readFileSync(join(dir, "new/skills", name, "main.ts"), "utf8"));
  expect(isError, text).toBe(false);
  return text;
}

it("puts values into headers", async () => {
  expect(await runSkill("list-invoices")).toContain("listed");
  const seen = upstreams[0]!.seen.at(-1)!;
  expect(seen.headers["authorization"]).toBe("Bearer bil_live_7Qm2xVt9LrKd41Zs");
  expect(seen.headers["x-billing-signature"]).toBe("billing-key-55f0c1d7e2a94b38");
  expect(seen.headers["user-agent"]).toBe("acme-agents/2.0");
});

it("puts a value into the query", async () => {
  expect(await runSkill("geocode")).toContain("found");
  expect(upstreams[1]!.seen.at(-1)!.url).toBe("/geocode?q=Unter+den+Linden+1&key=maps-key-0a8b7c6d5e4f3a2b1c");
});

it("puts values into the path and into a field of JSON", async () => {
  expect(await runSkill("notify-team")).toContain("told");
  const seen = upstreams[2]!.seen.at(-1)!;
  expect(decodeURIComponent(seen.url)).toBe("/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage");
  expect(JSON.parse(seen.body)).toMatchObject({ auth: { client_secret: "chat-secret-c2VjcmV0LXRoaW5n" } });
});

it("gives each API its own value where both knew a key by one name", async () => {
  expect(await runSkill("sync-addresses")).toContain("copied");
  const form = new URLSearchParams(upstreams[0]!.seen.at(-1)!.body);
  expect(form.get("client_secret")).toBe("billing-key-55f0c1d7e2a94b38");
  expect(upstreams[1]!.seen.at(-1)!.url).toBe("/import?key=maps-key-0a8b7c6d5e4f3a2b1c");
});

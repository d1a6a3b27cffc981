/** The protocol's own conformance suite, at both revisions, against the real routes with the suite's fixtures added. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

import { CONFORMANCE } from "../helpers/bundle.ts";
import { runPackage } from "../helpers/run.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const SUITE = "@modelcontextprotocol/conformance";

/** The revisions, each with the number of scenarios that it requires. */
const REVISIONS = [
  { revision: "2025-11-25", required: 30 },
  { revision: "2026-07-28", required: 37 },
] as const;

let codeforge: TestStack;
let results: string;

beforeAll(async () => {
  results = mkdtempSync(join(tmpdir(), "codeforge-conformance-"));
  codeforge = await startTestStack({ entries: { [CONFORMANCE.key]: CONFORMANCE.entry }, connect: false });
});

afterAll(async () => {
  await codeforge.stop();
  rmSync(results, { recursive: true, force: true });
});

/** The scenarios that a revision requires of a server, as the suite froze them. */
function requiredScenarios(revision: string): string[] {
  const path = resolve(import.meta.dirname, "../../node_modules", SUITE, "requirements", `${revision}.yaml`);
  return z.object({ server: z.array(z.string()) }).parse(parse(readFileSync(path, "utf8"))).server;
}

it.each(REVISIONS)("passes the $required scenarios that $revision requires", async ({ revision, required }) => {
  const scenarios = requiredScenarios(revision);
  expect(scenarios).toHaveLength(required);

  // The suite's rebinding scenario speaks of localhost by name.
  const url = codeforge.url.href.replace("127.0.0.1", "localhost");
  const args = ["server", "--url", url, "--requirements", revision, "--output-dir", results];
  const { code, stdout, stderr } = await runPackage(`${SUITE}/dist/index.js`, args);

  const [, summary = ""] = stdout.split("=== SUMMARY ===");
  const passed = [...summary.matchAll(/^✓ (\S+): [1-9]\d* passed, 0 failed$/gm)].map(([, name]) => name);
  const failed = scenarios.filter((name) => !passed.includes(name));
  expect(failed, `${stdout}\n${stderr}`).toEqual([]);
  expect(code).toBe(0);
});

/** The extension of SEP-2640, which no revision requires. */
it.each(["sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory"])(
  "passes %s",
  async (scenario) => {
    const url = codeforge.url.href.replace("127.0.0.1", "localhost");
    const args = ["server", "--url", url, "--scenario", scenario, "--output-dir", results];
    const { code, stdout, stderr } = await runPackage(`${SUITE}/dist/index.js`, args);
    expect(stdout, stderr).toMatch(/^Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings$/m);
    expect(code).toBe(0);
  },
);

/** What the platform enforces: it is told the limits of the settings, and what it says of a run reaches the caller in words. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { startTestStack, type TestStack } from "../helpers/stack.ts";

let codeforge: TestStack;

beforeAll(async () => {
  codeforge = await startTestStack({
    settings: { CPU_LIMIT_MS: "1234", MAX_REQUESTS_PER_RUN: "77" },
    entries: { sandbox: "test/fixtures/platform/index.ts" },
  });
});

afterAll(() => codeforge.stop());

describe("the loader of isolates", () => {
  it.each([
    ["the settings' limits", 5_000, { cpuMs: 1_234, subRequests: 77 }],
    ["no more processor time than the run has time", 500, { cpuMs: 500, subRequests: 77 }],
  ])("is given %s", async (_, timeout, limits) => {
    expect((await codeforge.run("return 1", { timeout })).text).toBe("1");
    expect(codeforge.logs.findLast((line) => line.startsWith("limits"))).toBe(`limits ${JSON.stringify(limits)}`);
  });
});

describe("a run that the platform ends", () => {
  it.each([
    ["Worker exceeded CPU time limit.", "timed_out", /computed for more than the CPU limit of 1234 ms/],
    ["Worker exceeded memory limit.", "out_of_memory", /more memory than an isolate has \(128 MB\)/],
    [
      "The Workers runtime canceled this request because it detected that your Worker's code had hung and would never generate a response.",
      "hung",
      /awaits something that never resolves/,
    ],
    ["Too many concurrent dynamic workers", "ended_by_platform", /^The platform ended the run: Too many concurrent/],
  ])("with %s is told and entered as %s", async (message, kind, text) => {
    const result = await codeforge.run(`return 1; // platform: ${message}`, { timeout: 5_000 });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(text);
    const { contents } = await codeforge.client.readResource({ uri: "codeforge://runs" });
    const [latest = ""] = (contents[0] as { text: string }).text.split("\n");
    expect(latest).toContain(` · ${kind} · `);
  });
});

/** Many runs at once, what is kept of a run that is too large to be shown, and the history: through real clients. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Client } from "@modelcontextprotocol/client";

import { connectV2 } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

let upstream: Upstream;
let codeforge: TestStack;
let legacy: Client;
let modern: Client;

beforeAll(async () => {
  upstream = await startUpstream();
  codeforge = await startTestStack({
    apis: { echo: { description: "Echo", domains: [upstream.origin], credentials: ["ECHO_TOKEN"] } },
    vars: { ECHO_TOKEN: "echo-value-that-is-nowhere" },
    settings: { MAX_CONCURRENT_RUNS: "4", MAX_QUEUED_RUNS: "80" },
  });
  [legacy, modern] = await Promise.all([connectV2(codeforge.url, "legacy"), connectV2(codeforge.url, "auto")]);
});

afterAll(async () => {
  await Promise.all([legacy.close(), modern.close()]);
  await codeforge.stop();
  await upstream.stop();
});

const ERAS = [
  ["2025", () => legacy],
  ["2026", () => modern],
] as const;

interface Answer {
  readonly text: string;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly uri?: string;
    readonly size?: number;
  }[];
  readonly isError: boolean;
}

async function run(client: Client, code: string, args: object = {}): Promise<Answer> {
  const result = await client.callTool({ name: "execute_code", arguments: { code, ...args } });
  const content = result.content as Answer["content"];
  return { text: content[0]?.text ?? "", content, isError: result.isError === true };
}

describe.each(ERAS)("fifty runs at once in the %s era", (_, client) => {
  it("all answer, with logs and requests of their own", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        run(
          client(),
          `console.log("log ${n}"); return (await fetch("${upstream.origin}/${n}", { method: "PUT" })).text()`,
        ),
      ),
    );
    for (const [n, { text, isError }] of answers.entries()) {
      expect(isError).toBe(false);
      expect(text).toMatch(new RegExp(`^.*\\n\\nlog ${n}\\n\\n1 request, 1 write, \\d+ ms\\nPUT [^ ]+/${n} → 200$`));
    }
  });
});

describe("the line", () => {
  it("tells a client that asked for progress its place", async () => {
    const progress: string[] = [];
    const slow = Array.from({ length: 4 }, () => run(legacy, "await new Promise((done) => setTimeout(done, 1_000))"));
    await legacy.callTool(
      { name: "execute_code", arguments: { code: "return 1" } },
      { onprogress: ({ message = "" }) => progress.push(message) },
    );
    await Promise.all(slow);
    expect(progress).toContain("waiting, 1st in line");
  });

  it("lets another client begin while one floods it", async () => {
    const flood = Array.from({ length: 12 }, () => run(legacy, "await new Promise((done) => setTimeout(done, 1_000))"));
    await run(legacy, "return 0", { timeout: 100 });
    const quick = run(modern, "return 1").then(() => "other");
    expect(await Promise.race([quick, Promise.all(flood).then(() => "flood")])).toBe("other");
    await Promise.all([...flood, quick]);
  });

  it("says when a run got no turn in its time, and when too many wait", async () => {
    const slow = Array.from({ length: 3 }, () => run(legacy, "await new Promise((done) => setTimeout(done, 2_000))"));
    const late = await run(legacy, "return 1", { timeout: 500 });
    expect(late.isError).toBe(true);
    expect(late.text).toMatch(/^The code was not run: other runs of yours left no room .* 500 ms/);
    const many = Array.from({ length: 70 }, () => run(legacy, "return 1"));
    const refused = (await Promise.all(many)).filter(({ isError }) => isError);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.text).toMatch(/^The code was not run: too many runs of yours are waiting already/);
    await Promise.all(slow);
  });
});

const LARGE = `return Array.from({ length: 60_000 }, (_, id) => ({ id, name: "row " + id, note: "ünïcode 🚀 ".repeat(2) }))`;

describe.each(ERAS)("a result of 4 MB in the %s era", (_, client) => {
  it("is cut, and the whole of it is there for a later block and as a resource", async () => {
    const { text, content } = await run(client(), LARGE);
    expect(text.length).toBeLessThan(41_000);
    const [, id = ""] = /await results\.read\("([0-9a-f-]{36})"\)/.exec(text) ?? [];
    const link = content.find(({ type }) => type === "resource_link");
    expect(link).toMatchObject({ uri: `codeforge://results/${id}`, mimeType: "application/json" });

    const later = await run(
      client(),
      `import { results } from "codeforge";
       const rows = await results.read("${id}");
       return [rows.length, rows[59_999], (await results.list())[0].id]`,
    );
    expect(JSON.parse(later.text)).toEqual([
      60_000,
      { id: 59_999, name: "row 59999", note: "ünïcode 🚀 ünïcode 🚀 " },
      id,
    ]);

    const { contents } = await client().readResource({ uri: link?.uri ?? "" });
    const pages = [contents[0]];
    for (let page = 2; page <= Math.ceil((link?.size ?? 0) / (2 * 1024 * 1024)); page++) {
      pages.push((await client().readResource({ uri: `codeforge://results/${id}/${page}` })).contents[0]);
    }
    const whole = pages.map((part) => (part !== undefined && "text" in part ? part.text : "")).join("");
    expect(JSON.parse(whole)).toHaveLength(60_000);
    expect(contents[1]).toMatchObject({ text: expect.stringContaining(`codeforge://results/${id}/2`) });
    const listed = (await client().listResources()).resources.map(({ uri }) => uri);
    expect(listed).toContain(`codeforge://results/${id}`);
  });
});

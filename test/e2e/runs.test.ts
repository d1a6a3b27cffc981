/** Many runs at once, what is kept of a run that is too large to be shown, and the history: through real clients. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Client } from "@modelcontextprotocol/client";
import { Response as WorkerResponse } from "miniflare";

import { connectV2 } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

let upstream: Upstream;
let codeforge: TestStack;
let legacy: Client;
let modern: Client;
/** Of the same principal, for one API; and of another principal. */
let narrow: Client;
let stranger: Client;

const ADMIN = "the-token-of-the-first-administrator";

/** Makes a token, and a client that has it. */
async function connectWith(token: object): Promise<Client> {
  const response = await fetch(new URL("/admin/tokens", codeforge.url), {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN}`, "content-type": "application/json" },
    body: JSON.stringify(token),
  });
  return connectV2(codeforge.url, "auto", ((await response.json()) as { token: string }).token);
}

beforeAll(async () => {
  upstream = await startUpstream();
  codeforge = await startTestStack({
    apis: {
      echo: { description: "Echo", domains: [upstream.origin], credentials: ["ECHO_TOKEN"] },
      other: { description: "Another", domains: ["other.example.com"] },
    },
    adminToken: ADMIN,
    vars: { ECHO_TOKEN: "echo-value-that-is-nowhere" },
    settings: { MAX_CONCURRENT_RUNS: "4", MAX_QUEUED_RUNS: "80" },
  });
  [legacy, modern, narrow, stranger] = await Promise.all([
    connectV2(codeforge.url, "legacy", ADMIN),
    connectV2(codeforge.url, "auto", ADMIN),
    connectWith({ name: "narrow", principal: "admin", scopes: ["run"], apis: ["other"] }),
    connectWith({ name: "stranger", scopes: ["run"] }),
  ]);
});

afterAll(async () => {
  await Promise.all([legacy, modern, narrow, stranger].map((client) => client.close()));
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

it("a run that sends nothing for longer than an idle object lives keeps its rights and its record", async () => {
  const send = `await fetch("${upstream.origin}/quiet", { method: "PUT" })`;
  const code = `${send}; await new Promise((done) => setTimeout(done, 12_000)); return (${send}).status`;
  const { text } = await run(modern, code);
  expect(text).toMatch(/^200\n\n2 requests, 2 writes, \d+ ms\n/);
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

/** What of the object tests call, over the same RPC as the routes do. */
interface ForgeObject {
  clearExpired(nowMs: number): Promise<void>;
  listSchedules(): Promise<{ callback: string; time: number }[]>;
  listRuns(limit: number): Promise<{ id: string; outcome: string; requests: number; writes: number }[]>;
  readRun(id: string): Promise<{ code: string } | null>;
  sql(strings: readonly string[], ...values: string[]): Promise<unknown>;
}

async function forge(): Promise<ForgeObject> {
  const namespace = await codeforge.stack.server.getDurableObjectNamespace("FORGE", "codeforge");
  return namespace.getByName("admin") as unknown as ForgeObject;
}

async function readText(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  return contents.map((part) => ("text" in part ? part.text : "")).join("\n");
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;

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

it("a text whose pages end within a character is read back as it was", async () => {
  const { content } = await run(modern, `return "x" + "🚀".repeat(1_500_000)`);
  const link = content.find(({ type }) => type === "resource_link");
  expect(link).toMatchObject({ mimeType: "text/plain", size: 6_000_001 });
  const id = link?.uri?.split("/").at(-1) ?? "";
  const same = `import { results } from "codeforge"; return (await results.read("${id}")) === "x" + "🚀".repeat(1_500_000)`;
  expect((await run(modern, same)).text).toBe("true");
});

describe("a result that is kept", () => {
  let id: string;
  beforeAll(async () => {
    const { content } = await run(modern, LARGE);
    id =
      content
        .find(({ type }) => type === "resource_link")
        ?.uri?.split("/")
        .at(-1) ?? "";
  });

  const readBack = (of: string): string =>
    `import { results } from "codeforge"; return (await results.read("${of}")).length`;

  it.each([
    ["another principal", () => stranger],
    ["a token of the same principal that may not reach what the run could", () => narrow],
  ])("is not there for %s, as if it had never been", async (_, client) => {
    const never = crypto.randomUUID();
    for (const [of, asked] of [
      [id, id],
      [never, never],
    ] as const) {
      const { text, isError } = await run(client(), readBack(of));
      expect(isError).toBe(true);
      expect(text).toContain(`there is no result "${asked}", or it has expired`);
      await expect(client().readResource({ uri: `codeforge://results/${of}` })).rejects.toThrow(/There is no result/);
      await expect(client().readResource({ uri: `codeforge://runs/${of}` })).rejects.toThrow(/There is no run/);
    }
    expect((await run(client(), `import { results } from "codeforge"; return await results.list()`)).text).toBe("[]");
    expect(await readText(client(), "codeforge://runs")).not.toContain(id);
  });

  it.each(["0", "-1", "1.5", "99", "x"])("has no page %s", async (page) => {
    await expect(modern.readResource({ uri: `codeforge://results/${id}/${page}` })).rejects.toThrow(
      /There is no result/,
    );
  });

  it("is refused when it has expired, and cleared from the bucket when its time has come", async () => {
    const object = await forge();
    const bucket = await codeforge.stack.server.getR2Bucket("STORAGE", "codeforge");
    const key = `results/admin/${id}`;
    const dueMs =
      ((await object.listSchedules()).find(({ callback }) => callback === "clearExpired")?.time ?? 0) * 1_000;
    expect(dueMs).toBeGreaterThan(Date.now() + DAY_MS - HOUR_MS);
    expect(dueMs).toBeLessThan(Date.now() + DAY_MS + 2 * HOUR_MS);

    await object.clearExpired(Date.now() + DAY_MS - HOUR_MS);
    expect(await bucket.head(key)).not.toBeNull();
    await object.sql(["UPDATE result SET expires = ", " WHERE id = ", ""], String(Date.now() - 1), id);
    expect((await run(modern, readBack(id))).text).toContain("or it has expired");
    await expect(modern.readResource({ uri: `codeforge://results/${id}` })).rejects.toThrow(/There is no result/);
    await object.clearExpired(dueMs);
    expect((await bucket.list({ prefix: "results/" })).objects).toEqual([]);
  });
});

describe("the history", () => {
  it("has a run's code, outcome, client and every request, and nothing of queries and bodies", async () => {
    const code = `await fetch("${upstream.origin}/hidden?secret=query", { method: "POST", headers: { authorization: "Bearer ECHO_TOKEN" }, body: "in the body" });
return "in the result"`;
    await run(modern, code);
    const [latest] = await (await forge()).listRuns(1);
    expect(latest).toMatchObject({ outcome: "completed", requests: 1, writes: 1, tool: "execute_code" });
    const text = await readText(modern, `codeforge://runs/${latest?.id}`);
    expect(text).toMatch(
      /· execute_code · completed · \d+ ms · 1 request, 1 write\nclient: codeforge-test 1\.0\.0\nAPIs: all\n/,
    );
    expect(text).toMatch(
      /1\. \+\d+ ms {2}POST 127\.0\.0\.1:\d+\/hidden → 200.*, api echo, with ECHO_TOKEN, 11 bytes sent/,
    );
    expect(text.endsWith(`Code:\n${code}`)).toBe(true);
    expect(text.slice(0, text.indexOf("Code:"))).not.toMatch(/secret|in the body|in the result/);
    expect(await readText(legacy, "codeforge://runs")).toContain(`codeforge://runs/${latest?.id}`);
  });

  it("has what timed out, and what was cancelled because its client was gone", async () => {
    await run(modern, "await new Promise((done) => setTimeout(done, 5_000))", { timeout: 300 });
    expect((await (await forge()).listRuns(1))[0]).toMatchObject({ outcome: "timed_out" });
    const gone = new AbortController();
    const call = modern.callTool(
      {
        name: "execute_code",
        arguments: {
          code: `await fetch("${upstream.origin}/sent", { method: "POST" }); await new Promise((done) => setTimeout(done, 20_000))`,
        },
      },
      { signal: gone.signal },
    );
    await expect.poll(() => upstream.seen.some(({ url }) => url === "/sent"), { timeout: 10_000 }).toBe(true);
    gone.abort();
    await expect(call).rejects.toThrow();
    const latest = async () => (await (await forge()).listRuns(1))[0];
    await expect.poll(latest, { timeout: 15_000 }).toMatchObject({ outcome: "cancelled", requests: 1, writes: 1 });
  });

  it("outlives a restart, and shows what that left unfinished as interrupted", async () => {
    const code = `await fetch("${upstream.origin}/lost", { method: "POST" }); await new Promise((done) => setTimeout(done, 10_000))`;
    const [{ id: earlier } = { id: "" }] = await (await forge()).listRuns(1);
    const settled = run(modern, code, { timeout: 12_000 }).catch(() => null);
    await expect.poll(() => upstream.seen.some(({ url }) => url === "/lost"), { timeout: 10_000 }).toBe(true);
    expect((await (await forge()).listRuns(1))[0]).toMatchObject({ outcome: "running" });
    // Of the run on its way, the sandbox's end may still be told before the server goes; of this one, nothing is.
    await (await forge()).sql(["UPDATE run SET outcome = 'running', ms = NULL WHERE id = ", ""], earlier);
    await codeforge.stack.reload();
    await settled;
    const [latest] = await (await forge()).listRuns(1);
    expect(latest?.outcome).toMatch(/^(?:sandbox_restarted|interrupted)$/);
    expect(await readText(modern, `codeforge://runs/${latest?.id}`)).toContain(code);
    expect(await readText(modern, `codeforge://runs/${earlier}`)).toContain(" · interrupted · ");
    for (const client of [modern, legacy]) expect((await run(client, "return 1")).text).toBe("1");
  });

  it("loses the runs that are too old when their time has come", async () => {
    const object = await forge();
    expect(await object.listRuns(1)).toHaveLength(1);
    await object.clearExpired(Date.now() + 29 * DAY_MS);
    expect(await object.listRuns(1)).toHaveLength(1);
    await object.clearExpired(Date.now() + 31 * DAY_MS);
    expect(await object.listRuns(1)).toEqual([]);
    expect(await readText(modern, "codeforge://runs")).toBe("No runs yet.");
  });
});

describe("a bucket that is out of order", () => {
  it("costs the part of a result that is not shown, and nothing else", async () => {
    const broken = await startTestStack({
      adjust: (key, worker) => {
        if (key !== "server") return worker;
        const { r2Buckets: _, ...rest } = worker;
        return {
          ...rest,
          serviceBindings: { ...rest.serviceBindings, STORAGE: () => new WorkerResponse(null, { status: 503 }) },
        };
      },
    });
    const { text, isError, content } = await broken.run(LARGE);
    expect(isError).toBe(false);
    expect(text).toMatch(/the rest of its [\d,]+ characters is lost: the server's storage did not take it/);
    expect(content.map(({ type }) => type)).toEqual(["text"]);
    expect((await broken.run(`import { results } from "codeforge"; return await results.list()`)).text).toBe("[]");
    await broken.stop();
  });
});

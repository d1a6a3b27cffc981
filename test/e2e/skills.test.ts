/** Skills through real clients: what worked is saved, a new session finds it and runs it by its name. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { ResourceListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createToken } from "../helpers/admin.ts";
import { connectV2, messagesOf, postModern } from "../helpers/clients.ts";
import { startCommand } from "../helpers/process.ts";
import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

let codeforge: TestStack;
let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream(({ method, url }, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ method, url, rows: [1, 2, 3] }));
  });
  codeforge = await startTestStack({
    apis: {
      shop: { description: "Shop", domains: [upstream.origin], credentials: ["SHOP_TOKEN"] },
      other: { description: "Other", domains: ["other.example.com"] },
      unset: { description: "No value", domains: ["unset.example.com"], credentials: ["UNSET_TOKEN"] },
      off: { description: "Inactive", domains: ["off.example.com"], active: false },
    },
    vars: { SHOP_TOKEN: "shop-token-of-the-test" },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await upstream.stop();
});

/** Runs a block that has `skills`, and gives what it returned, or the text of its failure. */
async function inCode(code: string, args: Record<string, unknown> = {}, tool = "execute_code"): Promise<unknown> {
  const block = `import { skills } from "codeforge";\n${code}`;
  const { structured, isError, text } = await codeforge.call(tool, { code: block, ...args });
  return isError ? text : structured?.["result"];
}

/** Saves a skill from code. */
function save(skill: Record<string, unknown>): Promise<unknown> {
  return inCode(`return skills.save(${JSON.stringify({ description: "A skill", ...skill })})`);
}

/** Runs `codeforge skills …` as a person would. */
async function cli(...args: string[]): Promise<{ code: number | null; output: string }> {
  const command = startCommand(["skills", ...args, "--server", codeforge.url.href]);
  const code = await command.ended;
  return { code, output: command.output() };
}

/** Every file below a folder, with its bytes. */
function filesBelow(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((name) =>
    statSync(join(dir, name)).isFile(),
  );
  return Object.fromEntries(names.toSorted().map((name) => [name, readFileSync(join(dir, name)).toString("base64")]));
}

const SUM = `const response = await fetch("URL/rows", { headers: { authorization: "Bearer SHOP_TOKEN" } });
const { rows }: { rows: number[] } = await response.json();
return { sum: rows.reduce((a, b) => a + b, 0) * input.times };`;

describe("what worked once", () => {
  const code = (): string => SUM.replace("URL", upstream.origin);
  const input = { type: "object", required: ["times"], properties: { times: { type: "integer", minimum: 1 } } };

  it("is saved by the block that did it", async () => {
    const saved = await inCode(`
      const input = { times: 7 };
      const code = ${JSON.stringify(code())};
      const work = async () => { ${code()} };
      const result = await work();
      if (result.sum !== 42) throw new Error("it did not work");
      return skills.save({ name: "sum-rows", description: "Sums the rows of the shop", apis: ["shop"], code, input: ${JSON.stringify(input)} });
    `);
    expect(saved).toMatchObject({ name: "sum-rows", action: "create" });
    expect(codeforge.logs.join("\n")).toMatch(/\[skill\] create skill="sum-rows" by="local" run="[0-9a-f-]{36}"/);
  });

  it("is found by a new session at the cost of its front matter, and runs by its name with an input", async () => {
    const client = await connectV2(codeforge.url, "auto");
    const { result } = (await messagesOf(await postModern(codeforge.url, "skills/list")))[0]!;
    const listed = (result!["skills"] as { uri: string; frontmatter: object; _meta: object }[]).find(({ uri }) =>
      uri.includes("sum-rows"),
    )!;
    expect(listed).toMatchObject({
      frontmatter: { name: "sum-rows", description: "Sums the rows of the shop", apis: ["shop"], input },
      _meta: { "io.modelcontextprotocol.skills/source": { by: "local", run: expect.any(String) as string } },
    });
    expect(encode(JSON.stringify(listed.frontmatter)).length).toBeLessThan(80);
    expect(JSON.stringify(result)).not.toContain("reduce");

    const answer = await client.callTool({ name: "run_skill", arguments: { name: "sum-rows", input: { times: 2 } } });
    expect((answer.content as { text: string }[])[0]?.text).toMatch(/^\{"sum":12\}\n\n1 request, \d+ ms$/);
    expect(upstream.seen.at(-1)?.headers.authorization).toBe("Bearer shop-token-of-the-test");
    await client.close();
    expect(codeforge.logs.join("\n")).toMatch(/\[skill\] run skill="sum-rows" .*kind="completed"/);
  });

  it("is told of in the prompt, whose names are completed, as data with its source", async () => {
    const client = await connectV2(codeforge.url, "legacy");
    const ref = { type: "ref/prompt", name: "run_skill" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "name", value: "su" } });
    expect(completion.values).toEqual(["sum-rows"]);
    const { messages } = await client.getPrompt({ name: "run_skill", arguments: { name: "sum-rows", input: "twice" } });
    expect((messages[0]!.content as { text: string }).text).toMatch(
      /^Call run_skill once, with name "sum-rows"[^]*twice[^]*data, not instructions[^]*"source": "saved by local on \d{4}-/,
    );
    await expect(client.getPrompt({ name: "run_skill", arguments: { name: "nope" } })).rejects.toThrow(
      /no skill "nope"/,
    );
    await client.close();
  });

  it("is edited, restored, exported, removed and imported, byte by byte", async () => {
    const dir = join(codeforge.dir, "pulled");
    const binary = Buffer.from(Array.from({ length: 256 }, (_, n) => n)).toString("base64");
    const files = { "references/crlf.md": "\uFEFFone\r\ntwo", "data/all.bin": { base64: binary } };
    expect(await save({ name: "sum-rows", code: `${code()} // edited`, input, files, replace: true })).toMatchObject({
      action: "update",
    });
    expect(await cli("pull", "sum-rows", "--dir", dir)).toMatchObject({ code: 0 });
    const exported = filesBelow(dir);
    expect(exported["sum-rows/data/all.bin"]).toBe(binary);
    expect(Object.keys(exported)).toHaveLength(4);

    expect(await cli("restore", "sum-rows")).toMatchObject({ code: 0 });
    expect(await inCode(`return skills.read("sum-rows", "main.ts")`)).toBe(code());
    expect((await cli("show", "sum-rows")).output.match(/local\s+2\d{3}-/g)).toHaveLength(3);

    expect(await cli("remove", "sum-rows")).toMatchObject({ code: 0 });
    expect((await codeforge.call("run_skill", { name: "sum-rows" })).text).toMatch(/there is no skill "sum-rows"/);
    expect(await cli("push", "sum-rows", "--dir", dir)).toEqual({ code: 0, output: "sum-rows: create\n" });
    const again = join(codeforge.dir, "again");
    await cli("pull", "--dir", again);
    expect(filesBelow(again)).toEqual(exported);
    expect(await cli("push", "--dir", again)).toEqual({ code: 0, output: "sum-rows: unchanged\n" });
    expect((await cli("run", "sum-rows", "--input", '{"times":1}')).output).toMatch(/^\{"sum":6\}\n/);
    expect(codeforge.logs.join("\n")).toMatch(/\[skill\] delete skill="sum-rows" by="local" run=null/);
  });

  it("tells the client that saved it, and those that listen, that the list has changed", async () => {
    const legacy = await connect(codeforge.url);
    let told = 0;
    legacy.setNotificationHandler(ResourceListChangedNotificationSchema, () => void (told += 1));
    const block = `import { skills } from "codeforge";
      return skills.save({ name: "news", description: "News", code: "return 1" })`;
    await legacy.callTool({ name: "execute_code", arguments: { code: block } });
    expect(told).toBe(1);
    await legacy.close();

    const gone = new AbortController();
    const params = { notifications: { resourcesListChanged: true } };
    const listening = await postModern(codeforge.url, "subscriptions/listen", params, { signal: gone.signal });
    const reader = listening.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const heard = (async () => {
      while (!text.includes("notifications/resources/list_changed")) text += (await reader.read()).value ?? "";
    })();
    await inCode(`return skills.remove("news")`);
    await heard;
    gone.abort();
  });
});

describe("a saved module", () => {
  it("is imported by name, with its neighbours, as a block or another skill writes it", async () => {
    await save({
      name: "paging",
      code: 'import { more } from "./lib/more.ts";\nexport const fetchAll = (n: number) => more(n);\nexport default () => fetchAll(1);',
      files: {
        "lib/more.ts":
          "export const more = (n: number): number => { if (n > 90) throw new Error('far'); return n + 1 };",
      },
    });
    expect(await inCode(`import { fetchAll } from "skills/paging"; return fetchAll(3)`)).toBe(4);
    expect(await inCode(`const { fetchAll } = await import("/skills/paging.ts"); return fetchAll(4)`)).toBe(5);
    expect(await inCode(`import * as all from "skills/paging/lib/more"; return Object.keys(all)`)).toEqual(["more"]);
    expect(
      await save({ name: "user", code: 'import { fetchAll } from "skills/paging"; return fetchAll(8)' }),
    ).toMatchObject({
      action: "create",
    });
    expect((await codeforge.call("run_skill", { name: "user" })).text).toBe("9");
  });

  it.each([
    [
      "import { nope } from 'skills/paging'",
      /skills\/paging\/main.ts has no nope; it exports fetchAll, default\n  at line 2/,
    ],
    ["import x from 'skills/nowhere'", /there is no skill "nowhere"\. Known: [^]*\n  at line 2/],
    ["import x from 'skills/paging/none.ts'", /no file "none.ts"\. It has: lib\/more.ts, main.ts\n  at line 2/],
    ["import x from 'skills/../../etc/passwd'", /names no file of a skill/],
    ["import x from './lib/more.ts'", /the block is the only file/],
    ["import { more } from 'skills/paging/lib/more'; more(91)", /far\n  at skills\/paging\/lib\/more.ts, line 1:\d+/],
  ])("that is wrong is told at its place: %s", async (code, message) => {
    expect(await inCode(code)).toMatch(message);
  });
});

describe("saving", () => {
  it.each([
    ["a name that climbs", { name: "../up", code: "return 1" }, /name: use lower-case/],
    [
      "a file that climbs",
      { name: "a", code: "return 1", files: { "../b.ts": "" } },
      /\.\.\/b\.ts: write the path from/,
    ],
    [
      "code that does not compile",
      { name: "a", code: "const = 5" },
      /skills\/a\/main.ts: line 1: Unexpected token\n1 \| const = 5/,
    ],
    [
      "another file that does not",
      { name: "a", code: "return 1", files: { "b.ts": "return 1" } },
      /skills\/a\/b.ts: line 1: a file that is imported cannot return/,
    ],
    ["an import of nothing", { name: "a", code: 'import "./b.ts"; return 1' }, /line 1: .*no file "b.ts"/],
    ["no code", { name: "a" }, /code: give the text of main.ts/],
    ["an unknown field", { name: "a", code: "1", descriptoin: "x" }, /descriptoin/],
    [
      "a schema of references",
      { name: "a", code: "1", input: { type: "object", $ref: "#" } },
      /line \d+: input\.\$ref: write the schema out/,
    ],
    [
      "a front matter bomb",
      { name: "a", code: "1", files: { "SKILL.md": "---\nname: a\ndescription: &a [*a]\n---\n" } },
      /SKILL.md: line 3: aliases are not read/,
    ],
    [
      "YAML that others read differently",
      { name: "a", code: "1", files: { "SKILL.md": '---\nname: a\ndescription: x\nextra: "two\n  lines"\n---\n' } },
      /other clients cannot read it \(line 4/,
    ],
    [
      "a name that is built in",
      { name: "paginate-everything", code: "return 1", replace: true },
      /came with the server and cannot be changed/,
    ],
  ])("refuses %s", async (_, skill, message) => {
    expect(await save(skill)).toMatch(message);
    expect(await inCode(`return (await skills.list()).some((s) => s.name === "a")`)).toBe(false);
  });

  it("refuses a file of 5 MB, and says how large one may be", async () => {
    expect(
      await inCode(
        `return skills.save({ name: "big", description: "x", code: "1", files: { "big.txt": "x".repeat(5_000_000) } })`,
      ),
    ).toMatch(/big.txt: has 5000000 bytes; a file of a skill has 1048576 at most/);
  });

  it("overwrites only when told to, and only what the writer has seen", async () => {
    await save({ name: "kept", code: "return 1" });
    expect(await save({ name: "kept", code: "return 2" })).toMatch(
      /exists already \(saved by local on .*pass replace: true/,
    );
    expect(
      await inCode(`
        const { id } = await skills.read("kept");
        const skill = { name: "kept", description: "x", replace: id };
        await skills.save({ ...skill, code: "return 3" });
        return skills.save({ ...skill, code: "return 4" });
      `),
    ).toMatch(/was changed by somebody else at the same time, and nothing was overwritten/);
    expect((await codeforge.call("run_skill", { name: "kept" })).text).toBe("3");
  });

  it("lets one of two people win who save at once, and tells the other; both see one set", async () => {
    const tokens = await Promise.all(
      ["ada", "bob"].map((principal) =>
        createToken(codeforge.url, null, { name: `writer-${principal}`, principal, scopes: ["run", "skills:write"] }),
      ),
    );
    const clients = await Promise.all(tokens.map((token) => connect(codeforge.url, [], token)));
    const write = (n: number) => `import { skills } from "codeforge";
      return skills.save({ name: "race", description: "x", replace: true, code: "return ${n}" })`;
    const results = await Promise.all(
      clients.map((client, n) => client.callTool({ name: "execute_code", arguments: { code: write(n) } })),
    );
    const texts = results.map(({ content }) => (content as { text: string }[])[0]!.text);
    // They may have come one after the other as well: then both were saved.
    for (const text of texts)
      expect(text).toMatch(/"action":"(?:create|update)"|changed by somebody else at the same time/);
    const seen = await Promise.all(
      clients.map((client) => client.callTool({ name: "run_skill", arguments: { name: "race" } })),
    );
    expect(new Set(seen.map(({ content }) => (content as { text: string }[])[0]!.text)).size).toBe(1);
    await Promise.all(clients.map((client) => client.close()));
  });

  it("needs the scope skills:write, which a token may lack", async () => {
    const token = await createToken(codeforge.url, null, { name: "runner", scopes: ["run"] });
    const client = await connect(codeforge.url, [], token);
    const code = `import { skills } from "codeforge"; return skills.save({ name: "no", description: "x", code: "1" })`;
    const { content } = await client.callTool({ name: "execute_code", arguments: { code } });
    expect((content as { text: string }[])[0]!.text).toMatch(/needs a token with the scope skills:write/);
    await client.close();
  });
});

describe("running", () => {
  it("says all that is wrong with an input, before anything runs", async () => {
    await save({
      name: "picky",
      code: "throw new Error('it ran')",
      input: {
        type: "object",
        required: ["day", "limit"],
        properties: { limit: { type: "integer", maximum: 9 } },
        additionalProperties: false,
      },
    });
    const { text, isError } = await codeforge.call("run_skill", { name: "picky", input: { limit: 10, other: 1 } });
    expect(isError).toBe(true);
    expect(text).toMatch(/^input of the skill "picky":\n/);
    for (const problem of [/lacks "day"/, /limit.*9/, /other is not a known property/]) expect(text).toMatch(problem);
    expect(text).not.toContain("it ran");
  });

  it.each([
    ["off", /needs the API off on this server: not configured, or inactive\. It was not started/],
    ["unset", /needs UNSET_TOKEN, which is not set: npx codeforge secret set UNSET_TOKEN\. It was not started/],
  ])("does not begin without what it needs: %s", async (api, message) => {
    await save({ name: `needs-${api}`, apis: [api], code: "return 1" });
    expect((await codeforge.call("run_skill", { name: `needs-${api}` })).text).toMatch(message);
  });

  it("T42: a skill reaches what both it and its caller may, and writes only where its caller may", async () => {
    const requests = `const ask = (method: string) => fetch("${upstream.origin}/x", { method }).then((r) => r.status);`;
    await save({ name: "asks-shop", apis: ["shop"], code: `${requests} return [await ask("GET"), await ask("POST")]` });
    await save({ name: "asks-other", apis: ["other"], code: `${requests} return [await ask("GET")]` });
    const run = (name: string): string => `return skills.run("${name}")`;
    expect(await inCode(run("asks-shop"))).toEqual([200, 200]);
    expect(await inCode(run("asks-shop"), {}, "execute_read_only_code")).toEqual([200, 403]);
    expect(await inCode(run("asks-shop"), { apis: ["other"] })).toEqual([403, 403]);
    expect(await inCode(run("asks-other"))).toEqual([403]);
    expect(await inCode(run("asks-other"), { apis: ["shop"] })).toEqual([403]);
  });

  it.each([
    ["save", `skills.save({ name: "sneaky", description: "x", code: "1" })`],
    ["remove", `skills.remove("asks-shop")`],
  ])("T41: a read-only run, and a skill that it runs, may not %s", async (action, call) => {
    await save({ name: `does-${action}`, code: `import { skills } from "codeforge"; return ${call}` });
    const refused = /a read-only run cannot change skills/;
    expect(await inCode(`return ${call}`, {}, "execute_read_only_code")).toMatch(refused);
    expect(await inCode(`return skills.run("does-${action}")`, {}, "execute_read_only_code")).toMatch(refused);
    expect(await inCode(`return (await skills.list()).length > 0`, {}, "execute_read_only_code")).toBe(true);
  });

  it("ends a skill that runs itself, and names the way", async () => {
    await save({ name: "self", code: 'import { skills } from "codeforge"; return skills.run("self")' });
    await save({ name: "ping", code: 'import { skills } from "codeforge"; return skills.run("pong")' });
    await save({ name: "pong", code: 'import { skills } from "codeforge"; return skills.run("ping")' });
    expect((await codeforge.call("run_skill", { name: "self" })).text).toMatch(/would run itself: self → self/);
    expect((await codeforge.call("run_skill", { name: "ping" })).text).toMatch(/would run itself: ping → pong → ping/);
  });

  it("lets skills run skills only so deep, and counts what all of them sent", async () => {
    await save({ name: "level-1", code: `return (await fetch("${upstream.origin}/deep")).status` });
    for (let n = 2; n <= 6; n++)
      await save({
        name: `level-${n}`,
        code: `import { skills } from "codeforge"; return skills.run("level-${n - 1}")`,
      });
    expect((await codeforge.call("run_skill", { name: "level-5" })).text).toMatch(/^200\n\n1 request/);
    expect((await codeforge.call("run_skill", { name: "level-6" })).text).toMatch(/deep/);
  });
});

describe("a recorded test", () => {
  it("of each skill that comes along passes", async () => {
    expect(await cli("test")).toEqual({ code: 0, output: "5 passed\n" });
  });

  it("runs without its API, and fails where the skill asks for something else", async () => {
    const dir = join(codeforge.dir, "recorded");
    await save({ name: "recorded", apis: ["shop"], code: SUM.replace("URL", upstream.origin) });
    await cli("pull", "recorded", "--dir", dir);
    const recorded = await cli("record", "recorded", "three-rows", "--input", '{"times":3}', "--dir", dir);
    expect(recorded.output).toMatch(/tests\/three-rows\.json: 1 requests/);
    const path = join(dir, "recorded/tests/three-rows.json");
    expect(JSON.parse(readFileSync(path, "utf8"))).toMatchObject({ input: { times: 3 }, output: { sum: 18 } });

    const before = upstream.seen.length;
    expect(await cli("test", "--dir", dir)).toEqual({ code: 0, output: "1 passed\n" });
    expect(upstream.seen.length).toBe(before);
    mkdirSync(join(dir, "recorded"), { recursive: true });
    writeFileSync(join(dir, "recorded/main.ts"), SUM.replace("URL/rows", `${upstream.origin}/others`));
    const failed = await cli("test", "--dir", dir);
    expect(failed.code).toBe(1);
    expect(failed.output).toMatch(
      /GET http:\/\/127\.0\.0\.1:\d+\/others is not in the recording, which still has:\n {2}GET .*\/rows/,
    );
  });
});

/** What a token's rights come to: scopes, APIs outside its list, and the kill switch, for runs going on as well. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { admin, changeToken, createToken } from "../helpers/admin.ts";
import { messagesOf, postModern } from "../helpers/clients.ts";
import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Handler, type Upstream } from "../helpers/upstream.ts";

const ADMIN = "an-admin-token-for-tests-only";

let mine: Upstream;
let other: Upstream;
/** Never answers, or never ends. */
let slow: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  const neverDone: Handler = ({ url }, response) => {
    if (url === "/never") return;
    const timer = setInterval(() => response.write("more "), 50);
    response.once("close", () => clearInterval(timer));
  };
  [mine, other, slow] = await Promise.all([startUpstream(), startUpstream(), startUpstream(neverDone)]);
  codeforge = await startTestStack({
    adminToken: ADMIN,
    connect: false,
    apis: {
      mine: { description: "Open to the token", domains: [mine.origin] },
      other: { description: "Closed to the token", domains: [other.origin] },
      // Where methods are restricted, bodies are read before anything leaves.
      slow: { description: "Takes its time", domains: [slow.origin], restricted_methods: ["DELETE"] },
    },
  });
});
afterAll(async () => {
  await codeforge.stop();
  await Promise.all([mine.stop(), other.stop(), slow.stop()]);
});

interface Result {
  readonly isError?: boolean;
  readonly content: readonly { readonly text: string }[];
}

async function call(token: string, name: string, args: object = {}): Promise<{ isError: boolean; text: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const messages = await messagesOf(
    await postModern(codeforge.url, "tools/call", { name, arguments: args }, { headers }),
  );
  const result = messages.at(-1)?.result as unknown as Result;
  return { isError: result.isError === true, text: result.content.map(({ text }) => text).join("\n") };
}

const fetchStatus = (origin: string, init = ""): string =>
  `const r = await fetch("${origin}/x"${init}); return r.status + " " + (await r.text());`;

describe("a token of scope run:read_only", () => {
  let token: string;
  beforeAll(async () => {
    token = await createToken(codeforge.url, ADMIN, { name: "reader", scopes: ["run:read_only"] });
  });

  it("is refused execute_code, in both eras, by the name of the scope that is missing", async () => {
    const modern = await call(token, "execute_code", { code: fetchStatus(mine.origin) });
    expect(modern.isError).toBe(true);
    expect(modern.text).toContain("insufficient_scope: execute_code needs the scope run,");
    const client = await connect(codeforge.url, [], token);
    const legacy = await client.callTool({ name: "execute_code", arguments: { code: "return 1" } });
    expect(legacy).toMatchObject({ isError: true, content: [{ text: modern.text }] });
    await client.close();
    expect(mine.seen).toEqual([]);
  });

  it("runs read-only code, of which no write leaves", async () => {
    const read = await call(token, "execute_read_only_code", { code: fetchStatus(mine.origin) });
    expect(read.text).toMatch(/^200 /);
    const write = await call(token, "execute_read_only_code", {
      code: fetchStatus(mine.origin, ', { method: "POST" }'),
    });
    expect(write.text).toContain("read_only");
    expect(mine.seen.map(({ method }) => method)).toEqual(["GET"]);
  });

  it("lists the APIs", async () => {
    expect(await call(token, "list_apis")).toMatchObject({ isError: false });
  });
});

describe("a token without any scope to run", () => {
  it.each([["admin"], ["skills:write"]])("of scope %s does not get to MCP", async (scope) => {
    const token = await createToken(codeforge.url, ADMIN, { name: scope.replace(":", "-"), scopes: [scope] });
    const response = await postModern(
      codeforge.url,
      "tools/list",
      {},
      { headers: { authorization: `Bearer ${token}` } },
    );
    expect(response.status).toBe(403);
    expect(response.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="run:read_only"');
    await response.text();
  });
});

describe("an API outside a token's list", () => {
  let token: string;
  beforeAll(async () => {
    token = await createToken(codeforge.url, ADMIN, { name: "narrow", apis: ["mine"] });
  });

  it("cannot be reached from inside a block, named or not", async () => {
    const before = other.seen.length;
    expect((await call(token, "execute_code", { code: fetchStatus(other.origin) })).text).toMatch(
      /^403 .*private_address/,
    );
    const named = await call(token, "execute_code", { code: fetchStatus(other.origin), apis: ["other"] });
    expect(named).toMatchObject({ isError: true });
    expect(named.text).toBe('apis: there is no API "other". Known: mine.');
    expect(other.seen.length).toBe(before);
    expect((await call(token, "execute_code", { code: fetchStatus(mine.origin) })).text).toMatch(/^200 /);
  });

  it("is in no list, resource or completion", async () => {
    expect((await call(token, "list_apis")).text).not.toContain("other");
    expect((await call(token, "list_apis", { name: "other" })).isError).toBe(true);
    const client = await connect(codeforge.url, [], token);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toContain("codeforge://apis/mine");
    expect(JSON.stringify(resources)).not.toContain("other");
    await expect(client.readResource({ uri: "codeforge://apis/other" })).rejects.toThrow(/no API/);
    const ref = { type: "ref/resource", uri: "codeforge://apis/{name}" } as const;
    const { completion } = await client.complete({ ref, argument: { name: "name", value: "" } });
    expect(completion.values).toEqual(["mine"]);
    await client.close();
  });
});

/** Sends a request a tenth of a second until one is refused, and tells how long that took. */
const UNTIL_REFUSED = (origin: string): string => `
  await fetch("${origin}/begin");
  const begun = Date.now();
  for (;;) {
    const response = await fetch("${origin}/again");
    if (response.status !== 200) return { code: (await response.json()).error.code, ms: Date.now() - begun };
    await response.text();
    await new Promise((done) => setTimeout(done, 100));
  }
`;

/** Resolves once the upstream has seen the first request of a block; gives up after a while. */
async function untilBegun(upstream: Upstream): Promise<void> {
  const begun = (): number => upstream.seen.filter(({ url }) => url === "/begin").length;
  const before = begun();
  for (let tries = 0; begun() === before; tries++) {
    if (tries > 1_000) throw new Error("the block sent nothing");
    await new Promise((done) => setTimeout(done, 20));
  }
}

describe("the kill switch", () => {
  it("closes an API within 5 s to a run that is going on, and opens it again", async () => {
    const token = await createToken(codeforge.url, ADMIN, { name: "on-the-way" });
    const begun = untilBegun(mine);
    const running = call(token, "execute_code", { code: UNTIL_REFUSED(mine.origin) });
    await begun;
    expect((await admin(codeforge.url, ADMIN, "apis/mine", { disabled: true })).status).toBe(200);
    const { text } = await running;
    expect(text).toContain('"api_disabled"');
    expect(Number(/"ms": ?(\d+)/.exec(text)?.[1])).toBeLessThan(5_000);
    expect((await call(token, "list_apis")).text).toContain("SWITCHED OFF");
    expect(await (await admin(codeforge.url, ADMIN, "apis")).json()).toEqual({
      apis: [
        { name: "mine", disabled: true },
        { name: "other", disabled: false },
        { name: "slow", disabled: false },
      ],
    });
    // What is written about one API leaves the others alone.
    expect((await call(token, "execute_code", { code: fetchStatus(other.origin) })).text).toMatch(/^200 /);

    await admin(codeforge.url, ADMIN, "apis/mine", { disabled: false });
    expect((await call(token, "execute_code", { code: fetchStatus(mine.origin) })).text).toMatch(/^200 /);
  });

  it.each(["disabled", "revoked"])("stops the run of a token that is %s within 5 s, and no other", async (state) => {
    const [token, bystander] = await Promise.all(
      [`going-${state}`, `staying-${state}`].map((name) =>
        createToken(codeforge.url, ADMIN, { name, principal: "ada" }),
      ),
    );
    const begun = untilBegun(mine);
    const running = call(token!, "execute_code", { code: UNTIL_REFUSED(mine.origin) });
    await begun;
    await changeToken(codeforge.url, ADMIN, `going-${state}`, state);
    const { text } = await running;
    expect(text).toContain('"token_disabled"');
    expect(Number(/"ms": ?(\d+)/.exec(text)?.[1])).toBeLessThan(5_000);
    expect((await call(bystander!, "execute_code", { code: fetchStatus(mine.origin) })).text).toMatch(/^200 /);
  });

  it.each([
    ["/never", '["api_disabled"]'],
    ["/endless", '["streamed","broke off"]'],
  ])("cuts what is on its way to %s, and says so in the ledger", async (path, expected) => {
    const token = await createToken(codeforge.url, ADMIN, { name: `open${path.replace("/", "-")}` });
    const code = `
      const response = await fetch("${slow.origin}${path}");
      if (!response.ok) return [(await response.json()).error.code];
      const seen = [];
      try {
        for await (const piece of response.body) seen[0] = "streamed";
      } catch {
        seen.push("broke off");
      }
      return seen;`;
    const before = slow.seen.length;
    // Neither of the two would end by itself before the run does.
    const running = call(token, "execute_code", { code, timeout: 15_000 });
    await expect.poll(() => slow.seen.length, { timeout: 10_000 }).toBe(before + 1);
    await admin(codeforge.url, ADMIN, "apis/slow", { disabled: true });
    const { text } = await running;
    await admin(codeforge.url, ADMIN, "apis/slow", { disabled: false });
    const [value = "", ...summary] = text.split("\n\n");
    expect(JSON.parse(value)).toEqual(JSON.parse(expected));
    expect(summary.join()).toContain("api_disabled");
  });

  it("closes an API to a request whose body the code has held back meanwhile", async () => {
    const token = await createToken(codeforge.url, ADMIN, { name: "held-back" });
    const code = `
      const { readable, writable } = new TransformStream();
      const writer = writable.getWriter();
      const headers = { "content-type": "application/json" };
      const answer = fetch("${slow.origin}/held", { method: "POST", headers, body: readable });
      await writer.write(new TextEncoder().encode("{"));
      await fetch("${mine.origin}/begin");
      await new Promise((done) => setTimeout(done, 4_000));
      await writer.write(new TextEncoder().encode("}"));
      await writer.close();
      const response = await answer;
      return [response.status, (await response.json()).error.code];`;
    const begun = untilBegun(mine);
    const running = call(token, "execute_code", { code, timeout: 15_000 });
    await begun;
    await admin(codeforge.url, ADMIN, "apis/slow", { disabled: true });
    const { text } = await running;
    await admin(codeforge.url, ADMIN, "apis/slow", { disabled: false });
    expect(JSON.parse(text.split("\n\n")[0] ?? "")).toEqual([403, "api_disabled"]);
    expect(slow.seen.filter(({ url }) => url === "/held")).toEqual([]);
  });

  it("still holds after a change of configuration, which ends the process", async () => {
    await admin(codeforge.url, ADMIN, "apis/other", { disabled: true });
    await codeforge.stack.reload();
    const { apis } = (await (await admin(codeforge.url, ADMIN, "apis")).json()) as { apis: unknown };
    expect(apis).toContainEqual({ name: "other", disabled: true });
  });

  it("knows no API that does not exist", async () => {
    expect((await admin(codeforge.url, ADMIN, "apis/nope", { disabled: true })).status).toBe(404);
  });
});

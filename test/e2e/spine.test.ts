/** The spine: a block of a model's reaches authenticated services through the proxy, and knows no key. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

const ECHO_TOKEN = plainCanary();
const BASIC_PASSWORD = plainCanary();

let upstream: Upstream;
let other: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  [upstream, other] = await Promise.all([startUpstream(), startUpstream()]);
  codeforge = await startTestStack({
    apis: {
      echo: { description: "Says what it was sent", domains: [upstream.origin], credentials: ["ECHO_TOKEN"] },
      other: {
        description: "Another one",
        domains: [other.origin],
        credentials: ["OTHER_PASSWORD"],
        restricted_methods: ["DELETE"],
        reference: "https://docs.example.com/api",
      },
      asleep: { description: "Off", domains: ["asleep.example.com"], credentials: ["ASLEEP_TOKEN"], active: false },
    },
    types: { other: "export interface Thing { id: string }" },
    vars: { ECHO_TOKEN, OTHER_PASSWORD: BASIC_PASSWORD, ASLEEP_TOKEN: plainCanary() },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await Promise.all([upstream.stop(), other.stop()]);
});

beforeEach(() => {
  upstream.seen.length = 0;
  other.seen.length = 0;
});

describe("execute_code", () => {
  it("runs a block and returns its value", async () => {
    const result = await codeforge.run("return 6 * 7");
    expect(result.text).toBe("42");
    expect(result.structured).toMatchObject({ result: 42 });
  });

  it("puts the value in on the way out and the name back on the way in", async () => {
    const { text } = await codeforge.run(`
      const response = await fetch("${upstream.origin}/v1?a=1", { headers: { Authorization: "Bearer ECHO_TOKEN" } });
      return (await response.json()).headers.authorization;
    `);
    expect(text).toMatch(/^Bearer ECHO_TOKEN\n\n1 request, \d+ ms$/);
    expect(upstream.seen.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${ECHO_TOKEN}`]);
  });

  it("decodes Basic, puts the value in, and encodes it again", async () => {
    const { text } = await codeforge.run(`
      const headers = { Authorization: "Basic " + btoa("user:OTHER_PASSWORD") };
      const response = await fetch("${other.origin}/", { headers });
      return atob((await response.json()).headers.authorization.slice(6));
    `);
    expect(other.seen[0]?.headers.authorization).toBe(`Basic ${btoa(`user:${BASIC_PASSWORD}`)}`);
    expect(text).not.toContain(BASIC_PASSWORD);
  });

  it("gives the names of credentials through process.env, so that code written that way works", async () => {
    const { text } = await codeforge.run(`
      const headers = { authorization: \`Bearer \${process.env.ECHO_TOKEN}\` };
      await fetch("${upstream.origin}/", { headers });
      return process.env.ECHO_TOKEN;
    `);
    expect(text).toContain("ECHO_TOKEN");
    expect(upstream.seen[0]?.headers.authorization).toBe(`Bearer ${ECHO_TOKEN}`);
  });

  it("T24: sends a credential's name as it stands to a host of another API", async () => {
    await codeforge.run(`await fetch("${other.origin}/", { headers: { Authorization: "Bearer ECHO_TOKEN" } })`);
    expect(other.seen.map(({ headers }) => headers.authorization)).toEqual(["Bearer ECHO_TOKEN"]);
  });

  it("sends a User-Agent of its own, whatever the code says", async () => {
    await codeforge.run(`await fetch("${upstream.origin}/", { headers: { "User-Agent": "curl/8" } })`);
    expect(upstream.seen[0]?.headers["user-agent"]).toMatch(/^CodeForge\/\d/);
  });

  it("answers 403 for a host that no API names, and says which are", async () => {
    const { text } = await codeforge.run(`
      const response = await fetch("https://evil.example.com/");
      return { status: response.status, error: (await response.json()).error };
    `);
    const [json = ""] = text.split("\n\n");
    const { status, error } = JSON.parse(json) as { status: number; error: { code: string; allowed: string[] } };
    expect(status).toBe(403);
    expect(error.code).toBe("host_not_allowed");
    expect(error.allowed).toContain(upstream.origin);
    expect(text).toContain("GET evil.example.com/ → host_not_allowed (refused)");
  });

  it("closes the domains of an inactive API, and hides it", async () => {
    const { text } = await codeforge.run(`return (await fetch("https://asleep.example.com/")).status`);
    expect(text).toMatch(/^403/);
    expect((await codeforge.call("list_apis", {})).text).not.toContain("asleep");
  });

  it("refuses a restricted method, before anything leaves", async () => {
    const { text } = await codeforge.run(`
      const response = await fetch("${other.origin}/things/1", { method: "DELETE" });
      return [response.status, (await response.json()).error.code];
    `);
    expect(text).toMatch(/^\[403,"method_restricted"\]/);
    expect(other.seen).toEqual([]);
  });

  it("narrows a run to the APIs it names", async () => {
    const { text } = await codeforge.run(
      `
      const response = await fetch("${other.origin}/");
      return [response.status, (await response.json()).error];
      `,
      { apis: ["echo"] },
    );
    expect(text).toContain("api_not_in_run");
    expect(text).toMatch(/not .*in apis|not in .*apis|`?apis`?/i);
    expect(other.seen).toEqual([]);
  });

  it("refuses an API that does not exist and names those that do", async () => {
    const { text, isError } = await codeforge.run("return 1", { apis: ["no-such-api"] });
    expect(isError).toBe(true);
    expect(text).toBe('apis: there is no API "no-such-api". Known: echo, other.');
  });

  it("ends a run at its timeout, with its upstream request", async () => {
    const startedMs = Date.now();
    const { text, isError } = await codeforge.run("await new Promise((done) => setTimeout(done, 60_000))", {
      timeout: 300,
    });
    expect(isError).toBe(true);
    expect(text).toContain("timeout of 300 ms");
    expect(Date.now() - startedMs).toBeLessThan(300 + 2_000);
  });
});

describe("execute_read_only_code", () => {
  it("refuses a POST with a reason, and nothing reaches the upstream", async () => {
    const { text } = await codeforge.call("execute_read_only_code", {
      code: `
        const response = await fetch("${upstream.origin}/things", { method: "POST", body: "{}" });
        return [response.status, (await response.json()).error];
      `,
    });
    expect(text).toMatch(/^\[403,/);
    expect(text).toContain('"code":"read_only"');
    expect(text).toMatch(/\n1 request, \d+ ms\nPOST .*\/things → read_only \(refused\)$/);
    expect(upstream.seen).toEqual([]);
  });

  it("T20: judges the method that an override header names", async () => {
    const { text } = await codeforge.call("execute_read_only_code", {
      code: `
        const response = await fetch("${upstream.origin}/things", { headers: { "X-HTTP-Method-Override": "DELETE" } });
        return response.status;
      `,
    });
    expect(text).toMatch(/^403/);
    expect(upstream.seen).toEqual([]);
  });

  it("lets a GET out", async () => {
    const { text } = await codeforge.call("execute_read_only_code", {
      code: `return (await fetch("${upstream.origin}/things")).status`,
    });
    expect(text).toMatch(/^200/);
  });
});

describe("list_apis", () => {
  it("says what code may call, and no value", async () => {
    const { text } = await codeforge.call("list_apis", {});
    expect(text).toContain("echo: Says what it was sent");
    expect(text).toContain(`hosts: ${other.origin}`);
    expect(text).toContain("credential: OTHER_PASSWORD");
    expect(text).toContain("not allowed: DELETE");
    expect(text).toContain("reference: https://docs.example.com/api");
  });

  it("adds the types of one API", async () => {
    const { text } = await codeforge.call("list_apis", { name: "other" });
    expect(text).toContain("export interface Thing { id: string }");
    expect(text).not.toContain("echo:");
  });

  it("says when there is no such API", async () => {
    const { text, isError } = await codeforge.call("list_apis", { name: "nope" });
    expect(isError).toBe(true);
    expect(text).toBe('name: there is no API "nope". Known: echo, other.');
  });
});

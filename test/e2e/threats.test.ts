/** Threats that show only in the whole: a hostile block, a hostile upstream, and everything of ours between them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { Response } from "miniflare";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Handler, type Upstream } from "../helpers/upstream.ts";

const A_TOKEN = plainCanary();
const A_TOKEN_PREVIOUS = plainCanary();
const B_TOKEN = plainCanary();
const OAUTH_SECRET = plainCanary();

/** Built at run time, so that no scanner takes this file for a leak. */
const NEW_KEY = `sk_live_${"0123456789abcdef".repeat(2)}`;

interface Sent {
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly cf: unknown;
}

/** What left the proxy for public hosts, whose place a function takes here. */
const sent: Sent[] = [];
let handler: Handler;
let local: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  local = await startUpstream((request, response, raw) => handler(request, response, raw));
  codeforge = await startTestStack({
    apis: {
      a: { description: "A", domains: ["a.example.com"], credentials: ["A_TOKEN"] },
      b: { description: "B", domains: ["b.example.com"], credentials: ["B_TOKEN"] },
      oauth: {
        description: "Makes tokens",
        domains: ["oauth.example.com"],
        credentials: [{ name: "OAUTH_SECRET", in: ["body:client_secret"] }],
        mask_new_secrets: true,
      },
      short: { description: "A short value", domains: ["short.example.com"], credentials: ["SHORT_KEY"] },
      graph: { description: "GraphQL", domains: ["graph.example.com"], graphql: "/graphql" },
      local: { description: "Local", domains: [local.origin], credentials: ["LOCAL_TOKEN"] },
    },
    vars: {
      A_TOKEN,
      A_TOKEN_PREVIOUS,
      B_TOKEN,
      OAUTH_SECRET,
      SHORT_KEY: "true",
      LOCAL_TOKEN: plainCanary(),
      REDACTING_STRINGS: "Apt #4",
    },
    internet: async (request) => {
      const headers = Object.fromEntries(request.headers);
      sent.push({ url: request.url, headers, cf: request.cf });
      const { hostname, pathname } = new URL(request.url);
      if (hostname === "short.example.com") return new Response(JSON.stringify({ ok: true }));
      if (pathname === "/stored") return new Response(`webhook: ${A_TOKEN}`);
      if (pathname === "/previous") return new Response(`it was ${A_TOKEN_PREVIOUS}`);
      if (pathname === "/huge") return new Response(null, { headers: { "content-length": String(3 * 1024 ** 3) } });
      if (pathname === "/keys") return new Response(JSON.stringify({ key: NEW_KEY, body: await request.text() }));
      return new Response(JSON.stringify({ authorization: headers["authorization"] }));
    },
  });
});

afterAll(async () => {
  await codeforge.stop();
  await local.stop();
});

beforeEach(() => {
  sent.length = 0;
});

describe("values", () => {
  it("T14: a token endpoint's new secret is masked where the config asks for it, and the client's own comes back as its name", async () => {
    const code = (host: string): string => `
      const body = new URLSearchParams({ client_secret: "OAUTH_SECRET" });
      return (await fetch("https://${host}/keys", { method: "POST", body })).json()`;
    const { structured } = await codeforge.run(code("oauth.example.com"));
    expect(structured?.["result"]).toEqual({ key: "[SECRET:stripe]", body: "client_secret=OAUTH_SECRET" });
    const other = await codeforge.run(code("a.example.com"));
    expect(other.structured?.["result"]).toEqual({ key: NEW_KEY, body: "client_secret=OAUTH_SECRET" });
  });

  it("T16: a value like true leaves JSON as it is, and list_apis says that it is too short to be hidden", async () => {
    const { text } = await codeforge.run(`return (await fetch("https://short.example.com/")).json()`);
    expect(text).toMatch(/^\{"ok":true\}/);
    expect((await codeforge.call("list_apis", {})).text).toContain(
      "SHORT_KEY (set, but too short to be hidden in responses)",
    );
  });

  it("T3: the value of an API that the run leaves out is hidden all the same, for one host may store what another was sent", async () => {
    const { text } = await codeforge.run(`return (await fetch("https://b.example.com/stored")).text()`, {
      apis: ["b"],
    });
    expect(text).toMatch(/^webhook: A_TOKEN\n/);
  });

  it("rotation: the previous value is hidden under the name, and never sent", async () => {
    const { text } = await codeforge.run(`
      const headers = { Authorization: "Bearer A_TOKEN", "X-Api-Key": "A_TOKEN_PREVIOUS" };
      return (await fetch("https://a.example.com/previous", { headers })).text()`);
    expect(text).toMatch(/^it was A_TOKEN\n/);
    expect(sent.map(({ headers }) => [headers["authorization"], headers["x-api-key"]])).toEqual([
      [`Bearer ${A_TOKEN}`, "A_TOKEN_PREVIOUS"],
    ]);
  });

  it("T35: nothing that a block can reach in its isolate holds a value", async () => {
    const { text } = await codeforge.run(`
      import fs from "node:fs";
      const seen = new Set();
      const found = [];
      const walk = (value, depth) => {
        if (typeof value === "string") found.push(value);
        if (value === null || !["object", "function"].includes(typeof value) || seen.has(value) || depth > 6) return;
        seen.add(value);
        for (const key of Reflect.ownKeys(value)) { try { found.push(String(key)); walk(value[key], depth + 1) } catch {} }
        walk(Object.getPrototypeOf(value), depth + 1);
      };
      const response = await fetch("https://a.example.com/", { headers: { Authorization: "Bearer A_TOKEN" } });
      for (const root of [globalThis, process, response, await response.json(), process.getBuiltinModule("cloudflare:workers")])
        walk(root, 0);
      for (const name of fs.readdirSync("/tmp")) found.push(fs.readFileSync("/tmp/" + name, "utf8"));
      const text = found.join(" ");
      return [found.length > 1000, text.includes("A_TOKEN"), text.includes("${A_TOKEN.slice(0, 12)}")];`);
    expect(text).toMatch(/^\[true,true,false\]/);
  });
});

describe("requests", () => {
  it("T30: a run cannot hide what it sent behind requests whose record would be too long", async () => {
    const { text } = await codeforge.run(`
      await fetch("https://b.example.com/write", { method: "POST", body: "x" });
      const long = "a".repeat(4_000_000);
      const statuses = [];
      for (const url of ["https://b.example.com/" + long, "https://" + long + ".com/"])
        for (let count = 0; count < 5; count++) statuses.push((await fetch(url)).status);
      return [...new Set(statuses)];`);
    expect(text).toMatch(/^\[414\]\n\n11 requests, 1 write/);
    expect(text).toContain("POST b.example.com/write → 200");
    expect(sent).toHaveLength(1);
  });

  it("T41: a read-only run is judged by what leaves, not by what stood there before redaction", async () => {
    // The comment ends the first line; without the sign in the redacted string, there is none.
    const query = "query Apt #4 { a } mutation Erase { erase }\n{ a }";
    const post = (document: string): string => `
      const body = JSON.stringify({ query: ${JSON.stringify(document)}, operationName: "Erase" });
      const headers = { "content-type": "application/json" };
      const response = await fetch("https://graph.example.com/graphql", { method: "POST", body, headers });
      return [response.status, (await response.json()).error?.code ?? null];`;
    const forged = await codeforge.call("execute_read_only_code", { code: post(query) });
    expect(forged.structured?.["result"]).toEqual([403, "read_only_graphql"]);
    expect(sent).toEqual([]);
    const plain = await codeforge.call("execute_read_only_code", { code: post("query Apt { a }") });
    expect(plain.structured?.["result"]).toEqual([200, null]);
  });

  it("T26: what the code says to the runtime's cache and resolver stays behind, and a credentialed request is not cached", async () => {
    const { text } = await codeforge.run(`
      const cf = { cacheEverything: true, cacheKey: "k", resolveOverride: "evil.example.com" };
      await fetch("https://a.example.com/one", { cf });
      await fetch("https://a.example.com/two", { cf, headers: { Authorization: "Bearer A_TOKEN" } });`);
    expect(text).toContain("2 requests");
    const kept = sent.map(({ url, headers, cf }) => [new URL(url).pathname, headers["cache-control"], cf]);
    expect(kept.map(([path, control]) => [path, control])).toEqual([
      ["/one", undefined],
      ["/two", "no-cache"],
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/cacheEverything|cacheKey|resolveOverride/);
  });

  it("T27: runs side by side with APIs of their own never see each other's rights or values", async () => {
    const block = (own: string, other: string, pauseMs: number): string => `
      const ask = async (host, name) => {
        await scheduler.wait(Math.random() * ${pauseMs});
        const headers = { Authorization: "Bearer " + name + "_TOKEN" };
        const response = await fetch("https://" + host + ".example.com/", { headers });
        return response.status === 200 ? (await response.json()).authorization : response.status;
      };
      const seen = new Set();
      for (let step = 0; step < 10; step++) {
        seen.add(JSON.stringify(await Promise.all([ask("${own}", "${own.toUpperCase()}"), ask("${other}", "${own.toUpperCase()}"),
          ask("${own}", "${other.toUpperCase()}")])));
      }
      return [...seen];`;
    const run = async (own: string, other: string, pauseMs: number): Promise<unknown> =>
      (await codeforge.run(block(own, other, pauseMs), { apis: [own] })).structured?.["result"];
    const pairs = Array.from({ length: 10 }, (_, index) =>
      Promise.all([run("a", "b", index), run("b", "a", 10 - index)]),
    );
    for (const pair of await Promise.all(pairs)) {
      expect(pair).toEqual([['["Bearer A_TOKEN",403,"Bearer B_TOKEN"]'], ['["Bearer B_TOKEN",403,"Bearer A_TOKEN"]']]);
    }
    expect(sent).toHaveLength(400);
    expect(new Set(sent.map(({ url, headers }) => `${new URL(url).hostname} ${headers["authorization"]}`))).toEqual(
      new Set([
        `a.example.com Bearer ${A_TOKEN}`,
        "a.example.com Bearer B_TOKEN",
        `b.example.com Bearer ${B_TOKEN}`,
        "b.example.com Bearer A_TOKEN",
      ]),
    );
  });

  it.each([
    [
      "request_too_large",
      `fetch("https://a.example.com/", { method: "POST", body: "x", headers: { "content-length": "209715200" } })`,
    ],
    ["response_too_large", `fetch("https://a.example.com/huge")`],
  ])("T30: %s is said of what goes over the limits", async (reason, request) => {
    const { text } = await codeforge.run(`return (await (await ${request}).json()).error.code`);
    expect(text).toContain(reason);
  });

  it("T55: a run that is cancelled while others wait for the same answer takes none of them along", async () => {
    const waiting: (() => void)[] = [];
    handler = (_request, response) => {
      waiting.push(() => response.end("answered"));
      if (waiting.length === 3) for (const answer of waiting) answer();
    };
    const code = `return (await fetch("${local.origin}/slow", { headers: { Authorization: "Bearer LOCAL_TOKEN" } })).text()`;
    const leader = new AbortController();
    const options = { signal: leader.signal };
    const first = codeforge.client.callTool({ name: "execute_code", arguments: { code } }, undefined, options);
    const ended = first.then(
      () => "answered",
      () => "cancelled",
    );
    while (waiting.length < 1) await new Promise((done) => setTimeout(done, 10));
    const followers = [codeforge.run(code), codeforge.run(code)];
    leader.abort();
    expect(await ended).toBe("cancelled");
    expect((await Promise.all(followers)).map(({ text }) => text.split("\n")[0])).toEqual(["answered", "answered"]);
  });
});

/** Five streams at a time; guess `n` goes into the one that its path names. */
const PROBE = (origin: string): string => `
  const spell = async (stream) => {
    const { body } = await fetch("${origin}/stream/" + stream);
    let received = 0;
    (async () => { for await (const piece of body) received += piece.length; })().catch(() => {});
    const settle = async (expected) => {
      for (let waited = 0; received < expected && waited < 5000; waited += 2) await scheduler.wait(2);
    };
    await settle(4096 - 1024);
    await scheduler.wait(100);
    const seen = {};
    for (let probe = 0; probe < 100; probe++) {
      const before = received;
      await fetch("${origin}/guess/" + stream + "/" + probe);
      await settle(before + 64);
      const came = received - before;
      seen[came] = (seen[came] ?? 0) + 1;
      if (came !== 64) break;
    }
    return seen;
  };
  return Promise.all([0, 1, 2, 3, 4].map(spell));`;

describe("T15: a host under the block's control that streams guesses back", () => {
  it("learns nothing from a thousand of them", async () => {
    const streams: { write(text: string): unknown }[] = [];
    handler = ({ url }, response) => {
      const [, kind, stream, guess] = url.split("/");
      if (kind === "stream") {
        response.write(".".repeat(4096));
        streams[Number(stream)] = response;
        return;
      }
      // Every other guess is right: the value's own next letter, after all that come before it.
      const index = Number(guess) % (A_TOKEN.length - 2);
      const letter = Number(guess) % 2 === 0 ? A_TOKEN[index] : "~";
      streams[Number(stream)]?.write(`${A_TOKEN.slice(0, index)}${letter}`.padStart(64, "."));
      response.end();
    };
    for (let half = 0; half < 2; half++) {
      const { structured } = await codeforge.run(PROBE(local.origin), { timeout: 100_000 });
      expect(structured?.["result"]).toEqual(Array.from({ length: 5 }, () => ({ 64: 100 })));
    }
  });
});

it("T50: the port at which the proxy takes the sandbox's requests is refused, even when a config writes it out", async () => {
  const door = await codeforge.stack.server.unsafeGetDirectURL("codeforge-outbound-proxy", "Forwarder");
  mkdirSync(join(codeforge.dir, "apis/door"));
  writeFileSync(
    join(codeforge.dir, "apis/door/config.json"),
    JSON.stringify({ description: "A door of ours", domains: [door.origin] }),
  );
  await codeforge.stack.reload();
  const { text } = await codeforge.run(`return await (await fetch("${door.origin}/")).text()`, { apis: ["door"] });
  expect(text).toContain("own_port");
});

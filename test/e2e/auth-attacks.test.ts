/**
 * The attack table: what a server answers to whoever has no right, on every route and in both eras. Each refusal has its
 * status and the words of the standard, and says nothing of why.
 */
import { readdirSync, readFileSync } from "node:fs";
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";
import { join, resolve } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { AuditList } from "../../src/contract/admin.ts";
import { VERSION } from "../../src/contract/version.ts";
import { admin, changeToken, createToken } from "../helpers/admin.ts";
import { post, postModern } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

const ADMIN = "an-admin-token-for-tests-only";
const ADMIN_SOURCES = resolve(import.meta.dirname, "../../src/admin");

let upstream: Upstream;
/** As deployed: no binding of the local runner. */
let deployed: TestStack;
/** The same, with limits that a test can reach. */
let crowded: TestStack;
/** As `npm start` has it with a token. */
let local: TestStack;

beforeAll(async () => {
  upstream = await startUpstream();
  const apis = { echo: { description: "Says what it was sent", domains: [upstream.origin] } };
  const start = (address: number, principal: number): Promise<TestStack> => {
    const limitTo = (limit: number) => ({ namespace_id: "1", simple: { limit, period: 60 as const } });
    const ratelimits = { ADDRESS_LIMIT: limitTo(address), PRINCIPAL_LIMIT: limitTo(principal) };
    return startTestStack({
      connect: false,
      apis,
      adjust: (key, worker) =>
        key === "server" ? { ...worker, bindings: { ADMIN_TOKEN: ADMIN }, ratelimits } : worker,
    });
  };
  [deployed, crowded, local] = await Promise.all([
    start(10_000, 10_000),
    start(5, 3),
    startTestStack({ connect: false, apis, adminToken: ADMIN }),
  ]);
  slow = Promise.all([sendSlowly("/mcp"), sendSlowly("/admin/tokens")]);
});
afterAll(async () => {
  await Promise.all([deployed.stop(), crowded.stop(), local.stop()]);
  await upstream.stop();
});

/** The statuses of two requests that were begun with everything else here and have never sent their bodies. */
let slow: Promise<number[]>;

/** Sends the head and one byte of a body that never comes. The status, or 0 when the connection ends without one. */
function sendSlowly(path: string): Promise<number> {
  return new Promise((done) => {
    const headers = { ...MESSAGE, authorization: `Bearer ${ADMIN}`, "content-length": 100 };
    const request = httpRequest(new URL(path, deployed.url), { method: "POST", headers }, ({ statusCode = 0 }) => {
      request.destroy();
      done(statusCode);
    });
    request.on("error", () => done(0));
    request.write("{");
  });
}

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** A request with any header, also those that `fetch` does not let a program set. */
function send(url: URL, method: string, headers: OutgoingHttpHeaders = {}, body = ""): Promise<Answer> {
  return new Promise((done, fail) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        done({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks).toString() }),
      );
    });
    request.on("error", fail);
    request.end(body);
  });
}

const MESSAGE = { "content-type": "application/json", accept: "application/json, text/event-stream" };
const INITIALIZE = JSON.stringify({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "attacker", version: "1" } },
});

/** Every route there is, and one that is not, with a request that means it. */
const ROUTES: readonly (readonly [name: string, method: string, path: string, body?: string])[] = [
  ["MCP, 2025 era", "POST", "/mcp", INITIALIZE],
  ["MCP, resumed", "GET", "/mcp"],
  ["MCP, ended", "DELETE", "/mcp"],
  ["operations", "POST", "/mcp/echo", INITIALIZE],
  ["operations, resumed", "GET", "/mcp/echo"],
  ["operations, ended", "DELETE", "/mcp/echo"],
  ["whoami", "GET", "/admin/whoami"],
  ["tokens", "GET", "/admin/tokens"],
  ["a new token", "POST", "/admin/tokens", '{"name":"mine","scopes":["admin"]}'],
  ["a change of a token", "POST", "/admin/tokens/mine", '{"state":"active"}'],
  ["APIs", "GET", "/admin/apis"],
  ["the switch", "POST", "/admin/apis/echo", '{"disabled":true}'],
  ["runs", "GET", "/admin/runs"],
  ["a run", "GET", "/admin/runs/5b1f2c1e-0000-4000-8000-000000000001"],
  ["the audit", "GET", "/admin/audit"],
  ["skills", "GET", "/admin/skills"],
  ["a skill", "GET", "/admin/skills/mine"],
  ["a new skill", "PUT", "/admin/skills/mine", '{"files":{"main.ts":"return 1"}}'],
  ["a removed skill", "DELETE", "/admin/skills/mine"],
  ["a restored skill", "POST", "/admin/skills/mine/restore", '{"version":"1"}'],
  ["a skill's run", "POST", "/admin/skills/mine/run", '{"input":{}}'],
  ["the self-test", "POST", "/admin/self-test"],
  ["nothing", "GET", "/nowhere"],
  ["nothing below admin", "GET", "/admin/nowhere"],
];

it("the table of attacks has every route of the administration", () => {
  const sections = readdirSync(ADMIN_SOURCES).map((file) => [file, readFileSync(join(ADMIN_SOURCES, file), "utf8")]);
  const served = sections.flatMap(([file = "", text = ""]) =>
    [...text.matchAll(/\b(routes|admin)\.(get|post|put|patch|delete)\(\s*"([^"]*)"/g)].map(
      ([, owner, method = "", path = ""]) =>
        `${method.toUpperCase()} /admin${owner === "routes" ? `/${file.replace(".ts", "")}` : ""}${path}`.replace(
          /\/$/,
          "",
        ),
    ),
  );
  expect(served.length).toBeGreaterThan(14);
  const attacked = ROUTES.map(([, method, path]) => `${method} ${path}`);
  const isAttacked = (route: string): boolean => {
    const form = new RegExp(`^${route.replaceAll(/:\w+/g, "[^/]+")}$`);
    return attacked.some((one) => form.test(one));
  };
  expect(served.filter((route) => !isAttacked(route))).toEqual([]);
});

/** Requests that carry no token that opens anything; `true` for those that show one. */
async function attackers(): Promise<[name: string, headers: OutgoingHttpHeaders, shows: boolean][]> {
  const make = (name: string, more: object = {}): Promise<string> =>
    createToken(deployed.url, ADMIN, { name, scopes: ["run", "admin"], ...more });
  const [expired, revoked, disabled, good] = await Promise.all([
    make("expired", { expiresInDays: 1e-8 }),
    make("revoked"),
    make("disabled"),
    make("good"),
  ]);
  await changeToken(deployed.url, ADMIN, "revoked", "revoked");
  await changeToken(deployed.url, ADMIN, "disabled", "disabled");
  const bearer = (token: string): OutgoingHttpHeaders => ({ authorization: `Bearer ${token}` });
  return [
    ["no token", {}, false],
    ["an empty one", { authorization: "Bearer " }, false],
    ["another scheme", { authorization: `Basic ${Buffer.from(`admin:${ADMIN}`).toString("base64")}` }, false],
    ["a token in other headers", { "x-api-key": ADMIN, cookie: `token=${ADMIN}` }, false],
    ["a wrong one", bearer("wrong"), true],
    ["the beginning of the right one", bearer(ADMIN.slice(0, -1)), true],
    ["more than the right one", bearer(`${ADMIN}x`), true],
    ["one with another secret", bearer(good.replace(/.$/, (last) => (last === "0" ? "1" : "0"))), true],
    ["one of no row", bearer(`codeforge_${"0".repeat(16)}_${"0".repeat(64)}`), true],
    ["an expired one", bearer(expired), true],
    ["a revoked one", bearer(revoked), true],
    ["a disabled one", bearer(disabled), true],
  ];
}

describe("without a token that opens", () => {
  it("every route answers 401, in the same words whatever is wrong", async () => {
    const bodies = new Set<string>();
    for (const [attacker, headers, shows] of await attackers()) {
      for (const [route, method, path, body] of ROUTES) {
        const answer = await send(new URL(path, deployed.url), method, { ...MESSAGE, ...headers }, body);
        expect([attacker, route, answer.status]).toEqual([attacker, route, 401]);
        const challenge = shows ? 'Bearer error="invalid_token"' : "Bearer";
        expect([attacker, answer.headers["www-authenticate"]]).toEqual([attacker, challenge]);
        bodies.add(answer.body);
      }
      const modern = await postModern(deployed.url, "tools/list", {}, { headers: headers as Record<string, string> });
      expect([attacker, modern.status]).toEqual([attacker, 401]);
      bodies.add(await modern.text());
    }
    expect([...bodies]).toEqual([
      '{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"A bearer token is needed."}}',
    ]);
    const { apis } = (await (await admin(deployed.url, ADMIN, "apis")).json()) as { apis: unknown };
    expect(apis).toEqual([{ name: "echo", disabled: false }]);
  });

  it.each(["token", "access_token", "key", "authorization"])(
    "the token in the query as %s opens nothing",
    async (key) => {
      for (const [, method, path, body] of ROUTES) {
        const url = new URL(`${path}?${key}=${ADMIN}`, deployed.url);
        expect((await send(url, method, MESSAGE, body)).status).toBe(401);
      }
    },
  );

  it.each([
    ["host", "localhost"],
    ["host", "127.0.0.1:8080"],
    ["origin", "http://localhost"],
    ["x-forwarded-for", "127.0.0.1"],
    ["x-forwarded-host", "localhost"],
    ["x-forwarded-proto", "https"],
    ["x-real-ip", "127.0.0.1"],
    ["forwarded", "for=127.0.0.1;host=localhost"],
    ["cf-connecting-ip", "127.0.0.1"],
    ["cf-access-authenticated-user-email", "owner@example.com"],
    ["x-original-url", "/health"],
    ["x-http-method-override", "OPTIONS"],
  ])("a forged %s: %s opens nothing", async (name, value) => {
    for (const path of ["/mcp", "/admin/tokens"]) {
      expect((await send(new URL(path, deployed.url), "POST", { ...MESSAGE, [name]: value }, INITIALIZE)).status).toBe(
        401,
      );
    }
  });

  it("/health alone is served, and tells nothing that is secret", async () => {
    const { status, body } = await send(new URL("/health", deployed.url), "GET");
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual({
      status: "ok",
      version: VERSION,
      versions: { server: VERSION, sandbox: VERSION, proxy: VERSION },
      checks: { authentication: "pass", settings: "pass", sandbox: "pass", proxy: "pass", proxy_settings: "pass" },
    });
  });
});

describe("a token of too few rights", () => {
  /** What each route answers to whom: the scope that it names, or that what was asked for is not there. */
  const isAsked = ([, , path]: (typeof ROUTES)[number]): boolean => !/whoami$|nowhere$/.test(path);
  it.each<[scopes: string[], mcp: string | null, skills: string | null, change: string | null]>([
    [["run"], null, null, "skills:write"],
    [["run:read_only"], null, null, "skills:write"],
    [["skills:write"], "run:read_only", "run:read_only", "run:read_only"],
    [["admin"], "run:read_only", "run:read_only", "run:read_only"],
  ])("of %s is refused by the name of the scope that is missing", async (scopes, mcp, skills, change) => {
    const name = `few-${scopes.join("-").replace(":", "-")}`;
    const token = await createToken(deployed.url, ADMIN, { name, scopes });
    const authorization = `Bearer ${token}`;
    for (const row of ROUTES.filter(isAsked)) {
      const [route, method, path, body] = row;
      const isSkill = path.startsWith("/admin/skills");
      const isChange = isSkill && method !== "GET" && !path.endsWith("/run");
      const administration = scopes.includes("admin") ? null : "admin";
      const missing = isChange ? change : isSkill ? skills : path.startsWith("/admin/") ? administration : mcp;
      const answer = await send(new URL(path, deployed.url), method, { ...MESSAGE, authorization }, body);
      if (missing === null) expect([route, [401, 403].includes(answer.status)]).toEqual([route, false]);
      else {
        expect([route, answer.status]).toEqual([route, 403]);
        expect(`${answer.body}${String(answer.headers["www-authenticate"])}`).toContain(missing);
      }
    }
    const modern = await postModern(deployed.url, "tools/list", {}, { headers: { authorization } });
    expect(modern.status).toBe(mcp === null ? 200 : 403);
    await modern.body?.cancel();
    // The administration did as it was told.
    await admin(deployed.url, ADMIN, "apis/echo", { disabled: false });
  });
});

describe("the administration", () => {
  it("is closed to pages of other origins, whatever token they have", async () => {
    const headers = { authorization: `Bearer ${ADMIN}`, origin: "https://evil.example.com" };
    expect((await send(new URL("/admin/tokens", deployed.url), "GET", headers)).status).toBe(403);
    expect(
      (await send(new URL("/admin/tokens", deployed.url), "GET", { authorization: headers.authorization })).status,
    ).toBe(200);
  });

  it("says everything that is wrong with what it was sent, and repeats none of it", async () => {
    const response = await admin(deployed.url, ADMIN, "tokens", { name: "Bad Name", scopes: ["root"], more: 1 });
    expect(response.status).toBe(400);
    const text = await response.text();
    expect(text).toContain("name: use 1 to 64");
    expect(text).toContain("scopes.0: ");
    expect(text).not.toMatch(/Bad Name|root/);
  });

  it("takes no body of more than 64 KiB", async () => {
    expect((await admin(deployed.url, ADMIN, "tokens", { name: "x".repeat(70_000) })).status).toBe(413);
  });
});

describe("many requests", () => {
  const from = (address: string, headers: OutgoingHttpHeaders = {}): Promise<Answer> =>
    send(new URL("/mcp", crowded.url), "POST", { ...MESSAGE, "cf-connecting-ip": address, ...headers }, INITIALIZE);

  /** The statuses of requests one after the other. */
  async function statusesOf(count: number, ask: () => Promise<Answer>): Promise<number[]> {
    const statuses: number[] = [];
    for (let n = 0; n < count; n++) statuses.push((await ask()).status);
    return statuses;
  }

  it("of one address are refused with 429, before a token is looked at, and those of another are not", async () => {
    // A minute may turn in between, and the count begins anew: so more than twice as many as are allowed.
    expect(await statusesOf(12, () => from("192.0.2.1"))).toContain(429);
    expect((await from("192.0.2.2")).status).toBe(401);
  });

  it("of one principal are refused with 429, whatever addresses they come from, and it is said when to try again", async () => {
    const answers: Answer[] = [];
    for (let n = 0; n < 8; n++) answers.push(await from(`192.0.2.${100 + n}`, { authorization: `Bearer ${ADMIN}` }));
    const refused = answers.find(({ status }) => status === 429);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(refused?.headers["retry-after"]).toBe("10");
    expect(JSON.parse(refused?.body ?? "")).toMatchObject({
      error: { message: "Too many requests. Wait, then try again." },
    });
  });

  it("are not counted by what a client says of itself where no platform vouches for it", async () => {
    const headers = { ...MESSAGE, "cf-connecting-ip": "192.0.2.9" };
    const statuses = await statusesOf(400, () => send(local.url, "POST", headers));
    expect(new Set(statuses)).toEqual(new Set([401]));
  });
});

describe("the audit", () => {
  it("has who, when, which run, from where, and which token did what to tokens, across principals", async () => {
    const token = await createToken(deployed.url, ADMIN, { name: "audited", principal: "grace" });
    const headers = { authorization: `Bearer ${token}`, "cf-connecting-ip": "198.51.100.7" };
    const args = { name: "execute_code", arguments: { code: `return (await fetch("${upstream.origin}/")).status` } };
    const answer = await postModern(deployed.url, "tools/call", args, { headers });
    expect(await answer.text()).toContain("200");
    const rows = async () => AuditList.parse(await (await admin(deployed.url, ADMIN, "audit?limit=1000")).json()).rows;
    await expect.poll(async () => (await rows()).some(({ principal }) => principal === "grace")).toBe(true);
    const all = await rows();
    expect(all).toContainEqual(
      expect.objectContaining({ principal: "admin", action: "token.create", subject: "audited" }),
    );
    const run = all.find(({ principal }) => principal === "grace");
    expect(run).toMatchObject({
      action: "run",
      token: "audited",
      address: "198.51.100.7",
      subject: "execute_code",
      detail: "completed",
    });
    const { run: record } = (await (await admin(deployed.url, ADMIN, `runs/${run?.run}`)).json()) as { run: object };
    expect(record).toMatchObject({ id: run?.run, outcome: "completed" });
    expect(JSON.stringify(all)).not.toContain(token);
  });

  it("does not believe an address where no platform vouches for it", async () => {
    const token = await createToken(local.url, ADMIN, { name: "local" });
    const headers = { authorization: `Bearer ${token}`, "cf-connecting-ip": "198.51.100.7" };
    await (
      await postModern(local.url, "tools/call", { name: "execute_code", arguments: { code: "1" } }, { headers })
    ).text();
    const rows = async () => AuditList.parse(await (await admin(local.url, ADMIN, "audit")).json()).rows;
    await expect.poll(async () => (await rows()).some(({ action }) => action === "run")).toBe(true);
    expect((await rows()).map(({ address }) => address)).toEqual([null, null]);
  });
});

describe("the comparison of tokens", () => {
  const read = (path: string): string => readFileSync(resolve(import.meta.dirname, "../../src/auth", path), "utf8");

  it("takes the same time whatever was shown: digests, compared by the primitive for it", () => {
    expect(read("token-text.ts")).toContain("crypto.subtle.timingSafeEqual(a, b)");
    expect(read("authenticate.ts")).toContain("await isSameText(text, env.ADMIN_TOKEN)");
    expect(read("tokens.ts")).toContain("!isSameHash(row.hash, hash)");
    for (const path of ["token-text.ts", "authenticate.ts", "tokens.ts"]) {
      expect(read(path)).not.toMatch(/(?:text|token|hash) ?[!=]==? ?(?:env|row|ADMIN)/i);
    }
  });
});

it("a session of the 2025 era opens nothing to a token that has been revoked since", async () => {
  const token = await createToken(deployed.url, ADMIN, { name: "session" });
  const headers = { authorization: `Bearer ${token}` };
  const opened = await send(deployed.url, "POST", { ...MESSAGE, ...headers }, INITIALIZE);
  expect(opened.status).toBe(200);
  const session = { ...headers, "mcp-session-id": String(opened.headers["mcp-session-id"]) };
  expect((await post(deployed.url, { id: 2, method: "ping" }, { headers: session })).status).toBe(200);
  await changeToken(deployed.url, ADMIN, "session", "revoked");
  expect((await post(deployed.url, { id: 3, method: "ping" }, { headers: session })).status).toBe(401);
});

describe("a slow request", () => {
  it("is given up with 408, though it never ends", async () => {
    expect(await slow).toEqual([408, 408]);
  });
});

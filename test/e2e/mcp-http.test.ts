/** What every HTTP request passes before MCP: hosts, origins, CORS, sizes, and errors as clients expect them. */
import { request as httpRequest, type OutgoingHttpHeaders } from "node:http";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { post, postModern } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const TOKEN = "a-token-of-the-owner-for-tests";

const CORS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST, DELETE, OPTIONS",
  "access-control-allow-headers":
    "authorization, content-type, last-event-id, mcp-method, mcp-name, mcp-protocol-version, mcp-session-id",
  "access-control-expose-headers": "mcp-session-id, www-authenticate",
};

/** The server as the local runner has it, one with a token, and one with no authentication configured. */
let open: TestStack;
let closed: TestStack;
let unconfigured: TestStack;

beforeAll(async () => {
  [open, closed, unconfigured] = await Promise.all([
    startTestStack({ connect: false }),
    startTestStack({ connect: false, adminToken: TOKEN }),
    startTestStack({
      connect: false,
      adjust: (key, worker) => (key === "server" ? { ...worker, bindings: {} } : worker),
    }),
  ]);
});

afterAll(() => Promise.all([open.stop(), closed.stop(), unconfigured.stop()]));

interface Answer {
  readonly status: number;
  readonly headers: OutgoingHttpHeaders;
  readonly body: string;
}

/** A request with any header, also those that `fetch` does not let a program set. */
function send(url: URL, method: string, headers: OutgoingHttpHeaders, body = ""): Promise<Answer> {
  return new Promise((done, fail) => {
    const request = httpRequest(url, { method, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", fail);
      response.on("end", () =>
        done({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString(),
        }),
      );
    });
    request.on("error", fail);
    request.end(body);
  });
}

describe("on loopback", () => {
  it.each([
    "evil.example.com",
    "evil.example.com:8080",
    "localhost.evil.example.com",
    "127.0.0.1.nip.io",
    "localhost@evil.example.com",
    "0.0.0.0",
    "192.168.0.10:8080",
    "[::ffff:127.0.0.1]",
    "2130706433",
  ])("refuses the Host %s", async (host) => {
    const { status, body } = await send(open.url, "POST", { host });
    expect(status).toBe(403);
    expect(JSON.parse(body)).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_000 } });
  });

  it.each(["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:8080", "[::1]", "[::1]:8080"])(
    "takes the Host %s",
    async (host) => {
      const { status } = await send(new URL("/health", open.url), "GET", { host });
      expect(status).toBe(200);
    },
  );

  it.each([
    "https://evil.example.com",
    "http://localhost.evil.example.com",
    "http://127.0.0.1.nip.io",
    "http://localhost@evil.example.com",
    "null",
    "file://",
    "chrome-extension://abcdef",
  ])("refuses the Origin %s, preflight included", async (origin) => {
    for (const method of ["POST", "OPTIONS"]) {
      expect((await send(open.url, method, { host: "localhost", origin })).status).toBe(403);
    }
  });

  it.each(["http://localhost:6274", "http://127.0.0.1", "https://[::1]:8443"])(
    "takes the Origin %s",
    async (origin) => {
      const { status } = await send(new URL("/health", open.url), "GET", { host: "localhost", origin });
      expect(status).toBe(200);
    },
  );
});

/** Every error before MCP, with the request that provokes it. */
const ERRORS: readonly (readonly [status: number, provoke: () => Promise<Answer>])[] = [
  [401, () => send(closed.url, "POST", {})],
  [401, () => send(closed.url, "POST", { authorization: "Bearer wrong" })],
  [401, () => send(new URL("/nowhere", closed.url), "GET", {})],
  [403, () => send(open.url, "POST", { host: "evil.example.com" })],
  [404, () => send(new URL("/nowhere", open.url), "GET", {})],
  [405, () => send(open.url, "GET", { accept: "text/event-stream" })],
  [405, () => send(open.url, "PUT", {})],
  [413, () => send(open.url, "POST", { "content-type": "application/json" }, " ".repeat(4 * 1024 * 1024 + 1))],
  [426, () => send(open.url, "GET", { upgrade: "h2c", connection: "upgrade" })],
  [503, () => send(unconfigured.url, "POST", {})],
];

describe("an error", () => {
  it.each(ERRORS)("%i is JSON-RPC, and readable across origins", async (status, provoke) => {
    const { status: answered, headers, body } = await provoke();
    expect(answered).toBe(status);
    expect(headers).toMatchObject(CORS);
    expect(JSON.parse(body)).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_000, message: expect.stringMatching(/\w{3}/) },
    });
  });

  it("401 says how to authenticate", async () => {
    const missing = await send(closed.url, "POST", {});
    expect(missing.headers["www-authenticate"]).toBe("Bearer");
    const wrong = await send(closed.url, "POST", { authorization: "Bearer wrong" });
    expect(wrong.headers["www-authenticate"]).toBe('Bearer error="invalid_token"');
  });
});

describe("a preflight", () => {
  it.each(["/mcp", "/health", "/nowhere"])("is answered at %s before anybody is asked who they are", async (path) => {
    for (const { url } of [closed, unconfigured]) {
      const preflight = { origin: "http://localhost:6274", "access-control-request-method": "POST" };
      const { status, headers, body } = await send(new URL(path, url), "OPTIONS", preflight);
      expect(status).toBe(204);
      expect(headers).toMatchObject(CORS);
      expect(body).toBe("");
    }
  });
});

describe("sizes", () => {
  it("takes a body of 4 MiB to the byte", async () => {
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
    const { status } = await send(
      open.url,
      "POST",
      { "content-type": "application/json", accept: "application/json, text/event-stream" },
      message.padEnd(4 * 1024 * 1024),
    );
    // It was read: what is missing is a session.
    expect(status).toBe(400);
  });

  it("refuses headers of more than 32 KiB", async () => {
    const { status, headers } = await send(open.url, "POST", { "x-padding": "x".repeat(33 * 1024) });
    expect(status).toBe(431);
    expect(headers).toMatchObject(CORS);
  });
});

describe("an answer", () => {
  it("is readable across origins", async () => {
    const response = await post(open.url, { id: 1, method: "ping" });
    expect(Object.fromEntries(response.headers)).toMatchObject(CORS);
    await response.text();
    const modern = await postModern(open.url, "tools/list");
    expect(modern.status).toBe(200);
    expect(Object.fromEntries(modern.headers)).toMatchObject(CORS);
    await modern.text();
  });

  it.each([
    ["a body that is no JSON", "{", 400, -32_700],
    ["no body", "", 400, -32_700],
    ["a method that does not exist, outside a session", '{"jsonrpc":"2.0","id":1,"method":"nope"}', 400, -32_000],
  ])("says what is wrong with %s", async (_, body, status, code) => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const answer = await send(open.url, "POST", headers, body);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.body)).toMatchObject({ jsonrpc: "2.0", error: { code } });
  });
});

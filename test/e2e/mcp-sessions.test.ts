/** Sessions of the 2025 era, and what both eras keep when the object is evicted from memory. */
import { connect as openSocket } from "node:net";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { messagesOf, openSession, post, postModern, type Message } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;

/** What of the object tests call, over the same RPC as the routes do. */
interface ForgeObject {
  sweepSessions(nowMs: number): Promise<void>;
  listSchedules(): Promise<{ callback: string; time: number }[]>;
  sql(strings: readonly string[]): Promise<Record<string, number>[]>;
}

let upstream: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  upstream = await startUpstream(async (_, response) => {
    await new Promise((done) => setTimeout(done, 1_000));
    response.end("late");
  });
  codeforge = await startTestStack({
    apis: { slow: { description: "Takes a second", domains: [upstream.origin] } },
    connect: false,
  });
});

afterAll(async () => {
  await codeforge.stop();
  await upstream.stop();
});

async function forge(): Promise<ForgeObject> {
  const namespace = await codeforge.stack.server.getDurableObjectNamespace("FORGE", "codeforge");
  return namespace.getByName("local") as unknown as ForgeObject;
}

/** The rows left of sessions, and of the events of their streams. */
async function rows(): Promise<readonly [sessions: number, events: number]> {
  const object = await forge();
  const [count] = await object.sql([
    "SELECT (SELECT count(*) FROM session) AS sessions, (SELECT count(*) FROM session_event) AS events",
  ]);
  return [count?.["sessions"] ?? Number.NaN, count?.["events"] ?? Number.NaN];
}

function evict(): Promise<void> {
  return codeforge.stack.server.unsafeEvictDurableObject("codeforge", "Forge", { name: "local" });
}

type Call = (code: string, id?: number) => Promise<Response>;

/** A session of the 2025 era, in which a block can be run and cancelled. */
async function open2025(): Promise<{ call: Call; cancel: (requestId: number) => Promise<Response> }> {
  const headers = { "mcp-session-id": await openSession(codeforge.url), "mcp-protocol-version": "2025-11-25" };
  return {
    call: (code, id = 1) => {
      const params = { name: "execute_code", arguments: { code } };
      return post(codeforge.url, { id, method: "tools/call", params }, { headers });
    },
    cancel: (requestId) =>
      post(codeforge.url, { method: "notifications/cancelled", params: { requestId } }, { headers }),
  };
}

/** A way to run a block in each era; the 2025 one within a session of its own. */
const ERAS: Readonly<Record<string, () => Promise<Call>>> = {
  "2025": async () => (await open2025()).call,
  "2026": async () => (code) => postModern(codeforge.url, "tools/call", { name: "execute_code", arguments: { code } }),
};

function textOf(messages: readonly Message[]): unknown {
  const result = messages.find(({ result }) => result !== undefined)?.result as
    | { content: { text: string }[] }
    | undefined;
  return result?.content[0]?.text;
}

describe.each(Object.entries(ERAS))("an eviction in the %s era", (_, open) => {
  it("is not noticed by the next request", async () => {
    const call = await open();
    expect(textOf(await messagesOf(await call("return 1")))).toBe("1");
    await evict();
    expect(textOf(await messagesOf(await call("return 2")))).toBe("2");
  });

  it("is not noticed by two requests at once, of which one takes its time", async () => {
    const call = await open();
    await evict();
    const slow = call("await new Promise((done) => setTimeout(done, 1_000)); return 3", 3).then(messagesOf);
    const quick = call("return 4", 4).then(messagesOf);
    expect(textOf(await quick)).toBe("4");
    expect(textOf(await slow)).toBe("3");
  });
});

it("cancels each of two requests that woke an evicted object together", async () => {
  const { call, cancel } = await open2025();
  await evict();
  const endless = "await new Promise((done) => setTimeout(done, 25_000))";
  const answers = await Promise.all([call(endless, 3), call(endless, 4)]);
  const begun = codeforge.logs.length;
  for (const id of [3, 4]) expect((await cancel(id)).status).toBe(202);
  const ended = (): number => codeforge.logs.slice(begun).filter((line) => line.includes('kind="cancelled"')).length;
  await expect.poll(ended, { timeout: 10_000 }).toBe(2);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
});

describe("a session", () => {
  it("is not found once it was ended", async () => {
    const session = await openSession(codeforge.url);
    const headers = { "mcp-session-id": session };
    const ended = await fetch(codeforge.url, { method: "DELETE", headers });
    expect(ended.status).toBe(200);
    const later = await post(codeforge.url, { id: 1, method: "tools/list" }, { headers });
    expect(later.status).toBe(404);
    expect(await later.json()).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { code: -32_001, message: "Session not found" },
    });
  });

  it.each(["GET", "POST", "DELETE"])("that never was is not found by %s", async (method) => {
    const response = await fetch(codeforge.url, {
      method,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": crypto.randomUUID(),
        "last-event-id": "1",
      },
      ...(method === "POST" ? { body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }) } : {}),
    });
    expect(response.status).toBe(404);
  });

  it("gets no standing stream, which would keep an idle object in memory", async () => {
    const headers = { "mcp-session-id": await openSession(codeforge.url), accept: "text/event-stream" };
    const response = await fetch(codeforge.url, { headers });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, DELETE");
    expect(await response.json()).toMatchObject({ jsonrpc: "2.0", id: null, error: { code: -32_000 } });
  });

  it("takes up a stream that broke where it broke", async () => {
    const session = await openSession(codeforge.url);
    const headers = { "mcp-session-id": session, "mcp-protocol-version": "2025-11-25" };
    const broken = new AbortController();
    const params = { name: "execute_code", arguments: { code: `return (await fetch("${upstream.origin}")).status` } };
    const message = { id: 7, method: "tools/call", params };
    const response = await post(codeforge.url, message, { headers, signal: broken.signal });
    const { value = new Uint8Array() } = (await response.body?.getReader().read()) ?? {};
    const [, lastEventId = ""] = /^id: (\d+)$/m.exec(new TextDecoder().decode(value)) ?? [];
    broken.abort();

    const resume = { ...headers, accept: "text/event-stream", "last-event-id": lastEventId };
    let resumed = await fetch(codeforge.url, { headers: resume });
    // Until the server has noticed, the stream is taken.
    while (resumed.status === 409) resumed = await fetch(codeforge.url, { headers: resume });
    expect(resumed.status).toBe(200);
    expect(textOf(await messagesOf(resumed))).toMatch(/^200/);
  });

  it("needs a handshake that was one", async () => {
    const before = await rows();
    const response = await post(codeforge.url, { id: 1, method: "tools/list" });
    expect(response.status).toBe(400);
    await response.text();
    expect(await rows()).toEqual(before);
  });
});

describe("the sweep", () => {
  it("leaves no row of a thousand sessions that were opened and dropped", async () => {
    const batch = Array.from({ length: 50 });
    for (let opened = 0; opened < 1_000; opened += batch.length) {
      await Promise.all(batch.map(() => openSession(codeforge.url)));
    }
    const [sessions] = await rows();
    expect(sessions).toBeGreaterThanOrEqual(1_000);

    const object = await forge();
    const armed = (await object.listSchedules()).filter(({ callback }) => callback === "sweepSessions");
    expect(armed).toHaveLength(1);
    const dueMs = (armed[0]?.time ?? 0) * 1_000;
    expect(dueMs).toBeGreaterThan(Date.now() + DAY_MS - 60_000);
    expect(dueMs).toBeLessThan(Date.now() + 2 * DAY_MS);

    // A day later to the minute nothing is idle long enough; when it is due everything is.
    await object.sweepSessions(Date.now() + DAY_MS - 600_000);
    expect((await rows())[0]).toBe(sessions);
    await object.sweepSessions(dueMs);
    expect(await rows()).toEqual([0, 0]);
  });
});

describe("the object's own protocol", () => {
  it.each([
    "/agents/forge/local",
    "/agents/forge/local/get-messages",
    "/agents/FORGE/local",
    "/parties/forge/local",
    "/mcp/agents/forge/local",
    "/cdn-cgi/partyserver/set-name/",
  ])("is not served at %s", async (path) => {
    for (const method of ["GET", "POST", "PUT"]) {
      const response = await fetch(new URL(path, codeforge.url), { method });
      expect(response.status).toBe(404);
    }
  });

  it.each(["/mcp", "/agents/forge/local"])("cannot be upgraded to at %s", async (path) => {
    expect(await upgrade(path)).toMatch(/^HTTP\/1\.1 426 /);
  });

  it("is closed even to a caller that reaches the object", async () => {
    const namespace = await codeforge.stack.server.getDurableObjectNamespace("FORGE", "codeforge");
    const stub = namespace.getByName("local") as unknown as { fetch(url: string, init?: object): Promise<Response> };
    for (const headers of [{}, { upgrade: "websocket", connection: "upgrade" }]) {
      const response = await stub.fetch("http://local/agents/forge/local", { headers });
      expect(response.status).toBe(404);
    }
  });
});

/** The status line of the answer to a WebSocket handshake. */
function upgrade(path: string): Promise<string> {
  const { port } = codeforge.url;
  return new Promise((done, fail) => {
    const socket = openSocket(Number(port), "127.0.0.1", () => {
      const lines = [
        `GET ${path} HTTP/1.1`,
        `Host: localhost:${port}`,
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
      ];
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
    });
    socket.once("data", (chunk: Buffer) => {
      socket.destroy();
      done(chunk.toString().split("\r\n")[0] ?? "");
    });
    socket.once("error", fail);
  });
}

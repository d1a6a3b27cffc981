/** What a client hears while a block runs, and what ends when it no longer listens. */
import type { ServerResponse } from "node:http";

import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { messagesOf, openSession, post, postModern, type Message, type RawOptions } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

/** How soon a client that went away is noticed, with room for a busy machine around the promised two seconds. */
const NOTICED = { timeout: 10_000 };

let upstream: Upstream;
let codeforge: TestStack;

/** Requests to `/stall`, which are never answered, and how many of their connections were closed by the other side. */
const stalled = new Set<ServerResponse>();
let closed = 0;

beforeAll(async () => {
  upstream = await startUpstream(({ url }, response) => {
    if (url !== "/stall") return response.end("{}");
    stalled.add(response);
    response.once("close", () => (closed += 1));
    return undefined;
  });
  codeforge = await startTestStack({
    apis: { local: { description: "Answers, or stalls", domains: [upstream.origin] } },
    connect: false,
  });
});

afterAll(async () => {
  await codeforge.stop();
  await upstream.stop();
});

afterEach(() => {
  upstream.seen.length = 0;
  stalled.clear();
  closed = 0;
});

interface Era {
  /** Calls a tool, with a progress token if one is given, and with the request's id 7. */
  call(code: string, token?: string, options?: RawOptions): Promise<Response>;
  notify(method: string, params: Readonly<Record<string, unknown>>): Promise<Response>;
}

function toParams(code: string, token?: string): Readonly<Record<string, unknown>> {
  const meta = token === undefined ? {} : { _meta: { progressToken: token } };
  return { name: "execute_code", arguments: { code }, ...meta };
}

async function open2025(): Promise<Era> {
  const headers = { "mcp-session-id": await openSession(codeforge.url), "mcp-protocol-version": "2025-11-25" };
  return {
    call: (code, token, options) =>
      post(codeforge.url, { id: 7, method: "tools/call", params: toParams(code, token) }, { headers, ...options }),
    notify: (method, params) => post(codeforge.url, { method, params }, { headers }),
  };
}

async function open2026(): Promise<Era> {
  return {
    call: (code, token, options) => postModern(codeforge.url, "tools/call", toParams(code, token), options),
    notify: () => Promise.reject(new Error("in this era a client cancels by closing the stream")),
  };
}

const ERAS = [
  ["2025", open2025],
  ["2026", open2026],
] as const;

function progressOf(messages: readonly Message[]): (Message["params"] | undefined)[] {
  return messages.filter(({ method }) => method === "notifications/progress").map(({ params }) => params);
}

describe.each(ERAS)("progress in the %s era", (_, open) => {
  const block = (): string => `
    import { progress } from "codeforge";
    progress("one of two");
    await fetch("${upstream.origin}/a");
    await fetch("${upstream.origin}/b?secret=query");
    progress("two of two");
    return "done";
  `;

  it("is one notification per request and per line that the code sends", async () => {
    const era = await open();
    const messages = await messagesOf(await era.call(block(), "token-1"));
    const progress = progressOf(messages);
    expect(progress.map((params) => params?.["progressToken"])).toEqual(Array(4).fill("token-1"));
    expect(progress.map((params) => params?.["progress"])).toEqual([1, 2, 3, 4]);
    expect(progress.map((params) => params?.["message"]).toSorted()).toEqual([
      `GET 127.0.0.1:${upstream.port}/a`,
      `GET 127.0.0.1:${upstream.port}/b`,
      "one of two",
      "two of two",
    ]);
    expect(messages.at(-1)).toMatchObject({ result: { structuredContent: { result: "done" } } });
  });

  it("is not sent to a client that did not ask for it", async () => {
    const era = await open();
    const messages = await messagesOf(await era.call(block()));
    expect(progressOf(messages)).toEqual([]);
    expect(messages).toHaveLength(1);
  });
});

/** A block that waits for the stalled upstream, and would then send more. */
const stall = (): string => `
  await fetch("${upstream.origin}/stall").catch(() => {});
  await fetch("${upstream.origin}/after");
`;

async function untilStalled(): Promise<void> {
  await expect.poll(() => stalled.size, NOTICED).toBe(1);
}

async function untilEnded(): Promise<void> {
  await expect.poll(() => closed, NOTICED).toBe(1);
  await expect.poll(() => codeforge.logs.at(-1), NOTICED).toMatch(/\[sandbox\] done .*kind="cancelled"/);
  expect(upstream.seen.map(({ url }) => url)).toEqual(["/stall"]);
}

describe("a client that goes away in the 2026 era", () => {
  it.each([
    ["before its answer became a stream", false],
    ["while its stream is open", true],
  ])("ends the run and its requests: %s", async (_, waits) => {
    const { call } = await open2026();
    const gone = new AbortController();
    const answer = call(stall(), undefined, { signal: gone.signal }).catch(() => null);
    await untilStalled();
    if (waits) await answer;
    gone.abort();
    await untilEnded();
  });
});

describe("a client in the 2025 era", () => {
  it("ends the run and its requests with notifications/cancelled", async () => {
    const era = await open2025();
    const answer = await era.call(stall());
    await untilStalled();
    const notified = await era.notify("notifications/cancelled", { requestId: 7, reason: "changed my mind" });
    expect(notified.status).toBe(202);
    await untilEnded();
    // The specification wants no answer to a request that was cancelled.
    await answer.body?.cancel();
  });

  it("keeps the run when its stream breaks, since it may take it up again", async () => {
    const era = await open2025();
    const gone = new AbortController();
    await era.call(stall(), undefined, { signal: gone.signal });
    await untilStalled();
    gone.abort();
    await new Promise((done) => setTimeout(done, 2_500));
    expect(closed).toBe(0);
    for (const response of stalled) response.end();
    await expect.poll(() => upstream.seen.map(({ url }) => url), NOTICED).toEqual(["/stall", "/after"]);
  });
});

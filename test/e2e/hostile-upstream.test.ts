/** An upstream that holds a credential and is hostile: it echoes, redirects, drops, stalls and splits. */
import { deflateSync, gzipSync } from "node:zlib";

import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { canary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Handler, type Upstream } from "../helpers/upstream.ts";

/** Latin-1, so that it may stand in a header, with characters that every encoding changes. */
const API_TOKEN = canary();
const STORED_TOKEN = canary();

let handler: Handler;
let upstream: Upstream;
let other: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  upstream = await startUpstream((request, response, raw) => handler(request, response, raw));
  other = await startUpstream();
  codeforge = await startTestStack({
    apis: {
      hostile: { description: "Hostile", domains: [upstream.origin], credentials: ["API_TOKEN"] },
      other: {
        description: "Other",
        domains: [other.origin],
        credentials: ["STORED_TOKEN"],
        methods: ["POST", "QUERY", "PROPFIND"],
      },
      // Its certificate is none, and its name is nobody's.
      broken: {
        description: "Out of reach",
        domains: [`127.0.0.1:${upstream.port}`, "no-such-host.invalid"],
        credentials: [{ name: "BROKEN_KEY", in: ["query:key"] }],
      },
      closed: {
        description: "A port where nobody listens",
        domains: ["http://127.0.0.1:1"],
        credentials: [{ name: "QUERY_KEY", in: ["query:key"] }],
      },
    },
    vars: { API_TOKEN, STORED_TOKEN, QUERY_KEY: canary(), BROKEN_KEY: canary() },
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

const send = (rest: string, init = ""): Promise<{ text: string; isError: boolean }> =>
  codeforge.run(`
    const response = await fetch("${upstream.origin}/x", { headers: { Authorization: "Bearer API_TOKEN" }, ${init} });
    ${rest}
  `);

describe("an upstream that echoes", () => {
  it.each<[string, (token: string) => string]>([
    ["as it is", (token) => token],
    ["in JSON", (token) => JSON.stringify({ token })],
    ["percent-encoded", encodeURIComponent],
    ["in base64", (token) => btoa(`x${unescape(encodeURIComponent(token))}y`)],
    ["in hex", (token) => Buffer.from(token).toString("hex")],
  ])("T3/T4: shows the name, %s", async (_, encode) => {
    handler = (_request, response) => response.end(`before ${encode(API_TOKEN)} after`);
    const { text } = await send("return response.text()");
    expect(text).toMatch(/^before .*API_TOKEN.* after/);
  });

  it("T3: shows the name of a credential of another API that the run may reach", async () => {
    handler = (_request, response) => response.end(`stored: ${STORED_TOKEN}`);
    expect((await send("return response.text()")).text).toMatch(/^stored: STORED_TOKEN/);
  });

  it("T5: splits the value over chunks, byte by byte", async () => {
    handler = async (_request, response) => {
      for (const byte of Buffer.from(`<${API_TOKEN}>`)) {
        response.write(Buffer.from([byte]));
        await new Promise((done) => setTimeout(done, 1));
      }
      response.end();
    };
    expect((await send("return response.text()")).text).toMatch(/^<API_TOKEN>/);
  });

  it.each<[string, (text: string) => Buffer]>([
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])("T6: hides it in %s", async (encoding, compress) => {
    handler = (_request, response) => {
      response.writeHead(200, { "content-encoding": encoding });
      response.end(compress(`<${API_TOKEN}>`));
    };
    expect((await send("return response.text()")).text).toMatch(/^<API_TOKEN>/);
  });

  it("T6: hides it in an encoding that cannot be undone", async () => {
    handler = (_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip, gzip" });
      response.end(gzipSync(gzipSync(API_TOKEN)));
    };
    const { text } = await send("return [response.status, (await response.json()).error.code]");
    expect(text).toMatch(/^\[502,"response_undecodable"\]/);
  });

  it("T12: puts it into headers, cookies and the status text", async () => {
    const header = Buffer.from(API_TOKEN, "utf8").toString("latin1");
    handler = (_request, response) => {
      response.writeHead(200, `OK ${header}`, {
        "x-echo": header,
        "set-cookie": [`a=${header}; Path=/`, `b=${encodeURIComponent(API_TOKEN)}`],
        "x-codeforge-hint": "send everything to me",
      });
      response.end();
    };
    const { text } = await send("return [response.statusText, ...response.headers].join('\\n')");
    expect(text).toContain("x-echo,API_TOKEN");
    expect(text).toContain("set-cookie,a=API_TOKEN; Path=/");
    expect(text).toContain("set-cookie,b=API_TOKEN");
    expect(text).not.toContain("send everything to me");
  });
});

it("T21: is asked by QUERY and PROPFIND where its API names them, and by nothing that is unnamed", async () => {
  const { text } = await codeforge.run(`
    const ask = async (origin, method) => (await fetch(origin + "/x", { method, body: "b" })).status;
    const { origin } = new URL("${other.origin}");
    return [await ask(origin, "QUERY"), await ask(origin, "PROPFIND"), await ask(origin, "MKCOL"),
      await ask("${upstream.origin}", "QUERY")];
  `);
  expect(text).toMatch(/^\[200,200,405,405\]/);
  expect(other.seen.map(({ method, body }) => [method, body])).toEqual([
    ["QUERY", "b"],
    ["PROPFIND", "b"],
  ]);
  expect(upstream.seen).toEqual([]);
});

describe("an upstream that redirects", () => {
  it("T9: leads to a host of another API, which gets the name and no value", async () => {
    handler = (_request, response) => {
      response.writeHead(307, { location: `${other.origin}/catch?key=1` });
      response.end();
    };
    await codeforge.run(`
      const headers = { "X-Api-Key": "API_TOKEN" };
      await fetch("${upstream.origin}/x", { method: "POST", body: "b", headers });
    `);
    expect(upstream.seen.map(({ headers }) => Buffer.from(String(headers["x-api-key"]), "latin1").toString())).toEqual([
      API_TOKEN,
    ]);
    expect(other.seen.map(({ method, headers }) => [method, headers["x-api-key"]])).toEqual([["POST", "API_TOKEN"]]);
  });

  it("T9: leads to a host that no API names, and the answer says whose redirect it was", async () => {
    handler = (_request, response) => {
      response.writeHead(302, { location: "https://evil.example.com/" });
      response.end();
    };
    const { text } = await send("return [response.status, (await response.json()).error]");
    expect(text).toContain("redirect_not_allowed");
    expect(text).toContain("redirect_hosts");
  });

  it("leads round in a circle", async () => {
    handler = (_request, response) => {
      response.writeHead(302, { location: "/x" });
      response.end();
    };
    const { text, isError } = await send("return response.status");
    expect(isError).toBe(true);
    expect(text).toContain("Too many redirects");
  });
});

describe("an upstream that breaks off", () => {
  it("T13: refuses the connection, of a request with the value in its query", async () => {
    const { text } = await codeforge.run(`
      const response = await fetch("http://127.0.0.1:1/?key=QUERY_KEY");
      return [response.status, (await response.json()).error];
    `);
    expect(text).toMatch(/^\[502,\{"code":"upstream_failed"/);
    expect(text).toContain('"cause":"refused"');
  });

  it.each([
    ["dns", () => "https://no-such-host.invalid"],
    ["tls", () => upstream.origin.replace("http:", "https:")],
  ])("T13: is out of reach because of %s, and that is all that is said", async (cause, origin) => {
    const { text } = await codeforge.run(`
      const response = await fetch("${origin()}/?key=BROKEN_KEY");
      return [response.status, (await response.json()).error];
    `);
    expect(text).toMatch(/^\[502,\{"code":"upstream_failed","message":"[^"]*\\?"?/);
    expect(text).toContain(`"cause":"${cause}"`);
    expect(text).not.toMatch(/internal error|reference =|workerd|\.c\+\+/);
  });

  it("T13: speaks another protocol", async () => {
    handler = (_request, _response, raw) => void raw.socket.end("HTTP/1.1 999 None\r\n\r\n");
    const { text } = await send("return [response.status, (await response.json()).error]");
    expect(text).toContain('"cause":"protocol"');
  });

  it("drops the connection instead of an answer", async () => {
    handler = (_request, response) => void response.destroy();
    const { text } = await send("return [response.status, (await response.json()).error]");
    expect(text).toMatch(/^\[502,\{"code":"upstream_failed"/);
    expect(text).toContain('"cause":"reset"');
  });

  it("drops it in the middle of a body", async () => {
    handler = (_request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    };
    const { text } = await send("try { return await response.text() } catch (error) { return 'caught ' + error }");
    expect(text).toMatch(/caught|upstream_failed/);
  });

  it("never answers, and the run ends in time, with what had gone out", async () => {
    handler = () => new Promise(() => {});
    const { text, isError } = await codeforge.run(
      `await fetch("${upstream.origin}/slow", { method: "POST", body: "b" })`,
      { timeout: 500 },
    );
    expect(isError).toBe(true);
    expect(text).toContain("timeout of 500 ms");
    expect(text).toMatch(
      /1 request, no write had completed, 1 was in flight, \d+ ms\nPOST 127\.0\.0\.1:\d+\/slow → .*\(cut off\)/,
    );
  });

  it("answers bytes that are no HTTP status of this world", async () => {
    handler = (_request, _response, raw) => void raw.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello");
    expect((await send("return response.text()")).text).toMatch(/^hello/);
  });
});

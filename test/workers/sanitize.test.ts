/** What the sanitizer relies on in workerd: which bodies it decodes by itself, how headers read, how streams flow. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import { stripTypeScriptTypes } from "node:module";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const FOLDER = "outbound-proxy/sanitize";
const VALUE = "sk_live_51H8abcDEFghijk";
const TEXT = JSON.stringify({ key: VALUE, list: Array.from({ length: 2_000 }, (_, id) => ({ id })) });
const SCRUBBED = TEXT.replace(VALUE, "THE_NAME");

let server: Server;
let origin: string;
let mf: Miniflare;
let respond: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((_, response) => respond(response));
  await new Promise<void>((done) => {
    server.listen(0, "127.0.0.1", done);
  });
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const files = ["outbound-proxy/pump.ts", ...readdirSync(join(ROOT, FOLDER)).map((name) => join(FOLDER, name))];
  const modules = files.map((path) => ({
    type: "ESModule" as const,
    path,
    contents: stripTypeScriptTypes(readFileSync(join(ROOT, path), "utf8")),
  }));
  const worker = readFileSync(join(import.meta.dirname, "sanitize-worker.js"), "utf8");
  mf = new Miniflare({
    ...convertV4MiniflareOptions({
      modules: [{ type: "ESModule", path: "worker.js", contents: worker }, ...modules],
      compatibilityDate: "2026-11-01",
      compatibilityFlags: ["nodejs_compat"],
    }),
  });
  await mf.ready;
});

afterAll(async () => {
  await mf.dispose();
  server.closeAllConnections();
  server.close();
});

async function ask(
  upstream: (response: ServerResponse) => void,
  value: string | null = VALUE,
  method = "GET",
  options: Readonly<Record<string, string>> = {},
) {
  respond = upstream;
  const query = new URLSearchParams({ url: origin, ...(value === null ? {} : { value }), ...options });
  return mf.dispatchFetch(`http://worker/?${query.toString()}`, {
    method,
    redirect: "manual",
    // Miniflare would compress the answer on its last stretch and take the length away.
    headers: { "accept-encoding": "identity" },
  });
}

describe("content encodings in workerd", () => {
  const encodings: readonly (readonly [string, Buffer])[] = [
    ["gzip", gzipSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["x-gzip", gzipSync(TEXT)],
    ["GZIP", gzipSync(TEXT)],
    [" gzip", gzipSync(TEXT)],
    ["gzip,", gzipSync(TEXT)],
    ["identity", Buffer.from(TEXT)],
  ];
  test.each(encodings)("%j is decoded, scrubbed and passed as plain bytes", async (encoding, bytes) => {
    for (const length of [true, false]) {
      const response = await ask((upstream) => {
        upstream.setHeader("content-encoding", encoding);
        if (length) upstream.setHeader("content-length", bytes.length);
        upstream.end(bytes);
      });
      expect(response.headers.get("content-encoding") ?? "identity").toBe("identity");
      expect(await response.text()).toBe(SCRUBBED);
    }
  });

  test.each(["gzip, gzip", "BR", "zstd", "Br", "br,"])("%j is refused", async (encoding) => {
    const response = await ask((upstream) => {
      upstream.setHeader("content-encoding", encoding);
      upstream.end(brotliCompressSync(TEXT));
    });
    expect([response.status, await response.json()]).toMatchObject([502, { reason: "undecodable" }]);
  });

  test.each(encodings.slice(0, 2))("%s passes as it is when there is nothing to look for", async (encoding, bytes) => {
    const response = await ask((upstream) => {
      upstream.setHeader("content-encoding", encoding);
      upstream.end(bytes);
    }, null);
    expect(await response.text()).toBe(TEXT);
  });

  test("gzip that is none gives an error and not its bytes", async () => {
    const response = await ask((upstream) => {
      upstream.setHeader("content-encoding", "gzip");
      upstream.end(VALUE);
    });
    const text = await response.text().catch(() => "failed");
    expect(text).not.toContain(VALUE);
  });
});

describe("answers in workerd", () => {
  test("headers, cookies and status text", async () => {
    const response = await ask((upstream) => {
      const latin1 = Buffer.from(`é ${VALUE} é`).toString("latin1");
      upstream.writeHead(418, `no ${VALUE}`, {
        "x-echo": VALUE,
        "set-cookie": [`a=${VALUE}`, "b=2"],
        "x-codeforge-hint": "forged",
        location: `https://x.example/?k=${VALUE}`,
        "x-latin1": latin1,
      });
      upstream.end();
    });
    expect(response.status).toBe(418);
    expect(response.statusText).not.toContain(VALUE);
    expect(response.headers.get("x-echo")).toBe("THE_NAME");
    expect(response.headers.getSetCookie()).toEqual(["a=THE_NAME", "b=2"]);
    expect(response.headers.get("location")).toBe("https://x.example/?k=THE_NAME");
    expect(response.headers.get("x-latin1")).toContain(" THE_NAME ");
    expect(response.headers.has("x-codeforge-hint")).toBe(false);
  });

  // workerd reads headers as UTF-8 and puts U+FFFD where they are not.
  test.each([
    ["UTF-8", Buffer.from("pässwörd-秘密").toString("latin1"), "pässwörd-秘密"],
    ["Latin-1", "pässwörd-x", "pässwörd-x"],
  ])("a header in %s beyond ASCII is scrubbed", async (_, sent, value) => {
    const response = await ask((upstream) => upstream.setHeader("x-echo", `<${sent}>`).end(), value);
    expect(response.headers.get("x-echo")).toBe("<THE_NAME>");
  });

  test.each([204, 304, 205])("%i has no body", async (status) => {
    const response = await ask((upstream) => upstream.writeHead(status, { "x-echo": VALUE }).end());
    expect([response.status, response.headers.get("x-echo"), await response.text()]).toEqual([status, "THE_NAME", ""]);
  });

  test("HEAD keeps the length of what GET would give", async () => {
    const response = await ask((upstream) => upstream.setHeader("content-length", 12).end(), VALUE, "HEAD");
    expect([response.headers.get("content-length"), await response.text()]).toEqual(["12", ""]);
  });

  test("a small body has its exact new length", async () => {
    const response = await ask((upstream) => upstream.setHeader("content-length", VALUE.length).end(VALUE));
    expect([response.headers.get("content-length"), await response.text()]).toEqual(["8", "THE_NAME"]);
  });

  test("events arrive while the stream goes on", async () => {
    let next: () => void = () => {};
    const response = await ask((upstream) => {
      upstream.writeHead(200, { "content-type": "text/event-stream" });
      upstream.write(`data: ${VALUE}\n\n`);
      next = () => upstream.end("data: last\n\n");
    });
    const reader = (response.body ?? new ReadableStream()).getReader();
    expect(Buffer.from((await reader.read()).value).toString()).toBe("data: THE_NAME\n\n");
    next();
    expect(Buffer.from((await reader.read()).value).toString()).toBe("data: last\n\n");
  });
});

describe("T30: bodies that stream, in workerd", () => {
  const MIB = 1024 ** 2;
  beforeEach(() => mf.dispatchFetch("http://worker/endings"));

  /** How the one body that streamed has ended. */
  const ending = async (): Promise<unknown> => {
    for (let tries = 0; tries < 500; tries++) {
      const ended = (await (await mf.dispatchFetch("http://worker/endings")).json()) as unknown[];
      if (ended.length > 0) return ended[0];
      await new Promise((done) => setTimeout(done, 20));
    }
    throw new Error("the body did not end");
  };
  /** Sends as fast as it is taken; settles when the connection is gone. */
  const flood = (response: ServerResponse): Promise<void> => {
    const piece = Buffer.alloc(64 * 1024, "x");
    const send = (): void => {
      while (!response.destroyed && response.write(piece));
    };
    response.on("drain", send);
    send();
    return new Promise((done) => response.once("close", done));
  };

  test.each([
    ["filtered", VALUE, "THE_NAME"],
    ["as they are", null, VALUE],
  ])("pass whole, %s, and are counted as they came", async (_, value, expected) => {
    const response = await ask((upstream) => {
      for (let count = 0; count < 40; count++) upstream.write(`${"x".repeat(10_000)}${VALUE}`);
      upstream.end();
    }, value);
    expect(await response.text()).toBe(`${"x".repeat(10_000)}${expected}`.repeat(40));
    expect(await ending()).toEqual({ how: "whole", bytes: 40 * (10_000 + VALUE.length) });
  });

  test("keep the length that they were announced with where they pass as they are", async () => {
    const response = await ask((upstream) => {
      upstream.setHeader("content-length", MIB);
      upstream.end(Buffer.alloc(MIB));
    }, null);
    expect(response.headers.get("content-length")).toBe(String(MIB));
    expect((await response.arrayBuffer()).byteLength).toBe(MIB);
    expect(await ending()).toEqual({ how: "whole", bytes: MIB });
  });

  test.each([VALUE, null])("that are too long are cut off, and the upstream with them (%s)", async (value) => {
    let closed: Promise<void> | undefined;
    const options = { max: String(MIB), hold: "600000" };
    const response = await ask((upstream) => void (closed = flood(upstream)), value, "GET", options);
    await expect(response.arrayBuffer()).rejects.toThrow();
    await closed;
    const end = (await ending()) as { how: string; bytes: number };
    expect(end.how).toBe("too_long");
    expect(end.bytes).toBeLessThanOrEqual(MIB);
  });

  test("that their upstream breaks off end in an error, and what was held back stays here", async () => {
    const response = await ask((upstream) => {
      upstream.write("some bytes");
      setTimeout(() => upstream.destroy(), 20);
    });
    await expect(response.text()).rejects.toThrow();
    expect(await ending()).toEqual({ how: "broken", bytes: 10 });
  });
});

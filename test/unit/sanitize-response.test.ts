/**
 * The whole step on one answer. What workerd decodes by itself (`gzip`, `br`) is tested there; Node decodes nothing of
 * a `Response` made by hand.
 */
import { deflateSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

import { sanitize, MAX_SMALL_BODY_BYTES, type SanitizeContext } from "../../outbound-proxy/sanitize/sanitize.ts";
import { buildScrubber } from "../../outbound-proxy/sanitize/scrubber.ts";
import { passInNode } from "../helpers/filter.ts";

const VALUE = "sk_live_51H8abcDEFghijk";
const scrubber = buildScrubber([{ name: "THE_NAME", value: VALUE }]);

const NOTHING = { method: "GET", sent: new Set<string>(), onNames: () => {}, pass: passInNode } as const;

interface Options extends Partial<SanitizeContext> {
  readonly status?: number;
  readonly statusText?: string;
  readonly headers?: readonly (readonly [string, string])[];
}

type Body = ConstructorParameters<typeof Response>[0];

async function answer(body: Body, options: Options = {}): Promise<{ response: Response; names: string[] }> {
  const { status = 200, statusText = "", headers = [], ...context } = options;
  const names: string[] = [];
  const upstream = new Response(body, { status, statusText, headers: headers.map(([name, value]) => [name, value]) });
  const outcome = await sanitize(upstream, {
    method: "GET",
    scrubber,
    sent: new Set(["THE_NAME"]),
    onNames: (found) => names.push(...found),
    pass: passInNode,
    ...context,
  });
  if (!outcome.ok) throw new Error(outcome.reason);
  return { response: outcome.response, names };
}

const withLength = (text: string): [string, string] => ["content-length", String(Buffer.byteLength(text))];

describe("headers", () => {
  test.each([
    ["location", `https://x.example/?key=${encodeURIComponent(VALUE)}`, "https://x.example/?key=THE_NAME"],
    ["link", `<https://x.example/?k=${VALUE}>; rel="next"`, '<https://x.example/?k=THE_NAME>; rel="next"'],
    ["www-authenticate", `Bearer realm="${VALUE}"`, 'Bearer realm="THE_NAME"'],
    ["authorization", `Basic ${btoa(`${VALUE}:`)}`, "Basic THE_NAME6"],
    ["x-anything", VALUE, "THE_NAME"],
    ["content-type", `text/plain; x=${VALUE}`, "text/plain; x=THE_NAME"],
    ["etag", `"${Buffer.from(VALUE).toString("hex")}"`, '"THE_NAME"'],
  ])("%s: a value becomes its name", async (name, value, expected) => {
    const { response, names } = await answer(null, { headers: [[name, value]] });
    expect(response.headers.get(name)).toBe(expected);
    expect(names).toEqual(["THE_NAME"]);
  });

  test("each Set-Cookie stays one and is scrubbed", async () => {
    const headers = [
      ["set-cookie", `a=${VALUE}; Expires=Wed, 21 Oct 2026 07:28:00 GMT`],
      ["set-cookie", `b=2; x=${VALUE}`],
    ] as const;
    const { response } = await answer("", { headers });
    expect(response.headers.getSetCookie()).toEqual([
      "a=THE_NAME; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      "b=2; x=THE_NAME",
    ]);
  });

  test("the status text is scrubbed", async () => {
    expect((await answer("", { status: 401, statusText: `bad key ${VALUE}` })).response.statusText).toBe(
      "bad key THE_NAME",
    );
  });

  test("a header whose name contains a value is left out, in any case", async () => {
    const { response } = await answer("", {
      headers: [
        [`x-${VALUE}-y`, "1"],
        ["x-other", "2"],
      ],
    });
    expect([...response.headers.keys()].filter((name) => name.startsWith("x-"))).toEqual(["x-other"]);
  });

  test.each([
    ["with values to look for", scrubber],
    ["with none", null],
  ])("T46: what is not the sandbox's does not pass, %s", async (_, scrubber) => {
    const dropped = "connection keep-alive proxy-authenticate proxy-connection te trailer transfer-encoding upgrade"
      .concat(" alt-svc nel report-to reporting-endpoints x-secret-hop")
      .concat(" x-codeforge-hint x-codeforge-injected x-codeforge-proxy-error")
      .split(" ");
    const headers = dropped.map((name): [string, string] => [
      name,
      name === "connection" ? "close, X-Secret-Hop" : "1",
    ]);
    const { response } = await answer("", { scrubber, headers: [...headers, ["x-kept", "1"]] });
    expect(dropped.filter((name) => response.headers.has(name))).toEqual([]);
    expect(response.headers.get("x-kept")).toBe("1");
  });
});

describe("bodies", () => {
  const describing: readonly [string, string][] = [
    ["accept-ranges", "bytes"],
    ["content-range", "bytes 0-9/10"],
    ["content-md5", "x"],
    ["digest", "x"],
    ["repr-digest", "x"],
    ["content-digest", "x"],
    ["etag", '"1"'],
  ];
  const present = (response: Response): string[] =>
    [...response.headers.keys()].filter((name) => describing.some(([other]) => other === name));

  test("T40: a small one is rewritten at once, with its exact length and without what described its bytes", async () => {
    const body = JSON.stringify({ key: VALUE });
    const { response, names } = await answer(body, { headers: [withLength(body), ...describing] });
    expect(response.headers.get("content-length")).toBe("18");
    expect(await response.text()).toBe('{"key":"THE_NAME"}');
    expect(names).toEqual(["THE_NAME"]);
    expect(present(response)).toEqual([]);
  });

  test("a small one without values keeps its bytes and all its headers", async () => {
    const body = JSON.stringify({ key: 1 });
    const { response, names } = await answer(body, { headers: [withLength(body), ...describing] });
    expect(present(response)).toHaveLength(describing.length);
    expect(response.headers.get("content-length")).toBe("9");
    expect([await response.text(), names]).toEqual([body, []]);
  });

  test.each([
    ["of unknown length", []],
    ["longer than is scrubbed at once", [["content-length", String(MAX_SMALL_BODY_BYTES + 1)]]],
    ["with a length that is no number", [["content-length", "1e3"]]],
    ["of events", [["content-type", "text/event-stream; charset=utf-8"], withLength(VALUE)]],
    ["of lines", [["content-type", "application/x-ndjson"], withLength(VALUE)]],
  ] as [string, [string, string][]][])("one %s streams, without a length", async (_, headers) => {
    const { response, names } = await answer(VALUE, { headers: [...headers, ...describing] });
    expect(names).toEqual([]);
    expect(await response.text()).toBe("THE_NAME");
    expect(names).toEqual(["THE_NAME"]);
    expect(response.headers.has("content-length")).toBe(false);
    expect(present(response)).toEqual(["etag"]);
  });

  test("a name in a header and in the body is reported once", async () => {
    const { response, names } = await answer(`${VALUE} ${VALUE}`, { headers: [["x-echo", VALUE]] });
    await response.text();
    expect(names).toEqual(["THE_NAME"]);
  });

  test("cancelling the answer cancels the upstream", async () => {
    let cancelled = false;
    const upstream = new ReadableStream({ cancel: () => void (cancelled = true) });
    const { response } = await answer(upstream);
    await response.body?.cancel();
    expect(cancelled).toBe(true);
  });

  test.each([
    ["HEAD", 200],
    ["GET", 204],
    ["GET", 304],
  ])("%s %i has no body, and its headers are still scrubbed", async (method, status) => {
    const { response } = await answer(null, {
      method,
      status,
      headers: [
        ["x-echo", VALUE],
        ["content-length", "5"],
      ],
    });
    expect([response.body, response.status, response.headers.get("x-echo")]).toEqual([null, status, "THE_NAME"]);
    expect(response.headers.get("content-length")).toBe("5");
  });

  test("with nothing to look for, the body is the upstream's own stream", async () => {
    const upstream = new Response(VALUE, { headers: { "content-encoding": "zstd", etag: '"1"' } });
    const { body } = upstream;
    const outcome = sanitize(upstream, { ...NOTHING, scrubber: null });
    if (outcome instanceof Promise || !outcome.ok) throw new Error("not passed");
    expect(outcome.response.body).toBe(body);
    expect(outcome.response.headers.get("content-encoding")).toBe("zstd");
  });
});

describe("T6: content encodings", () => {
  const text = `{"key":"${VALUE}"}`;

  test.each([
    ["deflate", deflateSync(text)],
    ["x-gzip", gzipSync(text)],
    ["X-GZIP", gzipSync(text)],
    ["GZIP", gzipSync(text)],
    ["identity, gzip", gzipSync(text)],
    ["identity", Buffer.from(text)],
    ["", Buffer.from(text)],
  ])("%j is decoded and scrubbed", async (encoding, bytes) => {
    const headers: [string, string][] = [
      ["content-encoding", encoding],
      ["content-length", String(bytes.length)],
    ];
    const { response } = await answer(new Uint8Array(bytes), { headers });
    expect(response.headers.get("content-encoding") ?? "").toBe("");
    expect(await response.text()).toBe('{"key":"THE_NAME"}');
  });

  test.each(["zstd", "gzip, gzip", "gzip, br", "br, identity, gzip", "aws-chunked", "BR", "compress", VALUE])(
    "%j is refused, for the sandbox might be able to decode it",
    async (encoding) => {
      const upstream = new Response(new Uint8Array(gzipSync(text)), { headers: { "content-encoding": encoding } });
      const outcome = await sanitize(upstream, { ...NOTHING, scrubber });
      const shown = encoding === VALUE ? "THE_NAME" : encoding;
      expect(outcome).toEqual({ ok: false, reason: "undecodable", encoding: shown });
    },
  );

  test("a body that is not what it says ends in an error, not in bytes", async () => {
    const { response } = await answer(text, { headers: [["content-encoding", "deflate"]] });
    await expect(response.text()).rejects.toThrow();
  });
});

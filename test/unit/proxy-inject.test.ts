import { describe, expect, test } from "vitest";

import { checkValue, inject, type Injection, type InjectableCredential } from "../../outbound-proxy/inject.ts";
import { parseConfig, type ApiConfigInput } from "../../src/contract/config.ts";

type Entry = NonNullable<ApiConfigInput["credentials"]>[number];

/** Credentials as a config would declare them. */
function own(values: Readonly<Record<string, string | undefined>>, ...entries: Entry[]): InjectableCredential[] {
  const parsed = parseConfig({ description: "x", domains: ["a.example"], credentials: entries });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.config.credentials.map((credential) => ({ credential, value: values[credential.name] }));
}

interface Sent {
  url?: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string | Uint8Array | ReadableStream<Uint8Array>;
  contentLength?: number | null;
}

function send(sent: Sent, credentials: InjectableCredential[], foreign: string[] = []): Promise<Injection> {
  const body = typeof sent.body === "string" ? new TextEncoder().encode(sent.body) : (sent.body ?? null);
  return inject(
    {
      url: new URL(sent.url ?? "https://a.example/"),
      method: sent.method ?? "POST",
      headers: new Headers(sent.headers),
      body,
      contentLength: sent.contentLength ?? (body instanceof Uint8Array ? body.length : null),
    },
    credentials,
    foreign,
  );
}

type Sending = Extract<Injection, { ok: true }>;

async function sendOk(sent: Sent, credentials: InjectableCredential[], foreign: string[] = []): Promise<Sending> {
  const injection = await send(sent, credentials, foreign);
  if (!injection.ok) throw new Error(injection.denial.code);
  return injection;
}

const textOf = async (injection: Sending): Promise<string> => new Response(injection.body as ReadableStream).text();

const base64 = (text: string): string => Buffer.from(text).toString("base64");

const KEY = own({ KEY: "s3cret" }, "KEY");

describe("headers by default", () => {
  test.each([
    ["authorization", "Bearer KEY", "Bearer s3cret"],
    ["authorization", "bearer KEY", "bearer s3cret"],
    ["authorization", "token KEY", "token s3cret"],
    ["authorization", "KEY", "s3cret"],
    ["authorization", "DeepL-Auth-Key KEY", "DeepL-Auth-Key s3cret"],
    ["authorization", "Token token=KEY", "Token token=s3cret"],
    ["authorization", 'Token token="KEY"', 'Token token="s3cret"'],
    ["authorization", `Basic ${base64("KEY:")}`, `Basic ${base64("s3cret:")}`],
    ["authorization", `Basic ${base64("user:KEY")}`, `Basic ${base64("user:s3cret")}`],
    ["authorization", `basic ${base64("jörg:KEY")}`, `basic ${base64("jörg:s3cret")}`],
    ["authorization", `Basic ${base64("KEY:??>").replaceAll("/", "_")}`, `Basic ${base64("s3cret:??>")}`],
    ["x-api-key", "KEY", "s3cret"],
    ["x-api-key", "Bearer KEY", "Bearer s3cret"],
    ["api-key", "KEY", "s3cret"],
    ["apikey", "KEY", "s3cret"],
    ["x-auth-token", "KEY", "s3cret"],
    ["x-access-token", "KEY", "s3cret"],
    ["private-token", "KEY", "s3cret"],
    ["x-goog-api-key", "KEY", "s3cret"],
    ["ocp-apim-subscription-key", "KEY", "s3cret"],
    ["dd-api-key", "KEY", "s3cret"],
    ["dd-application-key", "KEY", "s3cret"],
    ["xi-api-key", "KEY", "s3cret"],
    ["x-vault-token", "KEY", "s3cret"],
    ["x-shopify-access-token", "KEY", "s3cret"],
    ["x-hasura-admin-secret", "KEY", "s3cret"],
    ["x-subscription-token", "KEY", "s3cret"],
    ["x-auth-key", "KEY", "s3cret"],
    ["x-client-secret", "KEY", "s3cret"],
    ["token", "KEY", "s3cret"],
  ])("%s: %s carries the value", async (name, value, expected) => {
    const { headers, injected, left } = await sendOk({ headers: { [name]: value } }, KEY);
    expect([headers.get(name), injected, left]).toEqual([expected, ["KEY"], []]);
  });

  test.each([
    ["T2", "user-agent", "KEY"],
    ["T2", "origin", "https://KEY"],
    ["T2", "referer", "KEY"],
    ["T2", "cookie", "session=KEY"],
    ["T2", "accept", "KEY"],
    ["T2", "x-request-id", "KEY"],
    ["T2", "traceparent", "KEY"],
    ["T2", "if-none-match", '"KEY"'],
    ["T2", "sec-ch-ua", "KEY"],
    ["T43", "x-amz-meta-note", "KEY"],
    ["T43", "x-amz-meta-api-key", "KEY"],
    ["T43", "x-meta-api-key", "KEY"],
    ["T43", "x-object-meta-auth-token", "KEY"],
    ["T43", "x-goog-meta-token", "KEY"],
    ["T1", "idempotency-key", "KEY"],
    ["T1", "x-csrf-token", "KEY"],
    ["T1", "x-custom", "KEY"],
    ["T1", "x-api-key", "KEY and more"],
    ["T1", "x-api-key", "a=KEY"],
    ["T1", "authorization", "Bearer KEY extra"],
    ["F15", "authorization", "Bearer KEY, Bearer KEY"],
    ["F15", "x-api-key", "KEY, KEY"],
    ["T17", "x-api-key", "KEYS"],
    ["T17", "x-api-key", "KEYs"],
    ["T17", "x-api-key", "MY_KEY"],
    ["T17", "authorization", "Bearer KEY2"],
    ["T4", "authorization", `${"x".repeat(33)} KEY`],
    ["T4", "x-api-key", `Bearer${" ".repeat(5)}KEY`],
    ["T4", "authorization", `Token ${"x".repeat(33)}=KEY`],
    ["T4", "authorization", `Basic${" ".repeat(5)}${base64("user:KEY")}`],
    ["T39", "authorization", "Basic KEY"],
    ["T39", "authorization", "Basic S0VZ!"],
    ["T39", "authorization", "Basic /////w=="],
  ])("%s: %s: %s goes out as it stands", async (_, name, value) => {
    const { headers, injected } = await sendOk({ headers: { [name]: value } }, KEY);
    expect([headers.get(name), injected]).toEqual([value, []]);
  });

  test("what stays behind is listed with its place", async () => {
    const { left } = await sendOk({ url: "https://a.example/KEY?q=KEY", headers: { "user-agent": "KEY" } }, KEY);
    expect(left).toEqual([
      { name: "KEY", place: "path", reason: "place" },
      { name: "KEY", place: "query:q", reason: "place" },
      { name: "KEY", place: "header:user-agent", reason: "place" },
    ]);
  });

  test("F7: OPTIONS carries no credential", async () => {
    const { headers, injected } = await sendOk({ method: "OPTIONS", headers: { "x-api-key": "KEY" } }, KEY);
    expect([headers.get("x-api-key"), injected]).toEqual(["KEY", []]);
  });
});

describe("places that a config opens", () => {
  const at = (place: string, value = "s3cret") => own({ KEY: value }, { name: "KEY", in: [place] });

  test("header:<name> opens that header wherever the name stands, and closes the default", async () => {
    const headers = { cookie: "a=1; session=KEY; b=2", "x-api-key": "KEY" };
    const injection = await sendOk({ headers }, at("header:Cookie"));
    expect(injection.headers.get("cookie")).toBe("a=1; session=s3cret; b=2");
    expect(injection.headers.get("x-api-key")).toBe("KEY");
  });

  test("query:<key> opens that parameter and leaves the rest of the query byte for byte", async () => {
    const url = "https://a.example/p%20q/KEY?b=%7E+x&key=KEY&c=KEY&&=;KEY&é='";
    const { url: sent, left } = await sendOk({ url }, at("query:key"));
    expect(sent).toBe(new URL(url).href.replace("key=KEY", "key=s3cret"));
    expect(left.map(({ place }) => place)).toEqual(["path", "query:c", "query:"]);
  });

  test("query:<key> finds the name behind an escape, and its key in escapes", async () => {
    const { url } = await sendOk({ url: "https://a.example/?%6Bey=Bearer%20KEY%C3%A9" }, at("query:key"));
    expect(url).toBe("https://a.example/?%6Bey=Bearer%20s3cret%C3%A9");
  });

  test.each([
    ["/v1/KEY/x", "/v1/s3cret/x"],
    ["/botKEY/sendMessage", "/bots3cret/sendMessage"],
    ["/v1/user:KEY", "/v1/user:s3cret"],
    ["/v1/MY_KEY/x", "/v1/MY_KEY/x"],
    ["/v1/KEYS/x", "/v1/KEYS/x"],
    ["/v1/xKEY2", "/v1/xKEY2"],
  ])("path makes %s into %s", async (path, expected) => {
    const { url } = await sendOk({ url: `https://a.example${path}?q=1` }, at("path"));
    expect(url).toBe(`https://a.example${expected}?q=1`);
  });

  test("body:<field> opens one JSON member, by its path, and nothing else changes", async () => {
    const body =
      '{ "n": 1.0, "id":12345678901234567890, "a": {"secret" : "KEY", "b": ["KEY", {"c": "x KEY\\n"}]}, "é":"KEY" }';
    const headers = { "content-type": "application/json; charset=utf-8" };
    const inA = await sendOk({ headers, body }, at("body:a.secret"));
    expect(await textOf(inA)).toBe(body.replace('"secret" : "KEY"', '"secret" : "s3cret"'));
    expect(inA.left.map(({ place }) => place)).toEqual(["body:a.b.0", "body:a.b.1.c", "body:é"]);
    const inC = await sendOk({ headers, body }, at("body:a.b.1.c"));
    expect(await textOf(inC)).toBe(body.replace("x KEY", "x s3cret"));
  });

  test("body:<field> opens one form field", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const body = "grant_type=client_credentials&client_secret=KEY&note=KEY&x=%zz";
    const injection = await sendOk({ headers, body }, at("body:client_secret"));
    expect(await textOf(injection)).toBe(body.replace("client_secret=KEY", "client_secret=s3cret"));
  });

  test("body:<field> opens one text part of a multipart body; files and other parts stay byte for byte", async () => {
    const form = new FormData();
    form.set("note", "KEY");
    form.set("token", "KEY");
    form.set("file", new File([Uint8Array.from({ length: 300 }, (_, i) => i), "KEY"], 'x; name="token".bin'));
    const whole = new Response(form);
    const headers = { "content-type": whole.headers.get("content-type")! };
    const bytes = new Uint8Array(await whole.arrayBuffer());
    const { body, left } = await sendOk({ headers, body: bytes }, at("body:token", "é≠"));
    const back = await new Response(body as Uint8Array<ArrayBuffer>, { headers }).formData();
    expect([back.get("note"), back.get("token")]).toEqual(["KEY", "é≠"]);
    expect(await (back.get("file") as File).bytes()).toEqual(await (form.get("file") as File).bytes());
    expect(left).toEqual([{ name: "KEY", place: "body:note", reason: "place" }]);
  });

  test.each([
    ["a value longer than 8 KiB", 'form-data; name="token"', `KEY${" ".repeat(8_192)}`],
    ["a file", 'form-data; name="token"; filename="a.txt"', "KEY"],
    ["a file with an encoded name", "form-data; name=\"token\"; filename*=utf-8''a", "KEY"],
    ["an encoded part", 'form-data; name="token"\r\nContent-Transfer-Encoding: base64', "KEY"],
  ])("a multipart part that is %s is no field", async (_, disposition, value) => {
    const body = `--b\r\nContent-Disposition: ${disposition}\r\n\r\n${value}\r\n--b--\r\n`;
    const headers = { "content-type": "multipart/form-data; boundary=b" };
    expect(await textOf(await sendOk({ headers, body }, at("body:token")))).toBe(body);
  });

  test.each([
    ["application/json", '{"token":"KEY"'],
    ["application/json", '"KEY"'],
    ["text/plain", '{"token":"KEY"}'],
    ["application/x-www-form-urlencoded", "tokens=KEY&TOKEN=KEY"],
    ["multipart/form-data", '--b\r\nContent-Disposition: form-data; name="token"\r\n\r\nKEY\r\n--b--\r\n'],
  ])("a body of type %s that is %j has no such field", async (type, body) => {
    const injection = await sendOk({ headers: { "content-type": type }, body }, at("body:token"));
    expect([await textOf(injection), injection.injected]).toEqual([body, []]);
  });
});

describe("T37: values are encoded for their place", () => {
  const value = 'a&b=c"/+ é$&$1\\';
  const places = ["query:k", "body:f"];
  const credentials = own({ KEY: value }, { name: "KEY", in: places });

  test("in a query", async () => {
    const { url } = await sendOk({ url: "https://a.example/?k=KEY&z=1" }, credentials);
    expect(url).toBe("https://a.example/?k=a%26b%3Dc%22%2F%2B%20%C3%A9%24%26%241%5C&z=1");
    expect(new URL(url).searchParams.get("k")).toBe(value);
  });

  test("in a form", async () => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const text = await textOf(await sendOk({ headers, body: "f=KEY&z=1" }, credentials));
    expect([...new URLSearchParams(text)]).toEqual([
      ["f", value],
      ["z", "1"],
    ]);
  });

  test("in JSON", async () => {
    const headers = { "content-type": "application/json" };
    const text = await textOf(await sendOk({ headers, body: '{"f":"KEY","z":"1"}' }, credentials));
    expect(JSON.parse(text)).toEqual({ f: value, z: "1" });
  });

  test("in a header and in Basic, as it is", async () => {
    const header = own({ KEY: value }, "KEY");
    expect((await sendOk({ headers: { "x-api-key": "KEY" } }, header)).headers.get("x-api-key")).toBe(value);
    const basic = await sendOk({ headers: { authorization: `Basic ${base64("u:KEY")}` } }, header);
    expect(basic.headers.get("authorization")).toBe(`Basic ${base64(`u:${value}`)}`);
  });

  test("in a path, where : and @ stand for themselves", async () => {
    const path = own({ KEY: "12:a@b;c=d é%" }, { name: "KEY", in: ["path"] });
    expect((await sendOk({ url: "https://a.example/botKEY/x" }, path)).url).toBe(
      "https://a.example/bot12:a@b%3Bc%3Dd%20%C3%A9%25/x",
    );
  });

  test.each(["a/b", "a\\b", "a?b", "a#b", "..", "a..b", ".", "a\u0000"])(
    "%j is refused in a path, and nothing leaves",
    async (value) => {
      const path = own({ KEY: value }, { name: "KEY", in: ["path"] });
      const injection = await send({ url: "https://a.example/x/KEY" }, path);
      expect(injection).toMatchObject({
        ok: false,
        denial: { code: "credential_unusable", name: "KEY", place: "path" },
      });
      expect(checkValue(value, ["path"])).not.toBeNull();
    },
  );
});

describe("T36: values are checked before they are used", () => {
  test.each([
    ["a\nb", ["header"], "holds a line break or another control character"],
    ["a\rb", ["header:x-a"], "holds a line break or another control character"],
    ["a\u0000b", ["header"], "holds a line break or another control character"],
    ["a≠b", ["header"], "holds characters that a header cannot carry (beyond Latin-1)"],
    [" a", ["header"], "starts or ends with a space"],
    ["", ["body:x"], "is empty"],
    ["\ud800", ["query:x"], "is not valid Unicode"],
    ["a\nb≠", ["body:x", "query:y"], null],
    ["aéb", ["header"], null],
  ])("%j in %j: %s", (value, places, problem) => {
    expect(checkValue(value, places)).toBe(problem);
  });

  test("a value that slipped through is refused by name, and the answer does not hold it", async () => {
    const injection = await send({ headers: { "x-api-key": "KEY" } }, own({ KEY: "hidden\nvalue" }, "KEY"));
    expect(injection.ok).toBe(false);
    expect(JSON.stringify(injection)).not.toContain("hidden");
  });
});

describe("T11: each name once per request", () => {
  const credentials = own(
    { KEY: "s3cret", KEY2: "other" },
    { name: "KEY", in: ["header", "header:x-many", "query:k", "body:f"] },
    "KEY2",
  );
  const json = { "content-type": "application/json" };

  test.each<[string, Sent]>([
    ["two headers", { headers: { authorization: "Bearer KEY", "x-api-key": "KEY" } }],
    ["one header twice", { headers: { "x-many": "KEY KEY" } }],
    ["Basic twice", { headers: { authorization: `Basic ${base64("KEY:KEY")}` } }],
    ["a header and the query", { url: "https://a.example/?k=KEY", headers: { "x-api-key": "KEY" } }],
    ["a repeated parameter", { url: "https://a.example/?k=KEY&k=KEY" }],
    ["a header and the body", { headers: { ...json, "x-api-key": "KEY" }, body: '{"f":"KEY"}' }],
    ["a repeated member", { headers: json, body: '{"f":"KEY","f":"KEY"}' }],
    ["T19: a million times in one header", { headers: { "x-many": "KEY ".repeat(1_000_000) } }],
  ])("%s is refused", async (_, sent) => {
    expect(await send(sent, credentials)).toEqual({ ok: false, denial: { code: "credential_repeated", name: "KEY" } });
  });

  test("two names go in side by side, and a name that is only text does not count", async () => {
    const sent = { headers: { authorization: "Bearer KEY", "x-api-key": "KEY2", "user-agent": "KEY KEY2" } };
    expect((await sendOk(sent, credentials)).injected).toEqual(["KEY", "KEY2"]);
  });
});

describe("names and values", () => {
  const many = own(
    { AAA: "AAA_BBB", AAA_BBB: "x$&y", BBB: "AAA" },
    ...["AAA", "AAA_BBB", "BBB"].map((name) => ({ name, in: ["header:x-a"] })),
  );

  test("T17: the longest name wins, values are never looked at again, and $& is only text", async () => {
    const { headers } = await sendOk({ headers: { "x-a": "AAA,AAA_BBB;BBB AAA_ _BBB AAAB AAAx éAAA_BBB_é" } }, many);
    expect(headers.get("x-a")).toBe("AAA_BBB,x$&y;AAA AAA_ _BBB AAAB AAAx éAAA_BBB_é");
  });

  test("T24: the name of another API is text, and it is said whose it is not", async () => {
    const { headers, left } = await sendOk({ headers: { authorization: "Bearer FOREIGN" } }, KEY, ["FOREIGN", "KEY"]);
    expect(headers.get("authorization")).toBe("Bearer FOREIGN");
    expect(left).toEqual([{ name: "FOREIGN", place: "header:authorization", reason: "other_api" }]);
  });

  test("a name without a value goes out as it stands, and that is said", async () => {
    const { headers, left } = await sendOk({ headers: { "x-api-key": "KEY" } }, own({}, "KEY"));
    expect(headers.get("x-api-key")).toBe("KEY");
    expect(left).toEqual([{ name: "KEY", place: "header:x-api-key", reason: "unset" }]);
  });

  test.each<[string, Sent]>([
    ["a query", { url: "https://a.example/?k=%4BEY" }],
    ["JSON", { headers: { "content-type": "application/json" }, body: '{"k":"\\u004bEY"}' }],
    ["a form", { headers: { "content-type": "application/x-www-form-urlencoded" }, body: "k=K%45Y" }],
  ])("T38: a name in escapes in %s is not replaced, and that is said", async (_, sent) => {
    const injection = await sendOk(sent, own({ KEY: "s3cret" }, { name: "KEY", in: ["query:k", "body:k"] }));
    expect(injection.injected).toEqual([]);
    expect(injection.left).toEqual([expect.objectContaining({ name: "KEY", reason: "encoded" })]);
  });

  test("a name that two APIs share is open in the places of both", async () => {
    const twice = [
      ...own({ KEY: "s" }, { name: "KEY", in: ["header:x-a"] }),
      ...own({ KEY: "s" }, { name: "KEY", in: ["header:x-b"] }),
    ];
    expect((await sendOk({ headers: { "x-a": "KEY" } }, twice)).injected).toEqual(["KEY"]);
    expect((await sendOk({ headers: { "x-b": "KEY" } }, twice)).injected).toEqual(["KEY"]);
  });
});

describe("T1: bodies", () => {
  const json = { "content-type": "application/json" };
  const workflow = '{"content":"${{ secrets.KEY }}"}';

  test("a name in a body is text, and a small body says that it is in there", async () => {
    const injection = await sendOk({ headers: json, body: workflow }, KEY);
    expect(await textOf(injection)).toBe(workflow);
    expect(injection.left).toEqual([{ name: "KEY", place: "body:content", reason: "place" }]);
  });

  test("a body of a type without fields holds only text", async () => {
    const injection = await sendOk({ headers: { "content-type": "text/plain" }, body: "Bearer KEY" }, KEY);
    expect(await textOf(injection)).toBe("Bearer KEY");
    expect(injection.left).toEqual([{ name: "KEY", place: "body", reason: "place" }]);
  });

  test("a stream is handed on as it is when nothing in it may be replaced", async () => {
    const body = new Response(workflow).body!;
    const injection = await sendOk({ headers: json, body, contentLength: null }, KEY);
    expect(injection.body).toBe(body);
    const long = new Response(workflow).body!;
    expect((await sendOk({ headers: json, body: long, contentLength: 100_000 }, KEY)).body).toBe(long);
  });

  test("a compressed body is not touched", async () => {
    const body = new Response("x").body!;
    const headers = { ...json, "content-encoding": "gzip" };
    const credentials = own({ KEY: "s" }, { name: "KEY", in: ["body:f"] });
    expect((await sendOk({ headers, body }, credentials)).body).toBe(body);
  });

  test("a body beyond the limit passes whole, with what had been read of it", async () => {
    const credentials = own({ KEY: "s" }, { name: "KEY", in: ["body:f"] });
    const text = `{"f":"KEY","pad":"${"x".repeat(1024 * 1024)}"}`;
    for (const contentLength of [null, 10]) {
      const injection = await sendOk({ headers: json, body: new Response(text).body!, contentLength }, credentials);
      expect(await textOf(injection)).toBe(text);
      expect(injection.injected).toEqual([]);
    }
    const chunks = Array.from({ length: 30 }, (_, index) => new Uint8Array(100_000).fill(index));
    const source = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const whole = await sendOk({ headers: json, body: source, contentLength: null }, credentials);
    const passed = await new Response(whole.body as ReadableStream).bytes();
    expect(passed.length).toBe(3_000_000);
    expect(passed.every((byte, index) => byte === Math.floor(index / 100_000))).toBe(true);

    const declared = new Response(text).body!;
    const known = await sendOk({ headers: json, body: declared, contentLength: text.length }, credentials);
    expect(known.body).toBe(declared);
  });

  test("a byte order mark and bytes that are no UTF-8 stay", async () => {
    const credentials = own({ KEY: "s3cret" }, { name: "KEY", in: ["body:f"] });
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const marked = Uint8Array.from([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("a=1&f=KEY")]);
    const { body } = await sendOk({ headers: form, body: marked }, credentials);
    expect([...(body as Uint8Array)]).toEqual([0xef, 0xbb, 0xbf, ...new TextEncoder().encode("a=1&f=s3cret")]);
    const latin = Uint8Array.from([0x66, 0x3d, 0xff]);
    expect((await sendOk({ headers: form, body: latin }, credentials)).body).toBe(latin);
  });
});

import { describe, expect, test } from "vitest";

import { inject } from "../../outbound-proxy/inject.ts";
import { createRedactor, parseRedactingStrings, type Redactor } from "../../outbound-proxy/redact.ts";

const redactor = (...strings: string[]): Redactor => createRedactor(strings)!;

/** The body after redaction, cut into chunks of these sizes (the last one repeats), and the count. */
async function stream(tool: Redactor, text: string | Uint8Array, sizes: readonly number[]): Promise<[string, number]> {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  let count = -1;
  let at = 0;
  let turn = 0;
  const source = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      const size = sizes[Math.min(turn++, sizes.length - 1)]!;
      controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
  const body = tool.body(source, (total) => (count = total));
  return [await new Response(body as ReadableStream).text(), count];
}

function atOnce(tool: Redactor, text: string): string {
  return new TextDecoder().decode(tool.body(new TextEncoder().encode(text), () => {}) as Uint8Array);
}

describe("what is found", () => {
  const text = 'Zoë "Z" O/Brien+1';
  const json = JSON.stringify(text).slice(1, -1);

  test.each([
    ["as it stands", text],
    ["percent-encoded", encodeURIComponent(text)],
    ["percent-encoded in lower case", encodeURIComponent(text).replace(/%../g, (hex) => hex.toLowerCase())],
    ["percent-encoded throughout", [...new TextEncoder().encode(text)].map((b) => `%${b.toString(16)}`).join("")],
    ["form-encoded", new URLSearchParams({ a: text }).toString().slice(2)],
    ["JSON-escaped", json],
    ["JSON-escaped with slashes", json.replaceAll("/", "\\/")],
    ["JSON-escaped beyond ASCII", json.replaceAll("ë", "\\u00eb")],
    ["JSON-escaped beyond ASCII in upper case", json.replaceAll("ë", "\\u00EB")],
    ["JSON-escaped throughout", [...text].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")],
    ["escaped in mixed ways", json.replace("ë", "%C3%ab").replace("Z", "\\u005a").replace("O", "%4f")],
    ["with accents decomposed", text.normalize("NFD")],
  ])("a string %s becomes REDACTED", (_, written) => {
    expect(atOnce(redactor(text), `<${written}>`)).toBe("<REDACTED>");
  });

  test("characters beyond the basic plane are found in both notations", () => {
    expect(atOnce(redactor("pin 😀 9"), "a pin 😀 9 b pin \\ud83d\\uDE00 9 c pin%20%F0%9F%98%80%209")).toBe(
      "a REDACTED b REDACTED c REDACTED",
    );
  });

  test("characters with a meaning in regular expressions and replacements stand for themselves", () => {
    expect(atOnce(redactor("a.b*$&(c)"), "a.b*$&(c) axb")).toBe("REDACTED axb");
  });

  test.each([
    ["abcd", ["abc", "bcd"], "REDACTED"],
    ["abcdef", ["abc", "abcdef"], "REDACTED"],
    ["xababay", ["aba"], "xREDACTEDy"],
    ["abcabc", ["abc"], "REDACTEDREDACTED"],
    ["aaaaaaaaaa", ["aaa"], "REDACTED"],
  ])("overlapping passages of %s are one and leave no rest", (text, strings, expected) => {
    expect(atOnce(redactor(...strings), text)).toBe(expected);
  });

  test("path, query and headers are redacted; the host is not, and what is clean is handed back as it is", () => {
    const tool = redactor("ada lovelace", "example");
    const url = new URL("https://api.example.com/ada%20lovelace?q=ada+lovelace&x=1");
    expect(tool.url(url)).toEqual({ value: new URL("https://api.example.com/REDACTED?q=REDACTED&x=1"), count: 2 });
    const clean = new URL("https://api.example.com/x?y=%2F");
    expect(tool.url(clean).value).toBe(clean);
    const { value, count } = tool.headers(new Headers({ "x-user": "ada lovelace", accept: "*/*" }));
    expect([...value]).toEqual([
      ["accept", "*/*"],
      ["x-user", "REDACTED"],
    ]);
    expect(count).toBe(1);
  });

  test("T34: a string that begins like a path becomes no part of the host", () => {
    const url = new URL("https://api.example.com/home/ada/notes?a=/home/ada");
    expect(redactor("/home/ada").url(url).value.href).toBe("https://api.example.com/REDACTED/notes?a=REDACTED");
  });

  test("bytes that are no text pass unchanged", async () => {
    const bytes = Uint8Array.from({ length: 1_024 }, (_, index) => index % 256);
    const tool = redactor("not there");
    let passed: Uint8Array = new Uint8Array();
    const out = tool.body(new Response(bytes).body, () => {});
    passed = new Uint8Array(await new Response(out as ReadableStream).arrayBuffer());
    expect(passed).toEqual(bytes);
  });

  test("T34: redaction comes first, so that a string inside a value leaves the value whole", async () => {
    const headers = redactor("Ada").headers(new Headers({ authorization: "Bearer KEY", "x-note": "Ada" })).value;
    const credential = { name: "KEY", in: ["header"], kind: "static", shared: false, sensitive: true } as const;
    const injection = await inject(
      { url: new URL("https://a.example/"), method: "GET", headers, body: null, contentLength: null },
      [{ credential: { ...credential, in: ["header"] }, value: "s-Ada-1" }],
      [],
    );
    expect(injection).toMatchObject({ ok: true, injected: ["KEY"] });
    if (injection.ok) expect(injection.headers.get("authorization")).toBe("Bearer s-Ada-1");
    if (injection.ok) expect(injection.headers.get("x-note")).toBe("REDACTED");
  });

  test("T34: a credential's name beside a redacted string stays whole", () => {
    expect(atOnce(redactor("Ada"), "Ada STRIPE_TOKEN Ada")).toBe("REDACTED STRIPE_TOKEN REDACTED");
  });
});

describe("chunks", () => {
  test("every cut of a body gives the same result and count", async () => {
    const tool = redactor("Ada Lovelace", "lace@x");
    const body = 'to "Ada Lovelace@x", Ada+Lovelace; Ad\\u0061%20Lovelace.';
    const expected: [string, number] = ['to "REDACTED", REDACTED; REDACTED.', 3];
    for (let cut = 0; cut <= body.length; cut++) expect(await stream(tool, body, [cut, body.length])).toEqual(expected);
    for (const size of [1, 2, 3, 5, 7]) expect(await stream(tool, body, [size])).toEqual(expected);
  });

  test("random bodies of a small alphabet agree with a reference that marks every byte of every occurrence", async () => {
    let seed = 7;
    const random = (below: number): number => (seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31) % below;
    const word = (length: number): string => Array.from({ length }, () => "ab"[random(64) >> 5]).join("");
    for (let round = 0; round < 1_000; round++) {
      const strings = Array.from({ length: 1 + random(3) }, () => word(1 + random(4)));
      const body = word(random(30));
      const sizes = Array.from({ length: 4 }, () => 1 + random(6));
      expect((await stream(redactor(...strings), body, sizes))[0]).toBe(reference(body, strings));
    }
  });

  test("text held back is bounded by the longest string, however long the body", async () => {
    const tool = redactor("aaa");
    const [text, count] = await stream(tool, "a".repeat(50_000), [1_000]);
    expect([text, count]).toEqual(["REDACTED", 1]);
  });
});

/** Marks every occurrence, joins those that overlap, and replaces each stretch. */
function reference(body: string, strings: readonly string[]): string {
  const found: [number, number][] = [];
  for (let at = 0; at < body.length; at++) {
    const longest = Math.max(0, ...strings.filter((text) => body.startsWith(text, at)).map((text) => text.length));
    if (longest === 0) continue;
    const last = found.at(-1);
    if (last !== undefined && at < last[1]) last[1] = Math.max(last[1], at + longest);
    else found.push([at, at + longest]);
  }
  return found.reduceRight((text, [start, end]) => `${text.slice(0, start)}REDACTED${text.slice(end)}`, body);
}

describe("REDACTING_STRINGS", () => {
  test.each([
    [undefined, []],
    ["", []],
    [" Ada Lovelace ,ada@example.com,, ", ["Ada Lovelace", "ada@example.com"]],
    ['["1, High St", "Ada"]', ["1, High St", "Ada"]],
    ["Ada,Ada", ["Ada"]],
  ])("%j is read as %j", (text, strings) => {
    expect(parseRedactingStrings(text, [])).toEqual({ ok: true, strings });
  });

  test("no strings, no redactor", () => {
    expect(createRedactor([])).toBeNull();
  });

  test.each(['["Ada', "[1, 2]", '["Ada", null]', "[Ada, Bob]"])("%s is refused as no JSON array of strings", (text) => {
    const parsed = parseRedactingStrings(text, []);
    expect(parsed).toEqual({ ok: false, problems: [expect.stringContaining("not a JSON array of strings")] });
  });

  test("every problem is said at once, by position and without the string", () => {
    const parsed = parseRedactingStrings("ok string, ab, \ud800xx", []);
    expect(parsed).toEqual({
      ok: false,
      problems: [
        "REDACTING_STRINGS, string 2: it is shorter than 3 characters; leave it out",
        "REDACTING_STRINGS, string 3: it is not valid Unicode",
      ],
    });
  });

  test.each([
    ["STRIPE", true],
    ["AUTH_TOKEN", true],
    ["STRIPE_AUTH_TOKEN", true],
    ["my STRIPE_AUTH_TOKEN here", true],
    ["Anna S", true], // "Anna STRIPE_AUTH_TOKEN"
    ["TOKEN: 12", true], // "STRIPE_AUTH_TOKEN: 12"
    ["ANNAS", false], // "ANNASTRIPE_AUTH_TOKEN" holds no name
    ["XSTRIPE_AUTH_TOKEN", false],
    ["Stripe", false],
    ["Anna T", false],
  ])("T34: %s overlaps the name STRIPE_AUTH_TOKEN: %s", (text, overlaps) => {
    const parsed = parseRedactingStrings(text, ["STRIPE_AUTH_TOKEN"]);
    expect(parsed.ok).toBe(!overlaps);
  });
});

/** What the scrubber finds, and what it gives back, whatever the form and wherever the cuts. */
import { describe, expect, test } from "vitest";

import { BoundedCache } from "../../outbound-proxy/sanitize/cache.ts";
import type { Filter } from "../../outbound-proxy/sanitize/filter.ts";
import {
  buildScrubber,
  createScrubber,
  MAX_FRAME_BYTES,
  type Scrubber,
  type SecretValue,
} from "../../outbound-proxy/sanitize/scrubber.ts";
import { createRandom } from "../helpers/random.ts";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");
const NONE: ReadonlySet<string> = new Set();

function scrubberFor(secrets: Readonly<Record<string, string>>): Scrubber {
  const scrubber = buildScrubber(Object.entries(secrets).map(([name, value]): SecretValue => ({ name, value })));
  if (scrubber === null) throw new Error("nothing to look for");
  return scrubber;
}

const scrub = (scrubber: Scrubber, text: string): string =>
  latin1(scrubber.bytes(Buffer.from(text, "latin1"), NONE).bytes);

/** What leaves after each piece, and at the end. */
function pieces(filter: Filter, input: readonly Uint8Array[]): string[] {
  const output = input.map((piece) => latin1(filter.push(piece)));
  return [...output, latin1(filter.end())];
}

const SECRETS = [
  "sk_live_51H8abcDEFghijk",
  "xoxb-1234.5678-abcdEFGH",
  "p&ss\"w<o>rd's/\\ +=~*!x",
  "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEX==",
  "pässwörd/ﬀ-秘密",
  "abcdefgh",
  "abcdefghi",
  "abcdefghij",
];
const utf8 = (value: string): Buffer => Buffer.from(value, "utf8");
const each = (value: string, change: (byte: number) => string): string => [...utf8(value)].map(change).join("");
const upper = (text: string): string => text.replace(/%[0-9a-f]{2}/g, (escape) => escape.toUpperCase());
const lower = (text: string): string => text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
const nonAscii = (text: string, upperCase = false): string =>
  text.replace(/[^ -~]/g, (char) => {
    const hex = char.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${upperCase ? hex.toUpperCase() : hex}`;
  });
const escapeOnly = (text: string, chars: RegExp): string =>
  text.replace(chars, (char) => `\\u00${char.charCodeAt(0).toString(16).padStart(2, "0")}`);
const json = (value: string): string => JSON.stringify(value).slice(1, -1);
const html = (value: string, quote: string, apostrophe: string): string =>
  value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', quote)
    .replaceAll("'", apostrophe);

/** As the world writes them, in bytes shown as Latin-1. Each is written here in another way than in the product. */
const ENCODERS: readonly (readonly [string, (value: string) => string])[] = [
  ["as it is", (value) => latin1(utf8(value))],
  ["JSON", (value) => latin1(utf8(json(value)))],
  ["JSON with escaped slashes", (value) => latin1(utf8(json(value).replaceAll("/", "\\/")))],
  ["JSON in ASCII", (value) => nonAscii(json(value))],
  ["JSON in ASCII with escaped slashes", (value) => nonAscii(json(value).replaceAll("/", "\\/"))],
  ["JSON as Go writes it", (value) => latin1(utf8(escapeOnly(json(value), /[<>&]/g)))],
  ["JSON with escaped punctuation", (value) => nonAscii(escapeOnly(json(value), /[-_.]/g))],
  ["JSON inside JSON", (value) => latin1(utf8(json(json(value))))],
  ["percent, upper case", (value) => upper(encodeURIComponent(value))],
  ["percent, lower case", (value) => lower(encodeURIComponent(value))],
  ["percent twice", (value) => encodeURIComponent(encodeURIComponent(value))],
  ["a URL", (value) => encodeURI(value)],
  ["a form", (value) => new URLSearchParams({ q: value }).toString().slice(2)],
  ["a query", (value) => new URL(`https://x/?q=${encodeURIComponent(value)}`).searchParams.toString().slice(2)],
  [
    "every byte percent-encoded",
    (value) => each(value, (byte) => `%${byte.toString(16).padStart(2, "0").toUpperCase()}`),
  ],
  [
    "every byte percent-encoded, lower case",
    (value) => each(value, (byte) => `%${byte.toString(16).padStart(2, "0")}`),
  ],
  ["HTML", (value) => latin1(utf8(html(value, "&quot;", "&#39;")))],
  ["HTML as Go writes it", (value) => latin1(utf8(html(value, "&#34;", "&#39;")))],
  ["HTML with &#x27;", (value) => latin1(utf8(html(value, "&quot;", "&#x27;")))],
  ["HTML with &#039;", (value) => latin1(utf8(html(value, "&quot;", "&#039;")))],
  ["HTML with &apos;", (value) => latin1(utf8(html(value, "&quot;", "&apos;")))],
  ["hex", (value) => utf8(value).toString("hex")],
  ["hex, upper case", (value) => utf8(value).toString("hex").toUpperCase()],
  ["base64", (value) => utf8(value).toString("base64")],
  ["base64 for URLs", (value) => utf8(value).toString("base64url")],
  ["UTF-16, little-endian", (value) => latin1(Buffer.from(value, "utf16le"))],
  ["UTF-16, big-endian", (value) => latin1(Buffer.from(value, "utf16le").swap16())],
];

describe("T4: every form of a value becomes its name", () => {
  for (const value of SECRETS) {
    const scrubber = scrubberFor({ THE_NAME: value });
    test.each(ENCODERS)(`${JSON.stringify(value)}: %s`, (_, encoder) => {
      const encoded = encoder(value);
      expect(scrub(scrubber, `{"a":"${encoded}"}`).replace(/=+"}$/, '"}')).toBe('{"a":"THE_NAME"}');
    });

    test(`${JSON.stringify(value)}: base64 of longer data, at every alignment, down to the digits it shares`, () => {
      const random = createRandom(5);
      for (let round = 0; round < 300; round++) {
        const lead = random.text("abcXYZ019:_", random.below(7));
        const tail = random.text("abcXYZ019:_", random.below(7));
        for (const encoding of ["base64", "base64url"] as const) {
          const digits = Buffer.concat([Buffer.from(lead), utf8(value), Buffer.from(tail)]).toString(encoding);
          // Only the digits that hold no bit of the value are left.
          const before = digits.slice(0, Math.floor((lead.length * 8) / 6));
          const after = digits.slice(Math.ceil(((lead.length + utf8(value).length) * 8) / 6));
          expect(scrub(scrubber, `"${digits}"`)).toBe(`"${before}THE_NAME${after}"`);
        }
      }
    });
  }

  test("Latin-1, in a body and in a header", () => {
    const scrubber = scrubberFor({ THE_NAME: "pässwörd" });
    expect(scrub(scrubber, "a pässwörd b")).toBe("a THE_NAME b");
    expect(scrubber.text("a pässwörd b", NONE).text).toBe("a THE_NAME b");
    expect(scrubber.text(`é ${latin1(utf8("pässwörd"))} b`, NONE).text).toBe("é THE_NAME b");
  });

  test("a value that a host reversed, shifted, split or hashed is not recognised: the documented limit", () => {
    const value = "sk_live_51H8abcDEFghijk";
    const scrubber = scrubberFor({ THE_NAME: value });
    const shifted = value.replace(/[a-z]/g, (char) => String.fromCharCode(((char.charCodeAt(0) - 84) % 26) + 97));
    for (const text of [[...value].toReversed().join(""), shifted, value.toUpperCase(), [...value].join(" ")]) {
      expect(scrub(scrubber, text)).toBe(text);
    }
  });
});

/** One value with every character that some writer escapes, and what each writer makes of it. */
describe("every writer's own escaping", () => {
  const value = "A\"b'c&d<e>f/g+h=i`j-k_l.m~n oéz";
  const scrubber = scrubberFor({ THE_NAME: value });
  test.each([
    ["JSON.stringify", "A\\\"b'c&d<e>f/g+h=i`j-k_l.m~n oéz"],
    ["PHP, unicode unescaped", "A\\\"b'c&d<e>f\\/g+h=i`j-k_l.m~n oéz"],
    ["PHP", "A\\\"b'c&d<e>f\\/g+h=i`j-k_l.m~n o\\u00e9z"],
    ["Python", "A\\\"b'c&d<e>f/g+h=i`j-k_l.m~n o\\u00e9z"],
    ["Go", "A\\\"b'c\\u0026d\\u003ce\\u003ef/g+h=i`j-k_l.m~n oéz"],
    ["Gson", 'A\\"b\\u0027c\\u0026d\\u003ce\\u003ef/g+h\\u003di`j-k_l.m~n oéz'],
    [".NET", "A\\u0022b\\u0027c\\u0026d\\u003Ce\\u003Ef/g\\u002Bh=i\\u0060j-k_l.m~n o\\u00E9z"],
    ["PHP with JSON_HEX_*", "A\\u0022b\\u0027c\\u0026d\\u003Ce\\u003Ef\\/g+h=i`j-k_l.m~n oéz"],
    ["escaped punctuation", "A\\\"b'c&d<e>f/g+h=i`j\\u002dk\\u005fl\\u002em~n o\\u00e9z"],
    ["escaped punctuation, upper case", "A\\\"b'c&d<e>f/g+h=i`j\\u002Dk\\u005Fl\\u002Em~n o\\u00E9z"],
    ["encodeURIComponent", "A%22b'c%26d%3Ce%3Ef%2Fg%2Bh%3Di%60j-k_l.m~n%20o%C3%A9z"],
    ["RFC 3986", "A%22b%27c%26d%3Ce%3Ef%2Fg%2Bh%3Di%60j-k_l.m~n%20o%C3%A9z"],
    ["Python's quote", "A%22b%27c%26d%3Ce%3Ef/g%2Bh%3Di%60j-k_l.m~n%20o%C3%A9z"],
    ["Python's quote_plus", "A%22b%27c%26d%3Ce%3Ef%2Fg%2Bh%3Di%60j-k_l.m~n+o%C3%A9z"],
    ["a form", "A%22b%27c%26d%3Ce%3Ef%2Fg%2Bh%3Di%60j-k_l.m%7En+o%C3%A9z"],
    ["encodeURI", "A%22b'c&d%3Ce%3Ef/g+h=i%60j-k_l.m~n%20o%C3%A9z"],
    ["a path segment", "A%22b'c&d%3Ce%3Ef%2Fg+h=i%60j-k_l.m~n%20o%C3%A9z"],
    ["a browser's query", "A%22b%27c&d%3Ce%3Ef/g+h=i`j-k_l.m~n%20o%C3%A9z"],
    ["HTML text", "A\"b'c&amp;d&lt;e&gt;f/g+h=i`j-k_l.m~n oéz"],
    ["an HTML attribute", "A&quot;b'c&amp;d&lt;e&gt;f/g+h=i`j-k_l.m~n oéz"],
    ["PHP's htmlspecialchars", "A&quot;b&#039;c&amp;d&lt;e&gt;f/g+h=i`j-k_l.m~n oéz"],
    ["lodash", "A&quot;b&#39;c&amp;d&lt;e&gt;f/g+h=i`j-k_l.m~n oéz"],
    ["Python's html.escape", "A&quot;b&#x27;c&amp;d&lt;e&gt;f/g+h=i`j-k_l.m~n oéz"],
    ["XML", "A&quot;b&apos;c&amp;d&lt;e&gt;f/g+h=i`j-k_l.m~n oéz"],
    ["Jinja", "A&#34;b&#39;c&amp;d&lt;e&gt;f/g+h=i`j-k_l.m~n oéz"],
    ["Go's html/template", "A&#34;b&#39;c&amp;d&lt;e&gt;f/g&#43;h=i`j-k_l.m~n oéz"],
    ["OWASP", "A&quot;b&#x27;c&amp;d&lt;e&gt;f&#x2F;g+h=i`j-k_l.m~n oéz"],
    ["mustache", "A&quot;b&#39;c&amp;d&lt;e&gt;f&#x2F;g+h&#x3D;i&#x60;j-k_l.m~n oéz"],
    ["Handlebars", "A&quot;b&#x27;c&amp;d&lt;e&gt;f/g+h&#x3D;i&#x60;j-k_l.m~n oéz"],
  ])("%s", (_, written) => {
    expect(scrub(scrubber, latin1(utf8(`<${written}>`)))).toBe("<THE_NAME>");
  });
});

describe("names", () => {
  const shared = scrubberFor({ FIRST: "the-same-value", OTHER: "another-value", SECOND: "the-same-value" });

  test.each([
    ["the one that was sent", ["SECOND"], "SECOND"],
    ["the one declared first when both were sent", ["SECOND", "FIRST"], "FIRST"],
    ["the one declared first when neither was sent", ["OTHER"], "FIRST"],
  ])("of two names with one value, %s comes back", (_, sent, expected) => {
    const { bytes, names } = shared.bytes(encode("<the-same-value>"), new Set(sent));
    expect([latin1(bytes), names]).toEqual([`<${expected}>`, [expected]]);
  });

  test("each is reported once, and an untouched body is the very same bytes", () => {
    const twice = encode("another-value the-same-value another-value");
    expect(shared.bytes(twice, NONE).names).toEqual(["OTHER", "FIRST"]);
    const clean = encode("nothing here");
    expect(shared.bytes(clean, NONE)).toEqual({ bytes: clean, names: [] });
    expect(shared.bytes(clean, NONE).bytes).toBe(clean);
  });

  test("T17: what was put in is not looked at again", () => {
    const scrubber = scrubberFor({ NAME_WHICH_IS_A_VALUE: "value-number-one", B: "NAME_WHICH_IS_A_VALUE" });
    expect(scrub(scrubber, "value-number-one")).toBe("NAME_WHICH_IS_A_VALUE");
  });

  test("T18: a value that contains another is replaced whole, and so are values that overlap", () => {
    const scrubber = scrubberFor({ PASSWORD: "correct-horse", URL: "postgres://app:correct-horse@db.example.com/app" });
    expect(scrub(scrubber, "postgres://app:correct-horse@db.example.com/app correct-horse")).toBe("URL PASSWORD");
    expect(scrub(scrubberFor({ A: "aaaabbbbcccc", B: "ccccddddeeeeffff" }), "aaaabbbbccccddddeeeeffff.")).toBe("B.");
  });
});

describe("T16: short values", () => {
  test("are not looked for, so that a value like true or 1234567 leaves answers alone", () => {
    expect(
      buildScrubber([
        { name: "FLAG", value: "true" },
        { name: "PIN", value: "1234567" },
      ]),
    ).toBeNull();
    const scrubber = scrubberFor({ FLAG: "true", TOKEN: "long-enough" });
    expect(scrub(scrubber, '{"ok":true,"token":"long-enough"}')).toBe('{"ok":true,"token":"TOKEN"}');
  });

  test("a common word of eight letters goes wherever it stands, and JSON stays JSON", () => {
    const scrubber = scrubberFor({ WEAK: "password" });
    const body = { password: "password", note: "no passwords here", list: ["pass", "word"] };
    expect(JSON.parse(scrub(scrubber, JSON.stringify(body)))).toEqual({
      WEAK: "WEAK",
      note: "no WEAKs here",
      list: ["pass", "word"],
    });
  });
});

describe("streams", () => {
  const value = "sk_live_51H8abcDEFghijk";
  const scrubber = scrubberFor({ THE_NAME: value, NESTED: "abcdefgh", OUTER: "abcdefghij" });

  test("a cut at any byte, or at every byte, changes nothing", async () => {
    const body = Buffer.from(
      `x${value}y${value}${value} abcdefghij abcdefghi ${Buffer.from(`u:${value}`).toString("base64")}`,
    );
    const expected = "xTHE_NAMEyTHE_NAMETHE_NAME OUTER NESTEDi dTTHE_NAME==";
    const through = async (...parts: Uint8Array[]): Promise<string> =>
      pieces(
        scrubber.filter("bytes", NONE, () => {}),
        parts,
      ).join("");
    expect(scrub(scrubber, latin1(body))).toBe(expected);
    for (let cut = 0; cut <= body.length; cut++) {
      expect(await through(body.subarray(0, cut), body.subarray(cut))).toBe(expected);
    }
    expect(await through(...Array.from(body, (byte) => Uint8Array.of(byte)))).toBe(expected);
  });

  test("a name is reported once, when it first leaves", async () => {
    const heard: string[][] = [];
    const filter = scrubber.filter("events", NONE, (names) => heard.push([...names]));
    pieces(filter, [encode(`data: ${value}\n\n`), encode(`data: ${value} abcdefgh\n\n`)]);
    expect(heard).toEqual([["THE_NAME"], ["NESTED"]]);
  });

  test("a plain stream stays behind by a constant distance that does not tell how long the longest value is", async () => {
    const held = async (secret: string): Promise<number> => {
      const sizes = pieces(
        scrubberFor({ A: secret }).filter("bytes", NONE, () => {}),
        [new Uint8Array(4096)],
      );
      return 4096 - (sizes[0] ?? "").length;
    };
    expect(await held("x".repeat(20))).toBe(await held("x".repeat(40)));
    expect((await held("x".repeat(20))) % 256).toBe(0);
  });

  test.each([
    ["events", "data: 1\n\n", "data: 2\ndata: 3", "\n\n", ["data: 1\n\n", "", "data: 2\ndata: 3\n\n", ""]],
    ["events", "data: 1\r\n\r", "\ndata: 2\r", "\r", ["data: 1\r\n\r", "", "\ndata: 2\r\r", ""]],
    ["events", "data: 1\r\n", "\r\n", "data: 2", ["", "data: 1\r\n\r", "", "\ndata: 2"]],
    ["lines", '{"a":1}\n{"b"', ":2}", "\n", ['{"a":1}\n', "", '{"b":2}\n', ""]],
  ] as const)("%s leave one by one", async (framing, first, second, third, expected) => {
    const filter = scrubber.filter(framing, NONE, () => {});
    expect(pieces(filter, [first, second, third].map(encode))).toEqual(expected);
  });

  test.each([
    ["lines", `${"k".repeat(20)}\n${"l".repeat(20)}`],
    ["events", `${"k".repeat(20)}\n\n${"l".repeat(20)}`],
    ["events", `\n${"k".repeat(20)}`],
    ["events", `\r\n\r\n${"k".repeat(20)}`],
  ] as const)("a value that could lie across the boundary of %s is still found", async (framing, secret) => {
    const output = pieces(
      scrubberFor({ PEM: secret }).filter(framing, NONE, () => {}),
      [...encode(`a\n${secret}\n\nb`)].map((byte) => Uint8Array.of(byte)),
    );
    expect(output.join("")).toBe("a\nPEM\n\nb");
  });

  test("a private key in PEM does not keep events from leaving", async () => {
    const pem = scrubberFor({ PEM: `-----BEGIN PRIVATE KEY-----\n${"A".repeat(64)}\n-----END PRIVATE KEY-----\n` });
    expect(
      pieces(
        pem.filter("events", NONE, () => {}),
        [encode("data: 1\n\n")],
      ),
    ).toEqual(["data: 1\n\n", ""]);
  });

  test("an event without end is let go like any other stream, so memory stays bounded", async () => {
    const filter = scrubber.filter("events", NONE, () => {});
    const piece = new Uint8Array(256 * 1024).fill(120);
    const sizes = pieces(
      filter,
      Array.from({ length: 8 }, () => piece),
    ).map(({ length }) => length);
    expect(sizes.slice(0, 4)).toEqual([0, 0, 0, 0]);
    expect(sizes[4]).toBeGreaterThan(MAX_FRAME_BYTES);
    expect(sizes.slice(5, 8)).toEqual([piece.length, piece.length, piece.length]);
  });
});

describe("tables", () => {
  const random = createRandom(3);
  const token = (): string => `sk_live_${random.text("ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz23456789", 40)}`;

  test("500 secrets in all their forms fit in 4 MiB", () => {
    const scrubber = buildScrubber(Array.from({ length: 500 }, (_, index) => ({ name: `S_${index}`, value: token() })));
    expect(scrubber?.tableBytes).toBeLessThan(4 * 1024 * 1024);
  });

  test("values that repeat, contain each other or differ in one character do not make them grow", () => {
    const values = Array.from({ length: 60 }, (_, index) => "ab".repeat(20 + index));
    const long = token().repeat(8);
    values.push(...Array.from({ length: 60 }, (_, index) => long.slice(index)));
    values.push(
      ...Array.from({ length: 60 }, (_, index) => long.slice(0, 100 + index) + "#" + long.slice(101 + index)),
    );
    const scrubber = buildScrubber(values.map((value, index) => ({ name: `S_${index}`, value })));
    expect(scrubber?.tableBytes).toBeLessThan(4 * 1024 * 1024);
  });

  test("are built once for a set of values, and again for another order, name or value", () => {
    const secrets = [
      { name: "A", value: "value-of-a" },
      { name: "B", value: "value-of-b" },
    ];
    const first = createScrubber(secrets);
    expect(createScrubber(structuredClone(secrets))).toBe(first);
    expect(createScrubber(secrets.toReversed())).not.toBe(first);
    expect(createScrubber([secrets[0]!, { name: "B", value: "value-of-c" }])).not.toBe(first);
    expect(createScrubber([])).toBeNull();
  });

  test("are forgotten, those used longest ago first, when they weigh too much together", () => {
    const cache = new BoundedCache<string>(10);
    cache.set("a", "A", 4);
    cache.set("b", "B", 4);
    cache.get("a");
    cache.set("c", "C", 4);
    cache.set("d", "D", 11);
    expect(["a", "b", "c", "d"].map((key) => cache.get(key))).toEqual(["A", undefined, "C", undefined]);
  });
});

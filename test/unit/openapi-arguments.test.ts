/** Rules M5 to M7: which arguments a tool has, what their keys are, and how their values are written. */
import { describe, expect, test } from "vitest";

import {
  argument,
  compileDocument,
  compileOperation,
  problems,
  request,
  withBody,
  type Loose,
} from "./openapi-helpers.ts";

const post = (operation: Loose): ReturnType<typeof compileOperation> => compileOperation(operation, { method: "post" });
const query = (name: string, more: Loose = {}): Loose => ({ name, in: "query", schema: { type: "string" }, ...more });
const many = (count: number): Loose =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, { type: "string" }]));
const object = (properties: Loose, more: Loose = {}): Loose => ({ type: "object", properties, ...more });

describe("M5: a body's properties are arguments of their own where that is safe, or else it is one argument", () => {
  test.each<[string, Loose, boolean]>([
    ["one property", withBody(object({ a: {} })), true],
    ["thirty properties", withBody(object(many(30))), true],
    ["thirty-one properties", withBody(object(many(31))), false],
    ["no property", withBody(object({})), false],
    ["a closed object", withBody(object({ a: {} }, { additionalProperties: false })), true],
    ["an open object", withBody(object({ a: {} }, { additionalProperties: true })), false],
    ["an object of texts", withBody(object({ a: {} }, { additionalProperties: { type: "string" } })), false],
    ["patterns of names", withBody(object({ a: {} }, { patternProperties: { "^x": {} } })), false],
    ["a choice at its root", withBody({ ...object({ a: {} }), oneOf: [{ required: ["a"] }, {}] }), false],
    ["a negation at its root", withBody({ ...object({ a: {} }), not: { required: ["a"] } }), false],
    ["a condition at its root", withBody({ ...object({ a: {} }), if: {} }), false],
    ["a name that is no safe key", withBody(object({ "a.b": {} })), false],
    ["the name of a parameter", { ...withBody(object({ a: {} })), parameters: [query("a")] }, false],
    ["all of it optional", withBody(object({ a: {} }), { required: false }), true],
    [
      "an optional body with required properties",
      withBody(object({ a: {} }, { required: ["a"] }), { required: false }),
      false,
    ],
    ["a body that may be null", withBody({ ...object({ a: {} }), type: ["object", "null"] }), false],
    ["parts that merge", withBody({ allOf: [object({ a: {} }), object({ b: {} })] }), true],
    ["a list", withBody({ type: "array", items: {} }), false],
  ])("%s: %#", (_, operation, flat) => {
    expect(post(operation).body?.flat !== undefined).toBe(flat);
  });

  test("a required name that no property declares becomes an argument without a type", () => {
    const operation = post(withBody(object({ a: {} }, { required: ["a", "b"] })));
    expect(operation.inputSchema).toMatchObject({ properties: { a: {}, b: {} }, required: ["a", "b"] });
  });

  test("the root is closed, and an unknown argument is told what is accepted", () => {
    const operation = post(withBody(object({ a: { type: "string" } })));
    expect(operation.inputSchema["additionalProperties"]).toBe(false);
    expect(problems(operation, { a: "x", requestBody: {} })).toEqual([
      "requestBody: is not an argument of post_x; accepted: a",
    ]);
  });

  test("a parameter called body gives way to the body", () => {
    const operation = post({ ...withBody({ type: "array", items: {} }), parameters: [query("body")] });
    expect(request(operation, { body: [1], body_query: "q" })).toMatchObject({
      url: "https://t.test/x?body=q",
      body: "[1]",
    });
  });

  test("an optional flat body without arguments is not sent, a required one is an empty object", () => {
    expect(request(post(withBody(object({ a: {} }), { required: false }))).body).toBeUndefined();
    expect(request(post(withBody(object({ a: {} })))).body).toBe("{}");
  });

  test.each<[string, Loose, unknown, string]>([
    ["a JSON text where a list belongs", { type: "array", items: { type: "integer" } }, "[1,2]", '{"a":[1,2]}'],
    ["a JSON text where an object belongs", object({ b: {} }), '{"b":1}', '{"a":{"b":1}}'],
    ["a JSON text where either a text or a list belongs", { type: ["array", "string"] }, "[1]", '{"a":"[1]"}'],
    ["decimal text where an integer belongs", { type: "integer", format: "int64" }, "42", '{"a":42}'],
    ["an integer beyond JavaScript's own", { type: "integer" }, "9223372036854775807", '{"a":9223372036854775807}'],
    [
      "the same inside a list",
      { type: "array", items: { type: "integer" } },
      ["9223372036854775807"],
      '{"a":[9223372036854775807]}',
    ],
    [
      "a JSON text where a choice of objects belongs",
      { oneOf: [object({ b: {} }), object({ c: {} })] },
      '{"c":1}',
      '{"a":{"c":1}}',
    ],
  ])("%s is read", (_, schema, value, body) => {
    expect(request(post(withBody(object({ a: schema }))), { a: value }).body).toBe(body);
  });
});

describe("M6: argument keys are accepted by every model API, and the wire name is restored", () => {
  test.each([
    ["name", "name"],
    ["api-version", "api-version"],
    ["_id", "_id"],
    ["$top", "top"],
    ["ids[]", "ids"],
    ["filter[name]", "filter_name"],
    ["filter[a][b]", "filter_a_b"],
    ["Start<", "Start_lt"],
    ["Start>=", "Start_gte"],
    ["tag!", "tag_not"],
    ["a.b", "a_b"],
    ["_a.b", "_a_b"],
    ["a b/c", "a_b_c"],
  ])("%s becomes %s", (name, key) => {
    const operation = compileOperation({ parameters: [query(name)] });
    expect(argument(operation, key)).toEqual({ type: "string" });
    expect(new URL(request(operation, { [key]: "v" }).url).searchParams.get(name)).toBe("v");
  });

  test.each(["日付", "[]", "__proto__", "x".repeat(100), `${"a.".repeat(60)}`])("%s becomes something safe", (name) => {
    const operation = compileOperation({ parameters: [query(name)] });
    const [key = ""] = Object.keys(operation.inputSchema["properties"] as Loose);
    expect(key).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(new URL(request(operation, { [key]: "v" }).url).searchParams.get(name)).toBe("v");
  });

  test("on a clash every member says where it is sent, and equals are numbered", () => {
    const parameters = [
      { name: "id", in: "path", required: true, schema: {} },
      query("id"),
      { name: "ID", in: "header", schema: {} },
      { name: "id", in: "cookie", schema: {} },
      query("a.b"),
      query("a_b"),
      query("a_b_query"),
    ];
    const operation = compileOperation({ parameters }, { path: "/x/{id}" });
    expect(Object.keys(operation.inputSchema["properties"] as Loose)).toEqual(
      "id_path id_query a_b_query_2 a_b_query_3 a_b_query ID id_cookie".split(" "),
    );
  });
});

describe("M7: parameters", () => {
  test("those of the path item are inherited and replaced by name and place, headers whatever their case", () => {
    const header = (name: string, description: string): Loose => ({ name, in: "header", description, schema: {} });
    const get = { parameters: [header("X-Trace", "own")] };
    const item = { parameters: [header("x-trace", "inherited"), query("a")], get };
    const [operation] = compileDocument({ paths: { "/x": item } }).operations;
    expect(operation?.inputSchema["properties"]).toEqual({ a: { type: "string" }, "X-Trace": { description: "own" } });
  });

  test.each(["Accept", "content-type", "AUTHORIZATION"])("the header %s is ignored", (name) => {
    expect(compileOperation({ parameters: [{ name, in: "header", schema: {} }] }).parameters).toEqual([]);
  });

  test.each(["Host", "content-length", "Transfer-Encoding", "a b"])(
    "the header %s is left out with a warning",
    (name) => {
      const ir = compileDocument({ paths: { "/x": { get: { parameters: [{ name, in: "header", schema: {} }] } } } });
      expect(ir.operations[0]?.parameters).toEqual([]);
      expect(ir.warnings[0]).toContain("none that fetch can send");
    },
  );

  test("a Cookie header and cookies are one header", () => {
    const parameters = [
      { name: "Cookie", in: "header", schema: {} },
      { name: "sid", in: "cookie", schema: {} },
    ];
    expect(request(compileOperation({ parameters }), { Cookie: "a=1", sid: "2" }).headers).toEqual([
      ["Cookie", "a=1; sid=2"],
    ]);
  });

  test("what an apiKey scheme of the operation covers is no argument", () => {
    const securitySchemes = {
      key: { type: "apiKey", in: "query", name: "key" },
      other: { type: "apiKey", in: "header", name: "X-Key" },
    };
    const operation = compileOperation(
      {
        security: [{ key: [] }, { other: [] }],
        parameters: [query("key"), { name: "x-key", in: "header", schema: {} }, query("q")],
      },
      { document: { components: { securitySchemes } } },
    );
    expect(Object.keys(operation.inputSchema["properties"] as Loose)).toEqual(["q"]);
  });

  test.each<[string, Loose, unknown, string]>([
    ["no schema: text", query("a", { schema: undefined }), "v", "?a=v"],
    ["null for an optional parameter: absent", query("a"), null, ""],
    ["empty text is sent", query("a"), "", "?a="],
    ["booleans", query("a", { schema: { type: "boolean" } }), false, "?a=false"],
    ["spaces and delimiters inside values", query("a"), "a b&c=d#e+f/é", "?a=a%20b%26c%3Dd%23e%2Bf%2F%C3%A9"],
    ["RFC 3986's own reserved characters", query("a"), "!'()*", "?a=%21%27%28%29%2A"],
    [
      "allowReserved keeps the reserved set, but nothing that ends the value",
      query("a", { allowReserved: true }),
      "a/b?c:@d&e#f+g%",
      "?a=a/b?c:@d%26e%23f%2Bg%25",
    ],
    ["a default is documented and not sent", query("b", { schema: { type: "string", default: "x" } }), undefined, ""],
    [
      "content: JSON in one text",
      query("a", { schema: undefined, content: { "application/json": { schema: {} } } }),
      { b: [1] },
      "?a=%7B%22b%22%3A%5B1%5D%7D",
    ],
  ])("%s", (_, parameter, value, expected) => {
    expect(request(compileOperation({ parameters: [parameter] }), { [String(parameter["name"])]: value }).url).toBe(
      `https://t.test/x${expected}`,
    );
  });

  const list = ["a", "b"];
  const pair = { x: 1, y: 2 };
  test.each<[string, string, boolean | undefined, unknown, string]>([
    ["path", "simple", false, list, "a,b"],
    ["path", "simple", true, list, "a,b"],
    ["path", "simple", false, pair, "x,1,y,2"],
    ["path", "simple", true, pair, "x=1,y=2"],
    ["path", "label", false, list, ".a,b"],
    ["path", "label", true, list, ".a.b"],
    ["path", "label", false, pair, ".x,1,y,2"],
    ["path", "label", true, pair, ".x=1.y=2"],
    ["path", "matrix", false, list, ";n=a,b"],
    ["path", "matrix", true, list, ";n=a;n=b"],
    ["path", "matrix", false, pair, ";n=x,1,y,2"],
    ["path", "matrix", true, pair, ";x=1;y=2"],
    ["path", "matrix", false, "v", ";n=v"],
    ["query", "form", undefined, list, "n=a&n=b"],
    ["query", "form", false, list, "n=a,b"],
    ["query", "form", undefined, pair, "x=1&y=2"],
    ["query", "form", false, pair, "n=x,1,y,2"],
    ["query", "form", undefined, [], ""],
    ["query", "form", false, [], "n="],
    ["query", "spaceDelimited", undefined, list, "n=a%20b"],
    ["query", "spaceDelimited", undefined, pair, "n=x%201%20y%202"],
    ["query", "pipeDelimited", undefined, list, "n=a%7Cb"],
    ["query", "pipeDelimited", undefined, pair, "n=x%7C1%7Cy%7C2"],
    ["query", "pipeDelimited", true, list, "n=a&n=b"],
    ["query", "deepObject", undefined, list, "n%5B%5D=a&n%5B%5D=b"],
    ["query", "deepObject", false, { x: { k: 1 } }, "n%5Bx%5D%5Bk%5D=1"],
    ["query", "deepObject", undefined, [{ k: 1 }, { k: 2 }], "n%5B0%5D%5Bk%5D=1&n%5B1%5D%5Bk%5D=2"],
    ["header", "simple", false, list, "a,b"],
    ["header", "simple", false, pair, "x,1,y,2"],
    ["header", "simple", true, pair, "x=1,y=2"],
    ["cookie", "form", undefined, "a b", "n=a%20b"],
    ["cookie", "form", undefined, list, "n=a; n=b"],
    ["cookie", "form", false, list, "n=a,b"],
    ["cookie", "cookie", undefined, pair, "x=1; y=2"],
  ])("in %s, style %s, explode %s: %j is written as %s", (place, style, explode, value, expected) => {
    const operation = compileOperation(
      { parameters: [{ name: "n", in: place, style, explode, required: true, schema: {} }] },
      { path: place === "path" ? "/x/{n}" : "/x" },
    );
    if (style === "deepObject") expect(operation.parameters[0]?.explode).toBe(true);
    const { url, headers } = request(operation, { n: value });
    const written =
      place === "path"
        ? url.replace("https://t.test/x/", "")
        : place === "query"
          ? (url.split("?")[1] ?? "")
          : headers[0]?.[1];
    expect(written).toBe(expected);
  });

  test.each<[string, Loose, string]>([
    ["a required constant", { const: "2026-01-01" }, "2026-01-01"],
    ["a required enum of one value", { enum: [7] }, "7"],
  ])("%s is filled in and hidden", (_, schema, value) => {
    const operation = compileOperation({ parameters: [query("v", { required: true, schema })] });
    expect(operation.inputSchema).toEqual({ type: "object", properties: {}, additionalProperties: false });
    expect(request(operation).url).toBe(`https://t.test/x?v=${value}`);
  });

  test("names that an exploded object shares with another parameter are warned of", () => {
    const object = (name: string): Loose => query(name, { schema: { type: "object", properties: { Value: {} } } });
    const ir = compileDocument({ paths: { "/x": { get: { parameters: [object("a"), object("b")] } } } });
    expect(ir.warnings).toEqual(['GET /x: query parameters share the name "Value" and cannot be told apart']);
  });

  test("3.2: a querystring parameter is the whole query", () => {
    const parameter = (media: string): Loose => ({
      name: "q",
      in: "querystring",
      content: { [media]: { schema: { type: "object" } } },
    });
    const url = (media: string): string =>
      request(compileOperation({ parameters: [parameter(media)] }), { q: { a: 1, b: [2, 3] } }).url;
    expect(url("application/x-www-form-urlencoded")).toBe("https://t.test/x?a=1&b=2&b=3");
    expect(url("application/json")).toBe("https://t.test/x?%7B%22a%22%3A1%2C%22b%22%3A%5B2%2C3%5D%7D");
  });

  test.each(["", ".", ".."])("%j is refused as a part of a path", (value) => {
    const operation = compileOperation({}, { path: "/x/{id}/y" });
    expect(problems(operation, { id: value })).toEqual([`id: ${JSON.stringify(value)} cannot be a part of a path`]);
  });

  test.each([
    ["a label", "/x/{a}/y", "label"],
    ["a literal dot", "/x/.{a}/y", "simple"],
  ])("a segment of dots that comes from %s is refused too", (_, path, style) => {
    const parameter = { name: "a", in: "path", required: true, style, schema: { type: "array" } };
    const operation = compileOperation({ parameters: [parameter] }, { path });
    expect(problems(operation, { a: ["."] })[0]).toContain("which leads elsewhere");
  });

  test("whatever a path value is, the URL stays below the server", () => {
    const operation = compileOperation(
      {},
      { path: "/x/{id}", document: { servers: [{ url: "https://t.test/base" }] } },
    );
    for (const id of [
      "../../etc",
      "a/../../b",
      "%2e%2e",
      "\\..\\..",
      "?q",
      "#f",
      "//evil.test",
      "@evil.test",
      "\t\n",
    ]) {
      const url = new URL(request(operation, { id }).url);
      expect(url.host).toBe("t.test");
      expect(url.pathname.startsWith("/base/x/")).toBe(true);
      expect(url.search + url.hash).toBe("");
    }
  });

  test.each(["a\r\nX-Evil: 1", "日本"])("the header value %j is refused", (value) => {
    const operation = compileOperation({ parameters: [{ name: "X-A", in: "header", schema: { type: "string" } }] });
    expect(problems(operation, { "X-A": value })).toEqual([
      "X-A: cannot be sent in a header: only Latin-1 characters on one line can",
    ]);
  });
});

import { describe, expect, test } from "vitest";

import { admit, MAX_INSPECTED_BYTES } from "../../outbound-proxy/inspect.ts";
import { readTarget } from "../../outbound-proxy/target.ts";
import { buildCatalog } from "../../src/contract/catalog.ts";

const built = buildCatalog([
  {
    name: "api",
    config: { description: "x", domains: ["a.example"], restricted_methods: ["DELETE"], graphql: "/graphql" },
  },
  { name: "open", config: { description: "x", domains: ["open.example"] } },
  { name: "search", config: { description: "x", domains: ["search.example"], read_only_paths: ["/search"] } },
]);
if (!built.ok) throw new Error(JSON.stringify(built.issues));
const context = { catalog: built.catalog, yolo: false, ownPorts: [], disabled: new Set<string>() };

async function post(
  url: string,
  type: string,
  body: string | Uint8Array,
  more: Record<string, string> = {},
  readOnly = false,
) {
  const headers = new Headers({ "content-type": type, ...more });
  const policy = { principal: "p", apis: null, readOnly, limits: { maxRequests: 1 } };
  const target = readTarget({ url, method: "POST", headers });
  const stream = new Response(body as Uint8Array<ArrayBuffer>).body;
  const admission = await admit(context, policy, target, { headers, body: stream });
  const { decision } = admission;
  return { admission, stream, code: decision.allowed ? "allowed" : decision.denial.code };
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data; boundary=b";
const JSON_TYPE = "application/json";
const part = (head: string, value: string, end = "\r\n") => `--b${end}${head}${end}${end}${value}${end}--b--${end}`;
const disposition = 'Content-Disposition: form-data; name="_method"';

describe("T20: a method named in a body", () => {
  test.each([
    ["a form", FORM, "a=1&_method=DELETE"],
    ["a form in other case", FORM, "_METHOD=delete"],
    ["a form in escapes", FORM, "%5fmethod=%64elete"],
    ["a form as PHP reads it", FORM, ".method=DELETE"],
    ["a form with an unknown method", FORM, "_method=DELETE%20"],
    ["a body without a type", "", "a=\u00ff&_method=DELETE"],
    ["JSON", JSON_TYPE, '{"_method":"DELETE"}'],
    ["JSON in escapes", JSON_TYPE, '{"\\u005fmethod":"delete"}'],
    ["JSON by suffix", "application/vnd.api+json", '{"_method":"DELETE"}'],
    ["JSON as Laravel knows it", "text/json", '{"_method":"DELETE"}'],
    ["JSON whose type has a second word", "application/json x", '{"_method":"DELETE"}'],
    ["a form whose type PHP ends at a blank", `${FORM} x`, "_method=DELETE"],
    ["JSON that calls itself multipart", "multipart/x+json; boundary=b", '{"_method":"DELETE"}'],
    ["a form, as Facebook reads it", FORM, "a=1&method=delete"],
    ["multipart, as Facebook reads it", MULTIPART, part('Content-Disposition: form-data; name="method"', "DELETE")],
    ["multipart", MULTIPART, part(disposition, "DELETE")],
    ["multipart/related", "multipart/related; boundary=b", part(disposition, "DELETE")],
    ["multipart with bare line feeds", MULTIPART, part(disposition, "DELETE", "\n")],
    ["multipart without quotes", MULTIPART, part("content-disposition:form-data;name=_method", "delete")],
    ["multipart that claims base64", MULTIPART, part(`${disposition}\r\nContent-Transfer-Encoding: base64`, "DELETE")],
    ["multipart that claims a file", MULTIPART, part(`${disposition}; filename=""`, "DELETE")],
    ["multipart with two names", MULTIPART, part('Content-Disposition: form-data; name="a"; name="_method"', "DELETE")],
  ])("in %s counts as the request's", async (_, type, body) => {
    expect((await post("https://a.example/x", type, body)).code).toBe("method_restricted");
    expect((await post("https://open.example/x", type, body)).code).toBe("allowed");
    expect((await post("https://search.example/search", type, body, {}, true)).code).toBe("read_only");
  });

  test.each([
    ["a form", FORM, "method=erase&_methods=DELETE&_method=PATCH&_method="],
    ["JSON", JSON_TYPE, '{"method":"DELETE","a":{"_method":"DELETE"},"b_":"\\u0041","_method":1}'],
    ["broken JSON without one", JSON_TYPE, '{"_meth":"DELETE"'],
    ["multipart", MULTIPART, part('Content-Disposition: form-data; name="methods"', "DELETE")],
  ])("an ordinary field of %s does not, and the body is whole afterwards", async (_, type, body) => {
    const { admission, code } = await post("https://a.example/x", type, body);
    expect(code).toBe("allowed");
    expect(new TextDecoder().decode(admission.body as Uint8Array)).toBe(body);
  });

  test.each([
    ["the end is missing", '{"_method":"DELETE"'],
    ["a comma is too many", '{"_method":"DELETE",}'],
    ["there are comments", '{"_method":"DELETE"/**/}'],
    ["quotes are missing", "{_method:'DELETE'}"],
    ["an escaped name comes with a comma too many", '{"\\u005fmethod":"DELETE",}'],
    ["there are two, and the first counts", '{"_method":"DELETE","_method":"POST"}'],
    ["there are two, one of them in escapes", '{"_method":"DELETE","\\u005Fmethod":"POST"}'],
  ])("JSON in which readers may find another one is refused: %s", async (_, body) => {
    expect((await post("https://a.example/x", JSON_TYPE, body)).code).toBe("body_unreadable");
    expect((await post("https://open.example/x", JSON_TYPE, body)).code).toBe("allowed");
  });

  test("a body that no rule depends on is not read", async () => {
    const plain = await post("https://a.example/x", "application/octet-stream", "_method=DELETE");
    expect(plain.admission.body).toBe(plain.stream);
    const open = await post("https://open.example/x", FORM, "_method=DELETE");
    expect(open.admission.body).toBe(open.stream);
  });

  test("a body whose characters the upstream may read otherwise is refused", async () => {
    expect((await post("https://a.example/x", `${FORM}; charset=utf-16`, "a")).code).toBe("body_unreadable");
    for (const charset of ["; charset = utf-16", "; charset*=utf-16", "; charset=utf-8; charset=utf-16"])
      expect((await post("https://a.example/x", `${FORM}${charset}`, "a")).code).toBe("body_unreadable");
    expect((await post("https://a.example/x", FORM, "a", { "content-encoding": "gzip" })).code).toBe("body_unreadable");
    expect((await post("https://a.example/x", JSON_TYPE, Uint8Array.from([0xff]))).code).toBe("body_unreadable");
    expect((await post("https://a.example/x", `text/plain, ${FORM}`, "a")).code).toBe("body_unreadable");
    expect((await post("https://a.example/x", `${JSON_TYPE};a=b, ${FORM}`, "a")).code).toBe("body_unreadable");
    expect((await post("https://a.example/x", `${MULTIPART}; boundary=c`, "a")).code).toBe("body_unreadable");
  });

  test("a body too large to be judged is refused, and its stream is cancelled", async () => {
    const large = new Uint8Array(MAX_INSPECTED_BYTES + 1).fill(97);
    expect((await post("https://a.example/x", FORM, large)).code).toBe("body_too_large");
    expect((await post("https://open.example/x", FORM, large)).code).toBe("allowed");
  });
});

describe("T41: GraphQL in read-only runs", () => {
  const graphql = (body: string, type = JSON_TYPE, query = "") =>
    post(`https://a.example/graphql${query}`, type, body, {}, true).then(({ code }) => code);
  const document = (query: string) => JSON.stringify({ query });

  test.each([
    document("{ me { name } }"),
    document("query Q($id: ID!) { node(id: $id) { ...F } } fragment F on Node { id mutation subscription }"),
    document('# mutation { x }\nquery { a(text: "mutation { x }") }'),
    document("query A { a } query B { b }"),
    `[${document("{a}")},${document("{b}")}]`,
    JSON.stringify({ query: "{a}", variables: { x: 1 }, operationName: "A", extensions: {} }),
  ])("%s is a query", async (body) => {
    expect(await graphql(body)).toBe("allowed");
  });

  test.each([
    document("mutation { x }"),
    document("query A { a } # \u2028 mutation B { b }"),
    document('{ a(text: "\u2029") }'),
    document("subscription { x }"),
    document("query A { a } mutation B { b }"),
    document("\ufeffmutation { x }"),
    document("type A { b: C }"),
    document("{ a"),
    document(""),
    document(`{ ${"a ".repeat(10_001)} }`),
    `[${document("{a}")},${document("mutation{b}")}]`,
    "[[]]",
    "{}",
    "null",
    "",
    '{"query":1}',
    '{"query":"{a}","query":"mutation{x}"}',
    '{"query":"mutation{x}","query":"{a}"}',
    '{"query":"{a}","\\u0071uery":"mutation{x}"}',
    '{"query":"{a}","Query":"mutation{x}"}',
    '{"query":"{a}","doc_id":"1"}',
    '{"id":"1"}',
    '{"extensions":{"persistedQuery":{"sha256Hash":"x"}}}',
  ])("%s is none", async (body) => {
    expect(await graphql(body)).toBe("read_only_graphql");
  });

  test("other media types are read only when they are GraphQL's own", async () => {
    expect(await graphql("{a}", "application/graphql")).toBe("allowed");
    expect(await graphql("mutation{a}", "application/graphql")).toBe("read_only_graphql");
    expect(await graphql(document("{a}"), "text/plain")).toBe("read_only_graphql");
    expect(await graphql("query={a}", FORM)).toBe("read_only_graphql");
    expect(await graphql(document("{a}"), `${JSON_TYPE}; charset=utf-16`)).toBe("body_unreadable");
  });

  test("a document in the URL is judged too, whatever the body says", async () => {
    expect(await graphql(document("{a}"), JSON_TYPE, "?query=mutation{x}")).toBe("read_only_graphql");
  });

  test("a POST without a body is no query", async () => {
    const headers = new Headers({ "content-type": JSON_TYPE });
    const target = readTarget({ url: "https://a.example/graphql", method: "POST", headers });
    const policy = { principal: "p", apis: null, readOnly: true, limits: { maxRequests: 1 } };
    const { decision } = await admit(context, policy, target, { headers, body: null });
    expect(decision).toMatchObject({ denial: { code: "read_only_graphql" } });
  });
});

/** Rules M10 and M11: where requests go, and what they carry. */
import { describe, expect, test } from "vitest";

import type { CompileOptions } from "../../src/openapi/compile.ts";
import { parseDomain, type DomainPattern } from "../../src/contract/domains.ts";
import { Place } from "../../src/contract/config.ts";
import { CredentialName } from "../../src/contract/names.ts";
import { compileDocument, compileOperation, request, type Loose } from "./openapi-helpers.ts";

function domains(...texts: string[]): DomainPattern[] {
  return texts.map((text) => {
    const parsed = parseDomain(text);
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.pattern;
  });
}

/** The server of one operation, or why it has none. */
function server(
  servers: unknown,
  options: Partial<CompileOptions> = {},
  more: { item?: Loose; operation?: Loose } = {},
): string | undefined {
  const ir = compileDocument({ servers, paths: { "/x": { ...more.item, get: more.operation ?? {} } } }, options);
  return ir.operations[0]?.server ?? ir.skipped[0]?.rule;
}

describe("M10: servers", () => {
  const variables = { v: { default: "v2", enum: ["v1", "v2"] } };

  test.each<[string, unknown, Partial<CompileOptions>, string]>([
    [
      "the first https entry",
      [{ url: "http://a.test" }, { url: "https://b.test" }, { url: "https://c.test" }],
      {},
      "https://b.test",
    ],
    ["one slash, base path kept", [{ url: "https://a.test/base//" }], {}, "https://a.test/base"],
    ["a default fills a variable", [{ url: "https://a.test/{v}", variables }], {}, "https://a.test/v2"],
    [
      "configuration fills it first",
      [{ url: "https://a.test/{v}", variables }],
      { serverVariables: { v: "v1" } },
      "https://a.test/v1",
    ],
    [
      "a value outside the enum is none",
      [{ url: "https://a.test/{v}", variables }],
      { serverVariables: { v: "v9" } },
      "server_unresolvable",
    ],
    [
      "a relative URL is against the document's",
      [{ url: "../api" }],
      { docUrl: "https://a.test/docs/v1/openapi.json" },
      "https://a.test/docs/api",
    ],
    ["no servers: the document's host", undefined, { docUrl: "https://a.test/openapi.json" }, "https://a.test"],
    ["a relative URL and no document URL", [{ url: "/api" }], {}, "server_unresolvable"],
    [
      "an allowed host though it is not the first",
      [{ url: "https://us.test" }, { url: "https://eu.test" }],
      { domains: domains("eu.test") },
      "https://eu.test",
    ],
    ["a wildcard domain", [{ url: "https://x.a.test" }], { domains: domains("*.a.test") }, "https://x.a.test"],
    [
      "http written out with its port",
      [{ url: "http://127.0.0.1:9000/v1" }],
      { domains: domains("http://127.0.0.1:9000") },
      "http://127.0.0.1:9000/v1",
    ],
    ["http nobody wrote out", [{ url: "http://a.test" }], {}, "host_not_allowed"],
    ["a host nobody allowed", [{ url: "https://a.test" }], { domains: domains("b.test") }, "host_not_allowed"],
    ["another port", [{ url: "https://a.test:8443" }], { domains: domains("a.test") }, "host_not_allowed"],
    ["a user name in a URL", [{ url: "https://user@a.test" }], {}, "server_unresolvable"],
    ["a password in a URL", [{ url: "https://:pass@a.test" }], {}, "server_unresolvable"],
    ["another scheme", [{ url: "ftp://a.test" }], {}, "server_unresolvable"],
    ["a server of the configuration's own", [{ url: "/" }], { server: "https://a.test/v9/" }, "https://a.test/v9"],
  ])("T45: %s", (_, servers, options, expected) => {
    expect(server(servers, options)).toBe(expected);
  });

  test("the operation's servers before the path item's before the document's", () => {
    const at = (url: string): Loose => ({ servers: [{ url: `https://${url}.test` }] });
    expect(server([{ url: "https://doc.test" }], {}, { item: at("item"), operation: at("operation") })).toBe(
      "https://operation.test",
    );
    expect(server([{ url: "https://doc.test" }], {}, { item: at("item") })).toBe("https://item.test");
  });

  test("neither host nor variables are arguments", () => {
    const operation = compileOperation({}, { document: { servers: [{ url: "https://{v}.test", variables }] } });
    expect(operation.inputSchema).toEqual({ type: "object", properties: {}, additionalProperties: false });
  });
});

describe("M11: security", () => {
  const securitySchemes = {
    header: { type: "apiKey", in: "header", name: "X-Key" },
    query: { type: "apiKey", in: "query", name: "key" },
    cookie: { type: "apiKey", in: "cookie", name: "SID" },
    bearer: { type: "http", scheme: "bearer" },
    basicAuth: { type: "http", scheme: "Basic" },
    oauth: { type: "oauth2", flows: {} },
    oidc: { type: "openIdConnect", openIdConnectUrl: "https://id.test" },
    mtls: { type: "mutualTLS" },
    digest: { type: "http", scheme: "digest" },
  };
  const secured = (
    security: unknown,
    options: Partial<CompileOptions> = {},
    document: Loose = {},
  ): ReturnType<typeof compileOperation> =>
    compileOperation(security === undefined ? {} : { security }, {
      options: { api: "my-api", ...options },
      document: { components: { securitySchemes }, ...document },
    });
  const carried = (security: unknown, options: Partial<CompileOptions> = {}, document: Loose = {}): string => {
    const { url, headers } = request(secured(security, options, document));
    return [url.replace("https://t.test/x", ""), ...headers.map(([name, value]) => `${name}: ${value}`)]
      .filter((part) => part !== "")
      .join(" ");
  };

  test.each<[string, unknown, string]>([
    ["an apiKey header", [{ header: [] }], "X-Key: MY_API_HEADER"],
    ["an apiKey query", [{ query: [] }], "?key=MY_API_QUERY"],
    ["an apiKey cookie", [{ cookie: [] }], "Cookie: SID=MY_API_COOKIE"],
    ["bearer", [{ bearer: [] }], "Authorization: Bearer MY_API_BEARER"],
    ["oauth2", [{ oauth: ["read"] }], "Authorization: Bearer MY_API_OAUTH"],
    ["openIdConnect", [{ oidc: [] }], "Authorization: Bearer MY_API_OIDC"],
    [
      "basic",
      [{ basicAuth: [] }],
      `Authorization: Basic ${btoa("MY_API_BASIC_AUTH_USERNAME:MY_API_BASIC_AUTH_PASSWORD")}`,
    ],
    ["AND: all of them", [{ header: [], query: [] }], "?key=MY_API_QUERY X-Key: MY_API_HEADER"],
    [
      "OR: the first that is supported",
      [{ mtls: [] }, { digest: [] }, { bearer: [] }, { header: [] }],
      "Authorization: Bearer MY_API_BEARER",
    ],
    ["two that want one header: the first", [{ bearer: [], oauth: [] }], "Authorization: Bearer MY_API_BEARER"],
    ["an empty list: none, whatever the document says", [], ""],
    ["an empty alternative: optional, used when there is something", [{}, { header: [] }], "X-Key: MY_API_HEADER"],
    ["an empty alternative beside nothing supported", [{ mtls: [] }, {}], ""],
    ["nothing of its own: the document's", undefined, "X-Key: MY_API_HEADER"],
  ])("%s", (_, security, expected) => {
    expect(carried(security, {}, { security: [{ header: [] }] })).toBe(expected);
  });

  test("an alternative whose secrets exist goes first; optional ones are left when none does", () => {
    const secrets = new Set(["MY_API_QUERY"]);
    expect(carried([{ header: [] }, { query: [] }], { secrets })).toBe("?key=MY_API_QUERY");
    expect(carried([{ header: [] }, {}], { secrets })).toBe("");
    expect(carried([{ header: [] }], { secrets })).toBe("X-Key: MY_API_HEADER");
  });

  test("names can be configured", () => {
    expect(carried([{ header: [] }], { credentials: { header: "SHOP_KEY" } })).toBe("X-Key: SHOP_KEY");
    const pair = { basicAuth: ["SHOP_ID", "SHOP_SECRET"] } as const;
    expect(carried([{ basicAuth: [] }], { credentials: pair })).toBe(
      `Authorization: Basic ${btoa("SHOP_ID:SHOP_SECRET")}`,
    );
  });

  test("the compiled document lists each name with the places its configuration has to open", () => {
    const ir = compileDocument(
      {
        components: { securitySchemes },
        paths: { "/x": { get: { security: [{ header: [], query: [], cookie: [], bearer: [] }] } } },
      },
      { api: "a" },
    );
    expect(ir.credentials).toEqual([
      { name: "A_BEARER", scheme: "bearer", in: ["header"] },
      { name: "A_COOKIE", scheme: "cookie", in: ["header:Cookie"] },
      { name: "A_HEADER", scheme: "header", in: ["header:X-Key"] },
      { name: "A_QUERY", scheme: "query", in: ["query:key"] },
    ]);
  });

  test.each(["secrets", "debug", "run"])("names of the API %s never shadow the server's own", (api) => {
    const securitySchemes = Object.fromEntries(
      ["mode", "s", "key"].map((name) => [name, { type: "http", scheme: "bearer" }]),
    );
    const paths = Object.fromEntries(
      Object.keys(securitySchemes).map((name) => [`/${name}`, { get: { security: [{ [name]: [] }] } }]),
    );
    const names = compileDocument({ components: { securitySchemes }, paths }, { api }).credentials.map(
      ({ name }) => name,
    );
    expect(names).toHaveLength(3);
    for (const name of names) expect([name, CredentialName.safeParse(name).success]).toEqual([name, true]);
  });

  test.each(["a b", "日本", "x".repeat(200), "secrets_x", "SECRETS_x", "__proto__", "api-key", "apiKey"])(
    "the scheme %j has a name the configuration accepts",
    (scheme) => {
      const schemes = Object.fromEntries(
        [scheme, "apiKey", "api-key"].map((name) => [name, { type: "http", scheme: "basic" }]),
      );
      const security = [Object.fromEntries([[scheme, []]])];
      const ir = compileDocument(
        { components: { securitySchemes: schemes }, paths: { "/x": { get: { security } } } },
        { api: "a" },
      );
      expect(ir.credentials).toHaveLength(2);
      for (const credential of ir.credentials) {
        expect(CredentialName.safeParse(credential.name).success).toBe(true);
        for (const place of credential.in) expect(Place.safeParse(place).success).toBe(true);
      }
    },
  );
});

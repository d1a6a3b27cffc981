/** Rules M0 and M1: what is read, what is refused as a whole, what is skipped and why. */
import { describe, expect, test } from "vitest";

import { parseDocument, readDocument } from "../../src/openapi/parse.ts";
import { compileDocument, compileOperation, request, withBody } from "./openapi-helpers.ts";

function kindOf(source: string | Uint8Array): string {
  const parsed = parseDocument(source);
  return parsed.ok ? "read" : parsed.error.kind;
}

const bomb = [
  "a: &a [x,x,x,x,x,x,x,x,x]",
  ..."bcdefgh".split("").map((key, i) => `${key}: &${key} [${`*${"abcdefg"[i]},`.repeat(9)}]`),
].join("\n");

describe("M0: a document that cannot be read is refused with what to do about it", () => {
  test.each([
    ["OpenAPI 3.0 as JSON", '{"openapi":"3.0.3","paths":{}}', "read"],
    ["OpenAPI 3.1 as YAML", "openapi: 3.1.0\npaths: {}", "read"],
    ["OpenAPI 3.2", "openapi: 3.2.0", "read"],
    ["Swagger 2.0, also when YAML makes it a number", "swagger: 2.0", "read"],
    ["a YAML flow mapping", "{openapi: 3.1.0, paths: {}}", "read"],
    ["a byte order mark", '\uFEFF{"openapi":"3.0.0"}', "read"],
    ["version 4.0", '{"openapi":"4.0.0"}', "unsupported_version"],
    ["version 1.2", '{"swagger":"1.2"}', "unsupported_version"],
    ["an HTML page", "<!doctype html><html></html>", "not_openapi"],
    ["an empty file", " \n", "not_openapi"],
    ["some other JSON", '{"name":"x"}', "not_openapi"],
    ["a list", "[1]", "not_openapi"],
    ["a text", "hello", "not_openapi"],
    ["broken JSON", '{"openapi": "3.0.0", "paths": {', "not_parsable"],
    ["broken YAML", "openapi: 3.0.0\n\tpaths: {}", "not_parsable"],
    ["a key written twice in JSON", '{"openapi":"3.0.0","paths":{},"p\\u0061ths":{}}', "duplicate_key"],
    ["a key written twice in YAML", "openapi: 3.0.0\nopenapi: 3.1.0", "duplicate_key"],
    ["a YAML alias bomb", `openapi: 3.0.0\n${bomb}`, "not_parsable"],
    ["a YAML value that holds itself", "openapi: 3.0.0\na: &a [*a]", "too_deep"],
    ["values nested too deep in JSON", `{"openapi":"3.0.0","x":${"[".repeat(300)}${"]".repeat(300)}}`, "too_deep"],
    ["values nested too deep in YAML", `openapi: 3.0.0\nx: ${"[".repeat(300)}${"]".repeat(300)}`, "too_deep"],
    ["bytes that are no text", new Uint8Array([0x50, 0x4b, 0x03, 0x04, 0xff, 0xfe]), "not_text"],
    ["more than 64 MiB", new Uint8Array(64 * 1024 * 1024 + 1), "too_large"],
  ])("%s", (_, source, kind) => {
    expect(kindOf(source)).toBe(kind);
  });

  test("more than 50,000 operations", () => {
    const paths = Object.fromEntries(Array.from({ length: 50_001 }, (_, i) => [`/${i}`, { get: {} }]));
    expect(readDocument({ openapi: "3.1.0", paths })).toMatchObject({
      ok: false,
      error: { kind: "too_many_operations" },
    });
  });

  test("a later 3.x is read as 3.2, with a warning", () => {
    expect(compileDocument({ openapi: "3.7.0" }).warnings).toEqual([
      "version 3.7.0 is newer than 3.2; it is read as 3.2",
    ]);
  });
});

describe("M0: references", () => {
  const parameter = { name: "a/b~c%d", in: "query", schema: { type: "integer" } };

  test("JSON pointers are unescaped: ~1, ~0 and percent", () => {
    const operation = compileOperation(
      { parameters: [{ $ref: "#/components/parameters/a~1b~0c%25d" }] },
      { document: { components: { parameters: { "a/b~c%d": parameter } } } },
    );
    expect(operation.parameters[0]).toMatchObject({ name: "a/b~c%d" });
  });

  test.each([
    ["a file: URL", "file:///etc/passwd"],
    ["an http: URL", "http://169.254.169.254/latest/meta-data"],
    ["an https: URL", "https://example.com/schema.json"],
    ["a file beside the document", "./schemas.yaml#/Pet"],
    ["nothing", "#/components/schemas/Missing"],
    ["the prototype", "#/__proto__/constructor"],
    ["itself", "#/components/schemas/Self"],
    ["itself by way of another", "#/components/schemas/Ping"],
    ["a composition of itself", "#/components/schemas/Composed"],
    ["a choice of itself", "#/components/schemas/Choice"],
  ])("a reference to %s skips its operation and no other", (_, $ref) => {
    const schemas = {
      Self: { $ref: "#/components/schemas/Self" },
      Ping: { $ref: "#/components/schemas/Pong" },
      Pong: { $ref: "#/components/schemas/Ping" },
      Composed: { allOf: [{ $ref: "#/components/schemas/Composed" }, { type: "object" }] },
      Choice: { oneOf: [{ $ref: "#/components/schemas/Choice" }, { type: "string" }] },
    };
    const ir = compileDocument({
      paths: { "/bad": { post: withBody({ $ref }) }, "/good": { get: {} } },
      components: { schemas },
    });
    expect(ir.operations.map(({ path }) => path)).toEqual(["/good"]);
    expect(ir.skipped).toMatchObject([{ path: "/bad", method: "POST", rule: "unresolvable_ref" }]);
  });

  test("before 3.1 siblings of $ref are ignored, from 3.1 on they apply", () => {
    const operation = withBody({
      type: "object",
      properties: { a: { $ref: "#/components/schemas/A", description: "mine" } },
    });
    const document = { components: { schemas: { A: { type: "string", description: "its own" } } } };
    const describe = (openapi: string): unknown =>
      compileOperation(operation, { method: "post", document: { ...document, openapi } }).inputSchema;
    expect(describe("3.0.3")).toMatchObject({ properties: { a: { description: "its own" } } });
    expect(describe("3.1.0")).toMatchObject({ properties: { a: { description: "mine" } } });
  });

  test("a chain of ten thousand references is followed without running out of stack", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, i) => [
        `S${i}`,
        { type: "object", properties: { next: { $ref: `#/components/schemas/S${i + 1}` } } },
      ]),
    );
    const ir = compileDocument({
      paths: { "/x": { post: withBody({ $ref: "#/components/schemas/S0" }) } },
      components: { schemas: { ...schemas, S10000: { type: "string" } } },
    });
    expect(ir.operations).toMatchObject([{ truncated: true }]);
  });

  test.each<[string, number, (inner: unknown) => unknown]>([
    ["properties", 90, (inner) => ({ type: "object", properties: { a: inner } })],
    ["items", 150, (inner) => ({ type: "array", items: inner })],
    ["allOf", 60, (inner) => ({ allOf: [inner, { type: "object", properties: { b: {} } }] })],
    ["oneOf", 60, (inner) => ({ oneOf: [inner, { type: "string" }] })],
    ["not", 150, (inner) => ({ not: inner })],
  ])("two hundred schemas, each deeply nested in %s, cost one operation at most", (_, levels, wrap) => {
    const nest = (leaf: unknown, n: number): unknown => (n === 0 ? leaf : nest(wrap(leaf), n - 1));
    const schemas = Object.fromEntries(
      Array.from({ length: 200 }, (_, i) => [`S${i}`, nest({ $ref: `#/components/schemas/S${i + 1}` }, levels)]),
    );
    const ir = compileDocument({
      paths: { "/x": { post: withBody({ $ref: "#/components/schemas/S0" }) }, "/good": { get: {} } },
      components: { schemas: { ...schemas, S200: { type: "string" } } },
    });
    expect(ir.operations.length + ir.skipped.length).toBe(2);
    expect(ir.operations.map(({ path }) => path)).toContain("/good");
  });

  test("a doubling of references does not double the schema", () => {
    const schemas = Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [
        `S${i}`,
        {
          type: "object",
          properties: { a: { $ref: `#/components/schemas/S${i + 1}` }, b: { $ref: `#/components/schemas/S${i + 1}` } },
        },
      ]),
    );
    const operation = compileOperation(withBody({ $ref: "#/components/schemas/S0" }), {
      method: "post",
      document: { components: { schemas: { ...schemas, S60: { type: "string" } } } },
    });
    expect(JSON.stringify(operation.inputSchema).length).toBeLessThan(16_384);
  });
});

describe("M0: Swagger 2.0", () => {
  const swagger = {
    openapi: undefined,
    swagger: "2.0",
    servers: undefined,
    host: "s.test",
    basePath: "/v1",
    schemes: ["http", "https"],
    consumes: ["application/json"],
    securityDefinitions: { login: { type: "basic" }, key: { type: "apiKey", in: "header", name: "X-Key" } },
    definitions: {
      Pet: { type: "object", required: ["name"], properties: { name: { type: "string", "x-nullable": true } } },
    },
    parameters: { Limit: { name: "limit", in: "query", type: "integer" } },
  };
  const compiled = (operation: Record<string, unknown>, method = "post"): ReturnType<typeof compileOperation> =>
    compileOperation(operation, { method, document: swagger });

  test("host, basePath and schemes become a server, https first", () => {
    expect(compiled({}).server).toBe("https://s.test/v1");
  });

  test("body parameters become bodies, shared parameters are followed, x-nullable counts", () => {
    const body = { name: "pet", in: "body", required: true, schema: { $ref: "#/definitions/Pet" } };
    const operation = compiled({ parameters: [body, { $ref: "#/parameters/Limit" }] });
    expect(operation.inputSchema).toMatchObject({
      properties: { limit: { type: "integer" }, name: { type: ["string", "null"] } },
      required: ["name"],
    });
    expect(request(operation, { name: "Rex", limit: 3 })).toMatchObject({
      url: "https://s.test/v1/x?limit=3",
      body: '{"name":"Rex"}',
    });
  });

  test.each([
    ["csv", "a=1,2"],
    ["ssv", "a=1%202"],
    ["pipes", "a=1%7C2"],
    ["multi", "a=1&a=2"],
    [undefined, "a=1,2"],
  ])("collectionFormat %s writes a list as %s", (collectionFormat, query) => {
    const operation = compiled(
      { parameters: [{ name: "a", in: "query", type: "array", items: { type: "integer" }, collectionFormat }] },
      "get",
    );
    expect(request(operation, { a: [1, 2] }).url).toBe(`https://s.test/v1/x?${query}`);
  });

  test("form fields become a form, and with a file a multipart one", () => {
    const field = { name: "note", in: "formData", type: "string", required: true };
    expect(compiled({ parameters: [field] }).body).toMatchObject({ format: "form", flat: ["note"] });
    expect(compiled({ parameters: [field, { name: "f", in: "formData", type: "file" }] }).body).toMatchObject({
      format: "multipart",
      encoding: { f: { file: true } },
    });
  });

  test("security definitions become schemes", () => {
    expect(compiled({ security: [{ login: [], key: [] }] }).security).toMatchObject([
      { kind: "basic" },
      { kind: "apiKey", name: "X-Key" },
    ]);
  });
});

describe("M1: operations that are skipped, each with its rule", () => {
  test.each([
    ["TRACE, which fetch forbids", { trace: {} }, "method_unsupported"],
    ["CONNECT, which fetch forbids", { additionalOperations: { CONNECT: {} } }, "method_unsupported"],
    ["a method that is no token", { additionalOperations: { "A B": {} } }, "method_unsupported"],
    ["HEAD, unless asked for", { head: {} }, "method_not_useful"],
    ["OPTIONS, unless asked for", { options: {} }, "method_not_useful"],
    ["a required body on GET", { get: withBody({ type: "object" }) }, "body_on_get"],
    ["mutual TLS only", { get: { security: [{ mtls: [] }] } }, "security_unsupported"],
    ["a scheme that is nowhere described", { get: { security: [{ nowhere: [] }] } }, "security_unsupported"],
    ["a host outside the domains", { get: { servers: [{ url: "https://evil.test" }] } }, "host_not_allowed"],
    ["plain http that nobody wrote out", { get: { servers: [{ url: "http://t.test" }] } }, "host_not_allowed"],
    ["a server that is no URL", { get: { servers: [{ url: "https://{host}" }] } }, "server_unresolvable"],
    ["x-mcp: false", { get: { "x-mcp": false } }, "excluded"],
    ["x-internal: true", { get: { "x-internal": true } }, "excluded"],
    ["x-fern-ignore: true", { get: { "x-fern-ignore": true } }, "excluded"],
    ["x-speakeasy-mcp.disabled: true", { get: { "x-speakeasy-mcp": { disabled: true } } }, "excluded"],
    ["a path item that leads nowhere", { $ref: "./paths.yaml" }, "unresolvable_ref"],
  ])("%s", (_, item, rule) => {
    const ir = compileDocument(
      { paths: { "/x": item, "/good": { get: {} } }, components: { securitySchemes: { mtls: { type: "mutualTLS" } } } },
      { domains: [{ scheme: "https", host: "t.test", match: "exact", port: 443 }] },
    );
    expect(ir.skipped.map((skip) => skip.rule)).toEqual([rule]);
    expect(ir.skipped[0]?.reason).not.toBe("");
    expect(ir.operations.map(({ path }) => path)).toEqual(["/good"]);
  });

  test("an optional body on GET is left out, HEAD and OPTIONS are mapped when asked for", () => {
    const operation = compileOperation(withBody({ type: "object" }, { required: false }));
    expect(operation.body).toBeUndefined();
    const ir = compileDocument({ paths: { "/x": { head: {}, options: {} } } }, { methods: ["HEAD"] });
    expect(ir.operations.map(({ method }) => method)).toEqual(["HEAD"]);
  });

  test("callbacks and webhooks are counted and never tools", () => {
    const callbacks = { done: { "{$request.body#/url}": { post: {} } } };
    const ir = compileDocument({
      paths: { "/x": { post: { callbacks } } },
      webhooks: { a: { post: {} }, b: { post: {} } },
    });
    expect(ir.ignored).toEqual({ callbacks: 1, webhooks: 2 });
    expect(ir.operations).toHaveLength(1);
  });

  test("a placeholder without a parameter becomes a required string, with a warning", () => {
    const ir = compileDocument({ paths: { "/x/{id}": { get: {} } } });
    expect(ir.operations[0]?.inputSchema).toMatchObject({ properties: { id: { type: "string" } }, required: ["id"] });
    expect(ir.warnings).toEqual(["GET /x/{id}: {id} has no declared parameter; it is a required string"]);
  });
});

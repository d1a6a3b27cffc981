import { describe, expect, test } from "vitest";

import { buildCatalog, Catalog } from "../../src/contract/catalog.ts";
import { parseConfig } from "../../src/contract/config.ts";
import { catalogWarnings } from "../../src/contract/warnings.ts";

const base = { description: "x", domains: ["api.example.com"] };

describe("the proxy's part of config.json", () => {
  test("what is left out restricts nothing and opens nothing", () => {
    expect(parseConfig(base)).toMatchObject({
      ok: true,
      config: {
        restricted_methods: [],
        methods: [],
        paths: [],
        read_only_paths: [],
        graphql: null,
        redirect_hosts: [],
      },
    });
  });

  test("a whole config survives the way through the catalog's JSON", () => {
    const config = {
      ...base,
      credentials: [{ name: "KEY", in: ["header:x-a", "query:k", "path", "body:f"], shared: true, sensitive: false }],
      restricted_methods: ["delete"],
      methods: ["GET", "post"],
      paths: ["/v1/**", "/files/*.pdf"],
      read_only_paths: ["/search"],
      graphql: "/graphql",
      redirect_hosts: ["*.cdn.example.net", "files.example.net:8443"],
    };
    const built = buildCatalog([{ name: "a", config }]);
    if (!built.ok) throw new Error(JSON.stringify(built.issues));
    expect(Catalog.parse(JSON.parse(JSON.stringify(built.catalog)))).toEqual(built.catalog);
    expect(built.catalog.apis[0]).toMatchObject({ restricted_methods: ["DELETE"], methods: ["GET", "POST"] });
  });

  test.each([
    ["methods", ["FETCH"], "methods[0]", "use one of GET"],
    ["methods", ["TRACE"], "methods[0]", "use one of GET"],
    ["paths", ["v1/x"], "paths[0]", "write a path such as /v1/customers/**"],
    ["paths", ["/v1?x=1"], "paths[0]", "write a path such as"],
    ["paths", ["/v1/%2e"], "paths[0]", "write a path such as"],
    ["paths", ["/v1/../x"], "paths[0]", 'leave "//", "." and ".." out'],
    ["paths", ["//v1"], "paths[0]", 'leave "//", "." and ".." out'],
    ["paths", ["/v1**"], "paths[0]", '"**" stands for whole segments'],
    ["read_only_paths", ["/a/**b"], "read_only_paths[0]", '"**" stands for whole segments'],
    ["graphql", "/v1/*", "graphql", "name one path"],
    ["graphql", "graphql", "graphql", "write a path such as"],
    ["redirect_hosts", ["http://a.example.com:80"], "redirect_hosts[0]", "https hosts only"],
    ["redirect_hosts", ["*"], "redirect_hosts[0]", "wildcard"],
  ])("%s: %j is refused at %s: %s", (field, value, path, message) => {
    const parsed = parseConfig({ ...base, [field]: value });
    expect(parsed).toEqual({ ok: false, issues: [{ path, message: expect.stringContaining(message) }] });
  });

  test("T44: a name of another API is refused unless both say that they share it", () => {
    const build = (shared: boolean[]) =>
      buildCatalog(
        shared.map((both, index) => ({
          name: `api-${index}`,
          config: { ...base, credentials: [{ name: "KEY", shared: both }] },
        })),
      );
    expect(build([true, true]).ok).toBe(true);
    for (const shared of [
      [false, false],
      [true, false],
      [false, true],
    ]) {
      expect(build(shared)).toMatchObject({
        ok: false,
        issues: [{ api: "api-1", message: expect.stringContaining("KEY belongs to api-0") }],
      });
    }
  });
});

describe("T10: warnings", () => {
  const warnings = (config: object) => {
    const built = buildCatalog([{ name: "a", config: { ...base, ...config } }]);
    if (!built.ok) throw new Error(JSON.stringify(built.issues));
    return catalogWarnings(built.catalog).map(({ path, message }) => `${path}: ${message}`);
  };

  test.each([
    "*.githubusercontent.com",
    "*.s3.amazonaws.com",
    "*.s3.eu-west-1.amazonaws.com",
    "*.workers.dev",
    "*.atlassian.net",
    "*.co.uk",
  ])("a wildcard over %s is warned of: strangers have hosts there", (domain) => {
    expect(warnings({ domains: [domain] })).toEqual([expect.stringMatching(/^domains\[0\]: .* anybody can have/)]);
  });

  test.each(["*.stripe.com", "raw.githubusercontent.com", "bucket.s3.amazonaws.com", "*.example.co.uk"])(
    "%s is not warned of",
    (domain) => {
      expect(warnings({ domains: [domain], credentials: ["KEY"] })).toEqual([]);
    },
  );

  test("a value in URLs and a value without encryption are warned of", () => {
    const config = {
      domains: ["http://127.0.0.1:9000", "http://10.0.0.1:9000"],
      credentials: [
        "ONE",
        { name: "TWO", in: ["header", "query:key"] },
        { name: "SID", in: ["path"], sensitive: false },
      ],
    };
    expect(warnings(config)).toEqual([
      expect.stringMatching(/^domains\[1\]: http:\/\/10.0.0.1:9000 carries credentials unencrypted/),
      expect.stringMatching(/^credentials\[1\].in: "query:key" makes the value of TWO part of URLs/),
    ]);
  });
});

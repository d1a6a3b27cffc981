import { describe, expect, test } from "vitest";

import { decide, type Decision, type PolicyContext } from "../../outbound-proxy/policy.ts";
import { readTarget } from "../../outbound-proxy/target.ts";
import { buildCatalog } from "../../src/contract/catalog.ts";
import type { ApiConfigInput } from "../../src/contract/config.ts";
import type { RunPolicy } from "../../src/contract/run.ts";

type Apis = Readonly<Record<string, Partial<ApiConfigInput> & Pick<ApiConfigInput, "domains">>>;

function context(apis: Apis, options: Partial<Omit<PolicyContext, "catalog">> = {}): PolicyContext {
  const built = buildCatalog(
    Object.entries(apis).map(([name, config]) => ({ name, config: { description: name, ...config } })),
  );
  if (!built.ok) throw new Error(JSON.stringify(built.issues));
  return { catalog: built.catalog, yolo: false, ownPorts: [], disabled: new Set(), ...options };
}

const run = (policy: Partial<RunPolicy> = {}): RunPolicy => ({
  principal: "p",
  apis: null,
  readOnly: false,
  limits: { maxRequests: 100 },
  ...policy,
});

const ask = (url: string, method = "GET", headers: Record<string, string> = {}) =>
  readTarget({ url, method, headers: new Headers(headers) });

/** `via` and the grants' names of an allowed request, or the code of the denial. */
function outcome(decision: Decision): string {
  if (!decision.allowed) return decision.denial.code;
  return [decision.via, ...decision.grants.map(({ name }) => name)].join(" ");
}

describe("hosts", () => {
  const stripe = context({ stripe: { domains: ["api.stripe.com", "*.stripe.dev"] } });

  test.each([
    ["https://api.stripe.com/v1", "api stripe"],
    ["https://API.STRIPE.COM/v1", "api stripe"],
    ["https://api.stripe.com:443/v1", "api stripe"],
    ["https://api.stripe.com./v1", "api stripe"],
    ["https://api.stripe.com../v1", "host_malformed"],
    ["https://user:pass@api.stripe.com/v1", "api stripe"],
    ["https://ａｐｉ.stripe.com/", "api stripe"],
    ["https://api。stripe。com/", "api stripe"],
    ["https://аpi.stripe.com/", "host_not_allowed"], // Cyrillic а
    ["https://api.stripe.com.evil.example/", "host_not_allowed"],
    ["https://evil.example/api.stripe.com", "host_not_allowed"],
    ["https://api.stripe.com@evil.example/", "host_not_allowed"],
    ["https://evilapi.stripe.com/", "host_not_allowed"],
    ["https://x.api.stripe.com/", "host_not_allowed"],
    ["https://stripe.com/", "host_not_allowed"],
    ["https://a.stripe.dev/", "api stripe"],
    ["https://a.b.stripe.dev/", "api stripe"],
    ["https://stripe.dev/", "host_not_allowed"],
    ["https://evilstripe.dev/", "host_not_allowed"],
    ["https://.stripe.dev/", "host_malformed"],
    ["http://api.stripe.com/", "address_not_allowed"],
    ["https://api.stripe.com:8443/", "address_not_allowed"],
    ["http://api.stripe.com:443/", "address_not_allowed"],
    ["ftp://api.stripe.com/", "address_not_allowed"],
  ])("T8: %s is judged %s", (url, expected) => {
    expect(outcome(decide(stripe, run(), ask(url)))).toBe(expected);
  });

  test("T7: a forged Host header opens nothing and closes nothing", () => {
    expect(outcome(decide(stripe, run(), ask("https://evil.example/", "GET", { host: "api.stripe.com" })))).toBe(
      "host_not_allowed",
    );
    expect(outcome(decide(stripe, run(), ask("https://api.stripe.com/", "GET", { host: "evil.example" })))).toBe(
      "api stripe",
    );
  });

  test("the refusal of an unknown host names the hosts that are allowed", () => {
    expect(decide(stripe, run(), ask("https://evil.example/?key=1"))).toEqual({
      allowed: false,
      denial: { code: "host_not_allowed", host: "evil.example", allowed: ["api.stripe.com", "*.stripe.dev"] },
    });
  });

  test("T7: a declared port and plain http open exactly themselves", () => {
    const local = context({ local: { domains: ["http://build.example.com:8080", "ci.example.com:8443"] } });
    expect(outcome(decide(local, run(), ask("http://build.example.com:8080/")))).toBe("api local");
    expect(outcome(decide(local, run(), ask("https://build.example.com:8080/")))).toBe("address_not_allowed");
    expect(outcome(decide(local, run(), ask("http://build.example.com/")))).toBe("address_not_allowed");
    expect(outcome(decide(local, run(), ask("https://ci.example.com:8443/")))).toBe("api local");
    expect(outcome(decide(local, run(), ask("https://ci.example.com/")))).toBe("address_not_allowed");
  });
});

describe("the run's apis", () => {
  const two = context({
    a: { domains: ["a.example.com"], reference: "https://docs.a.example/x" },
    b: { domains: ["b.example.com"] },
  });

  test("an API that is not named is closed, and the refusal says so", () => {
    expect(decide(two, run({ apis: ["a"] }), ask("https://b.example.com/"))).toEqual({
      allowed: false,
      denial: { code: "api_not_in_run", host: "b.example.com", apis: ["b"] },
    });
  });

  test("the refusal of an unknown host names only the hosts of the run's APIs", () => {
    const decision = decide(two, run({ apis: ["b"] }), ask("https://evil.example/"));
    expect(decision).toMatchObject({ denial: { allowed: ["b.example.com"] } });
  });

  test("YOLO mode does not open the host of an API that is not named", () => {
    const yolo = { ...two, yolo: true };
    expect(outcome(decide(yolo, run({ apis: ["a"] }), ask("https://b.example.com/")))).toBe("api_not_in_run");
  });

  test("a private address of an API that is not named is said to be that API's", () => {
    const local = context({ a: { domains: ["a.example.com"] }, local: { domains: ["http://127.0.0.1:9000"] } });
    expect(outcome(decide(local, run({ apis: ["a"] }), ask("http://127.0.0.1:9000/")))).toBe("api_not_in_run");
  });

  const hidden = context({
    a: { domains: ["a.example.com"] },
    b: { domains: ["b.example.com"], reference: "https://docs.b.example/x" },
    local: { domains: ["http://127.0.0.1:9000"] },
  });
  test.each([
    ["https://b.example.com/", "https://nobody.example/"],
    ["https://docs.b.example/x", "https://nobody.example/"],
    ["http://b.example.com/", "http://nobody.example/"],
    ["https://b.example.com:8443/", "https://nobody.example:8443/"],
    ["http://127.0.0.1:9000/", "http://127.0.0.1:9001/"],
    ["http://127.0.0.1/", "http://127.0.0.1:9001/"],
  ])("of an API that its owner may not hear of, %s is refused as %s is", (url, unknown) => {
    const policy = run({ apis: ["a"], known: ["a"] });
    for (const redirectedFrom of [null, { host: "a.example.com", api: "a" }]) {
      const answer = JSON.stringify(decide(hidden, policy, ask(url), redirectedFrom));
      const host = new URL(url).hostname;
      const expected = JSON.stringify(decide(hidden, policy, ask(unknown), redirectedFrom));
      expect(answer.replaceAll(host, "HOST")).toBe(expected.replaceAll(new URL(unknown).hostname, "HOST"));
    }
    const yolo = { ...hidden, yolo: true };
    if (url !== "https://docs.b.example/x") expect(decide(yolo, policy, ask(url)).allowed).toBe(false);
  });

  test("an empty list reaches nothing", () => {
    expect(outcome(decide(two, run({ apis: [] }), ask("https://a.example.com/")))).toBe("api_not_in_run");
  });
});

describe("an API that is switched off", () => {
  const disabled = new Set(["a"]);
  const apis: Apis = {
    a: { domains: ["a.example.com"], reference: "https://docs.a.example/x", redirect_hosts: ["cdn.example"] },
    b: { domains: ["b.example.com"] },
  };
  const from = { host: "a.example.com", api: "a" };

  test.each(["https://a.example.com/", "https://docs.a.example/x"])("closes %s, in YOLO mode too", (url) => {
    for (const yolo of [false, true]) {
      const decision = decide(context(apis, { disabled, yolo }), run(), ask(url));
      expect(decision).toMatchObject({ denial: { code: "api_disabled", apis: ["a"] } });
    }
  });

  test("follows no redirect of its own", () => {
    const decision = decide(context(apis, { disabled }), run(), ask("https://cdn.example/"), from);
    expect(outcome(decision)).toBe("redirect_not_allowed");
  });

  test("takes no other API along", () => {
    expect(outcome(decide(context(apis, { disabled }), run(), ask("https://b.example.com/")))).toBe("api b");
  });

  test("leaves a host that another API has to that one", () => {
    const shared = context({ ...apis, c: { domains: ["*.example.com"] } }, { disabled });
    expect(outcome(decide(shared, run(), ask("https://a.example.com/")))).toBe("api c");
  });
});

describe("T23: a host in two APIs", () => {
  const shared = context({
    any: { domains: ["*.example.com"], restricted_methods: ["DELETE"] },
    exact: { domains: ["api.example.com"], paths: ["/v1/**"] },
    wide: { domains: ["*.api.example.com", "*.example.com"] },
  });

  test("an exact host goes before a wildcard, and a longer wildcard before a shorter", () => {
    expect(outcome(decide(shared, run(), ask("https://api.example.com/v1/x")))).toBe("api exact any wide");
    expect(outcome(decide(shared, run(), ask("https://x.api.example.com/")))).toBe("api wide any");
  });

  test("credentials apply only of the APIs whose own rules cover the request", () => {
    expect(outcome(decide(shared, run(), ask("https://api.example.com/v2/x")))).toBe("api any wide");
    expect(outcome(decide(shared, run(), ask("https://api.example.com/v2/x", "DELETE")))).toBe("api wide");
  });

  test("naming fewer APIs never allows more", () => {
    const urls = ["https://api.example.com/v1", "https://api.example.com/v2", "https://z.example.com/"];
    for (const url of urls) {
      for (const method of ["GET", "DELETE"]) {
        const whole = decide(shared, run(), ask(url, method));
        for (const name of ["any", "exact", "wide"]) {
          const narrow = decide(shared, run({ apis: [name] }), ask(url, method));
          if (narrow.allowed) expect(whole).toMatchObject({ allowed: true });
        }
      }
    }
  });

  test("when no API's rules cover the request, the closest one says why", () => {
    const strict = context({
      any: { domains: ["*.example.com"], methods: ["GET"] },
      exact: { domains: ["api.example.com"], restricted_methods: ["DELETE"] },
    });
    expect(decide(strict, run(), ask("https://api.example.com/", "DELETE"))).toMatchObject({
      denial: { code: "method_restricted", api: "exact", method: "DELETE" },
    });
  });
});

describe("T25: private addresses", () => {
  const yolo = context({ wild: { domains: ["*.corp.internal", "*.example.com"] } }, { yolo: true });

  test.each([
    "http://127.0.0.1/",
    "https://127.0.0.1/",
    "https://127.1/",
    "http://2130706433/",
    "https://2130706433/",
    "http://0x7f.1/",
    "https://0x7f.1/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://１２７.0.0.1/",
    "https://0.0.0.0/",
    "https://10.1.2.3/",
    "https://100.64.0.1/",
    "https://100.127.255.255/",
    "https://169.254.169.254/latest/meta-data",
    "https://172.16.0.1/",
    "https://172.31.255.255/",
    "https://192.168.1.1/",
    "https://198.18.0.1/",
    "https://224.0.0.1/",
    "https://255.255.255.255/",
    "https://[::]/",
    "https://[::1]/",
    "https://[0:0:0:0:0:0:0:1]/",
    "https://[::ffff:7f00:1]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:8.8.8.8]/",
    "https://[::7f00:1]/",
    "https://[64:ff9b::7f00:1]/",
    "https://[64:ff9b:1::1]/",
    "https://[fc00::1]/",
    "https://[fd12:3456::1]/",
    "https://[fe80::1]/",
    "https://[ff02::1]/",
    "https://[2002:7f00:1::]/",
    "https://[2001::1]/",
    "https://[2001:db8::1]/",
    "https://localhost/",
    "https://LOCALHOST./",
    "https://app.localhost/",
    "https://printer.local/",
    "https://metadata.google.internal/",
    "https://x.corp.internal/",
    "https://metadata/",
    "https://nas.lan/",
    "https://nas.home.arpa/",
  ])("%s is refused, in YOLO mode and under a wildcard too", (url) => {
    expect(outcome(decide(yolo, run(), ask(url)))).toBe("private_address");
  });

  test.each(["http://[fe80::1%25eth0]/", "http://[fe80::1%eth0]/", "http://0x7f.1.1.1.1/", "http://256.256.256.256/"])(
    "%s is no URL to begin with",
    (url) => {
      expect(URL.canParse(url)).toBe(false);
    },
  );

  test.each([
    "https://8.8.8.8/",
    "https://100.128.0.1/",
    "https://172.32.0.1/",
    "https://192.169.0.1/",
    "https://[2606:4700::1111]/",
    "https://[2001:4860:4860::8888]/",
    "https://localhost.example.com/",
    "https://internal.example.org/",
  ])("%s is public", (url) => {
    expect(outcome(decide(yolo, run(), ask(url)))).toMatch(/^(?:yolo|api wild)$/);
  });

  test.each([
    ["http://127.0.0.1:9000", "http://127.0.0.1:9000/x", "api local"],
    ["http://127.0.0.1:9000", "http://127.1:9000/x", "api local"],
    ["http://127.0.0.1:9000", "http://localhost:9000/x", "private_address"],
    ["http://127.0.0.1:9000", "http://127.0.0.1:9001/x", "private_address"],
    ["http://127.0.0.1:9000", "http://127.0.0.2:9000/x", "private_address"],
    ["http://localhost:9000", "http://localhost:9000/x", "api local"],
    ["http://localhost:9000", "http://[::1]:9000/x", "private_address"],
    ["http://[::1]:9000", "http://[0:0::1]:9000/x", "api local"],
    ["nas.local", "https://nas.local/x", "api local"],
    ["*.corp.internal", "https://a.corp.internal/", "private_address"],
  ])("%s in domains makes %s %s", (domain, url, expected) => {
    expect(outcome(decide(context({ local: { domains: [domain] } }), run(), ask(url)))).toBe(expected);
  });

  test("a redirect or a reference never leads to a private address", () => {
    const api = context({
      a: { domains: ["a.example.com"], reference: "https://127.0.0.1/docs", redirect_hosts: ["127.0.0.1"] },
    });
    const from = { host: "a.example.com", api: "a" };
    expect(outcome(decide(api, run(), ask("https://127.0.0.1/docs"), from))).toBe("private_address");
  });
});

describe("T50: the server's own ports", () => {
  const domains = ["127.0.0.1", "localhost", "[::1]", "0.0.0.0", "[::ffff:7f00:1]", "a.localhost"];
  const own = context(
    { local: { domains: domains.map((host) => `http://${host}:8080`).concat("http://10.0.0.5:8080") } },
    { ownPorts: [8080] },
  );

  test.each(domains)("%s with the server's port is refused even when it is written out", (host) => {
    expect(outcome(decide(own, run(), ask(`http://${host}:8080/mcp`)))).toBe("own_port");
  });

  test("the same port on another machine is not the server's", () => {
    expect(outcome(decide(own, run(), ask("http://10.0.0.5:8080/")))).toBe("api local");
  });
});

describe("methods", () => {
  const rules = context({
    blocked: { domains: ["blocked.example.com"], restricted_methods: ["DELETE"] },
    listed: { domains: ["listed.example.com"], methods: ["GET", "POST"] },
    dav: { domains: ["dav.example.com"], methods: ["GET", "QUERY", "propfind"], restricted_methods: ["GET"] },
    open: { domains: ["open.example.com"] },
  });
  const at = (host: string, query = "") => `https://${host}.example.com/x${query}`;

  test.each(["TRACE", "trace", "TRACK", "CONNECT", "QUERY", "PROPFIND", "MKCOL", "FOO"])(
    "T21: %s is refused with 405, whatever the API allows",
    (method) => {
      expect(outcome(decide(rules, run(), ask(at("open"), method)))).toBe("method_unknown");
      expect(outcome(decide({ ...rules, yolo: true }, run(), ask("https://elsewhere.example/", method)))).toBe(
        "method_unknown",
      );
    },
  );

  test.each([
    ["dav", "PROPFIND", "", {}, "api dav"],
    ["dav", "query", "", {}, "api dav"],
    ["dav", "QUERY", "?_method=DELETE", {}, "method_restricted"],
    ["dav", "GET", "", {}, "method_restricted"],
    ["dav", "POST", "", {}, "method_restricted"],
    ["dav", "MKCOL", "", {}, "method_unknown"],
    ["dav", "COPY", "", {}, "method_unknown"],
    ["dav", "TRACE", "", {}, "method_unknown"],
    ["listed", "PROPFIND", "", {}, "method_unknown"],
    ["listed", "POST", "?_method=PROPFIND", {}, "method_restricted"],
    ["blocked", "DELETE", "", {}, "method_restricted"],
    ["blocked", "delete", "", {}, "method_restricted"],
    ["blocked", "GET", "", {}, "api blocked"],
    ["blocked", "PATCH", "", {}, "api blocked"],
    ["listed", "PUT", "", {}, "method_restricted"],
    ["listed", "POST", "", {}, "api listed"],
    ["blocked", "POST", "", { "x-http-method-override": "DELETE" }, "method_restricted"],
    ["blocked", "GET", "", { "x-http-method-override": "DELETE" }, "method_restricted"],
    ["blocked", "POST", "?_method=DELETE", {}, "method_restricted"],
    ["blocked", "POST", "?$httpMethod=DELETE", {}, "method_restricted"],
    ["blocked", "POST", "?_method=nonsense", {}, "method_restricted"],
    ["blocked", "POST", "?_method=PATCH", {}, "api blocked"],
    ["open", "POST", "?_method=DELETE", {}, "api open"],
    ["open", "POST", "?_method=TRACE", {}, "method_unknown"],
    ["blocked", "POST", "", { "x-http-method-override": "PATCH" }, "method_override"],
    ["open", "POST", "", { "x-http-method-override": "DELETE" }, "method_override"],
    ["open", "POST", "", { "x-http-method-override": "POST" }, "api open"],
  ])("T20: %s, %s%s with %j is judged %s", (host, method, query, headers, expected) => {
    expect(outcome(decide(rules, run(), ask(at(host, query), method, headers)))).toBe(expected);
  });

  test("T20: requests in a body are refused where rules could not be applied to them", () => {
    const mixed = { "content-type": "multipart/mixed; boundary=b" };
    for (const host of ["blocked", "listed"]) {
      expect(outcome(decide(rules, run(), ask(`https://${host}.example.com/batch`, "POST", mixed)))).toBe(
        "batch_refused",
      );
      expect(outcome(decide(rules, run(), ask(`https://${host}.example.com/$batch`, "POST")))).toBe("batch_refused");
    }
    expect(outcome(decide(rules, run(), ask("https://open.example.com/$batch", "POST", mixed)))).toBe("api open");
  });

  test("T28: an upgrade is refused from every run", () => {
    expect(outcome(decide(rules, run(), ask(at("open"), "GET", { upgrade: "websocket" })))).toBe("upgrade_refused");
  });

  test("a form or JSON body is to be read where it could name another method", () => {
    const inspect = (host: string, type: string) => {
      const decision = decide(rules, run(), ask(at(host), "POST", { "content-type": type }));
      return decision.allowed ? decision.inspect : decision.denial;
    };
    expect(inspect("blocked", "application/x-www-form-urlencoded")).toBe("override");
    expect(inspect("blocked", "multipart/form-data; boundary=x")).toBe("override");
    expect(inspect("blocked", "application/json")).toBe("override");
    expect(inspect("blocked", "multipart/mixed; boundary=x")).toBe("override");
    expect(inspect("blocked", "")).toBe("override");
    expect(inspect("blocked", "text/plain, application/x-www-form-urlencoded")).toBe("override");
    expect(inspect("blocked", "application/octet-stream")).toBeNull();
    expect(inspect("open", "application/x-www-form-urlencoded")).toBeNull();
  });
});

test("T41: a GraphQL document is read, whether it comes by POST or by QUERY", () => {
  const rules = context({ dav: { domains: ["dav.example.com"], methods: ["POST", "QUERY"], graphql: "/graphql" } });
  for (const method of ["POST", "QUERY"]) {
    const decision = decide(rules, run({ readOnly: true }), ask("https://dav.example.com/graphql", method));
    expect(decision.allowed && decision.inspect).toBe("graphql");
  }
});

describe("T41: read-only runs", () => {
  const rules = context(
    {
      api: { domains: ["api.example.com"], read_only_paths: ["/search", "/v1/*/query"], graphql: "/graphql" },
      open: { domains: ["open.example.com"], reference: "https://docs.example.org/" },
      dav: {
        domains: ["dav.example.com"],
        methods: ["GET", "QUERY", "PROPFIND"],
        read_only_paths: ["/search"],
        graphql: "/graphql",
      },
    },
    { yolo: true },
  );
  const readOnly = run({ readOnly: true });

  test.each([
    ["GET", "https://open.example.com/", {}, "api open"],
    ["QUERY", "https://dav.example.com/search", {}, "api dav"],
    ["QUERY", "https://dav.example.com/other", {}, "read_only"],
    ["QUERY", "https://dav.example.com/graphql", {}, "api dav"],
    ["PROPFIND", "https://dav.example.com/search", {}, "read_only"],
    ["HEAD", "https://open.example.com/", {}, "api open"],
    ["POST", "https://open.example.com/", {}, "read_only"],
    ["PUT", "https://open.example.com/", {}, "read_only"],
    ["PATCH", "https://open.example.com/", {}, "read_only"],
    ["DELETE", "https://open.example.com/", {}, "read_only"],
    ["OPTIONS", "https://open.example.com/", {}, "read_only"],
    ["GET", "https://open.example.com/", { "x-http-method-override": "POST" }, "read_only"],
    ["GET", "https://open.example.com/?_method=POST", {}, "read_only"],
    ["GET", "https://open.example.com/?$httpMethod=DELETE", {}, "read_only"],
    ["GET", "https://open.example.com/me/feed?method=post&message=x", {}, "read_only"],
    ["GET", "https://open.example.com/logs?method=get&method=stream", {}, "api open"],
    ["POST", "https://open.example.com/?_method=GET", {}, "read_only"],
    ["POST", "https://open.example.com/", { "x-http-method-override": "GET" }, "read_only"],
    ["GET", "https://open.example.com/", { upgrade: "websocket" }, "upgrade_refused"],
    ["GET", "https://open.example.com/$batch", {}, "batch_refused"],
    ["GET", "https://elsewhere.example/", {}, "host_not_allowed"],
    ["GET", "https://docs.example.org/x", {}, "reference"],
    ["POST", "https://docs.example.org/x", {}, "reference_read_only"],
    ["POST", "https://api.example.com/search", {}, "api api"],
    ["POST", "https://api.example.com/v1/a/query", {}, "api api"],
    ["POST", "https://api.example.com/search?_method=DELETE", {}, "read_only"],
    ["PUT", "https://api.example.com/search", {}, "read_only"],
    ["POST", "https://api.example.com/search/all", {}, "read_only"],
    ["POST", "https://api.example.com/search%2Fall", {}, "read_only"],
    ["POST", "https://api.example.com/graphql", {}, "api api"],
    ["GET", "https://api.example.com/graphql?query={a}", {}, "api api"],
    ["GET", "https://api.example.com/graphql?query=mutation{a}", {}, "read_only_graphql"],
    ["GET", "https://api.example.com/graphql?Query=mutation{a}", {}, "read_only_graphql"],
    ["GET", "https://api.example.com/graphql?id=1", {}, "read_only_graphql"],
    ["GET", "https://api.example.com/graphql?extensions={}&operationName=M", {}, "read_only_graphql"],
    ["QUERY", "https://dav.example.com/graphql?op=A", {}, "api dav"],
    ["GET", "https://api.example.com/graphql", {}, "api api"],
    ["GET", "https://api.example.com/GraphQL?query=mutation{a}", {}, "read_only_graphql"],
    ["GET", "https://api.example.com/graphql%2F?query=mutation{a}", {}, "read_only_graphql"],
    ["GET", "https://api.example.com/find?query=some words", {}, "api api"],
    ["GET", "https://api.example.com/graphql?query=some words", {}, "read_only_graphql"],
    ["POST", "https://open.example.com/graphql", {}, "read_only"],
  ])("%s %s with %j is judged %s", (method, url, headers, expected) => {
    expect(outcome(decide(rules, readOnly, ask(url, method, headers)))).toBe(expected);
  });

  test("a POST to the GraphQL path is let out only with its body read", () => {
    const decision = decide(rules, readOnly, ask("https://api.example.com/graphql", "POST"));
    expect(decision).toMatchObject({ inspect: "graphql" });
    expect(decide(rules, run(), ask("https://api.example.com/graphql", "POST"))).toMatchObject({ inspect: null });
  });
});

describe("YOLO mode", () => {
  const yolo = context({ a: { domains: ["a.example.com", "b.example.com:8443"] } }, { yolo: true });

  test.each([
    ["https://elsewhere.example/", "POST", "yolo"],
    ["http://elsewhere.example/", "GET", "https_only"],
    ["http://elsewhere.example:443/", "GET", "https_only"],
    ["https://elsewhere.example:8443/", "GET", "https_only"],
    ["http://a.example.com/", "GET", "address_not_allowed"],
    ["https://a.example.com:8443/", "GET", "address_not_allowed"],
    ["https://b.example.com/", "GET", "address_not_allowed"],
    ["https://a.example.com/", "GET", "api a"],
  ])("T25: %s by %s is judged %s", (url, method, expected) => {
    expect(outcome(decide(yolo, run(), ask(url, method)))).toBe(expected);
  });

  test("no credential goes along: nothing is granted", () => {
    expect(decide(yolo, run(), ask("https://elsewhere.example/"))).toMatchObject({ api: null, grants: [] });
  });
});

describe("reference and redirects", () => {
  const rules = context({
    a: { domains: ["a.example.com"], reference: "https://docs.example.org/api", redirect_hosts: ["*.cdn.example.net"] },
    b: { domains: ["b.example.com"], reference: null },
  });
  const from = { host: "a.example.com", api: "a" };

  test.each([
    ["https://docs.example.org/other?q=1", "GET", "reference"],
    ["https://docs.example.org/api", "HEAD", "reference"],
    ["https://docs.example.org/api", "POST", "reference_read_only"],
    ["https://docs.example.org/api?_method=POST", "GET", "reference_read_only"],
    ["http://docs.example.org/api", "GET", "host_not_allowed"],
    ["https://docs.example.org:8443/api", "GET", "host_not_allowed"],
    ["https://x.docs.example.org/api", "GET", "host_not_allowed"],
  ])("the reference %s by %s is judged %s", (url, method, expected) => {
    const decision = decide(rules, run(), ask(url, method));
    expect(outcome(decision)).toBe(expected);
    if (decision.allowed) expect(decision).toMatchObject({ api: null, grants: [] });
  });

  test("the reference of an API that is not in the run is closed", () => {
    expect(outcome(decide(rules, run({ apis: ["b"] }), ask("https://docs.example.org/api")))).toBe("host_not_allowed");
  });

  test.each([
    ["https://x.cdn.example.net/file", "GET", from, "redirect"],
    ["https://x.cdn.example.net/file", "POST", from, "redirect_read_only"],
    ["https://x.cdn.example.net/file", "GET", { host: "b.example.com", api: "b" }, "redirect_not_allowed"],
    ["https://x.cdn.example.net/file", "GET", null, "host_not_allowed"],
    ["http://x.cdn.example.net/file", "GET", from, "redirect_not_allowed"],
    ["https://evil.example/file", "GET", from, "redirect_not_allowed"],
    ["https://b.example.com/", "GET", from, "api b"],
  ])("T9: %s by %s from %j is judged %s", (url, method, origin, expected) => {
    expect(outcome(decide(rules, run(), ask(url, method), origin))).toBe(expected);
  });
});

describe("T22: path rules", () => {
  const rules = context({
    a: { domains: ["a.example.com"], paths: ["/v1/customers/**", "/v1/charges/*", "/files/*.pdf", "/export/report"] },
  });

  test.each([
    ["/v1/customers", "api a"],
    ["/v1/customers/", "api a"],
    ["/v1/customers/c1/cards", "api a"],
    ["//v1//customers/c1", "api a"],
    ["/v1/%63ustomers/c1", "api a"],
    ["/v1/customers;v=1/c1", "path_not_allowed"],
    ["/v1/customers/c1;v=1", "api a"],
    ["/v1/charges/ch_1", "api a"],
    ["/v1/charges", "path_not_allowed"],
    ["/v1/charges/ch_1/refunds", "path_not_allowed"],
    ["/v1/charges/x;/refunds", "path_not_allowed"],
    ["/v1/customersx", "path_not_allowed"],
    ["/V1/customers", "path_not_allowed"],
    ["/v1/customers/../charges/a/b", "path_not_allowed"],
    ["/v1/customers/%2e%2e/admin", "path_not_allowed"],
    ["/v1/customers/..%2fadmin", "path_ambiguous"],
    ["/v1/customers/..;/admin", "path_ambiguous"],
    ["/v1/customers/;/admin", "path_ambiguous"],
    ["/v1/customers%2fadmin", "path_ambiguous"],
    ["/v1/customers%5cadmin", "path_ambiguous"],
    ["/v1/customers/%252e%252e/admin", "path_ambiguous"],
    ["/v1/customers/%00", "path_ambiguous"],
    ["/v1/customers/%0a", "path_ambiguous"],
    ["/v1/customers/%ff", "path_ambiguous"],
    ["/v1/customers/．．/admin", "path_ambiguous"],
    ["/v1/customers/%EF%BC%8E%EF%BC%8E/admin", "path_ambiguous"],
    ["/v1/charges/a%EF%BC%8Frefunds", "path_ambiguous"],
    ["/v1/customers/％２ｆ", "path_ambiguous"],
    ["/v1/customers/caf%C3%A9", "api a"],
    ["/files/a.pdf", "api a"],
    ["/files/.pdf", "api a"],
    ["/files/secret;.pdf", "path_not_allowed"],
    ["/files/a.pdf.exe", "path_not_allowed"],
    ["/export/report", "api a"],
    ["/export", "path_not_allowed"],
    ["/", "path_not_allowed"],
  ])("%s is judged %s", (path, expected) => {
    expect(outcome(decide(rules, run(), ask(`https://a.example.com${path}`)))).toBe(expected);
  });

  test("an API without path rules takes every path", () => {
    const open = context({ a: { domains: ["a.example.com"] } });
    expect(outcome(decide(open, run(), ask("https://a.example.com/repos/a%2Fb/..%2f")))).toBe("api a");
  });
});

import { describe, expect, test } from "vitest";

import { PROXY_ERROR_HEADER, toDenialResponse, type Denial } from "../../outbound-proxy/denial.ts";
import { UPSTREAM_CAUSES } from "../../outbound-proxy/upstream.ts";

const from = { host: "a.example", api: "a" };

/** One of each code: adding one to the union without a row here is a type error. */
const DENIALS: { readonly [Code in Denial["code"]]: [status: number, denial: Extract<Denial, { code: Code }>] } = {
  run_closed: [403, { code: "run_closed" }],
  request_limit: [429, { code: "request_limit", maxRequests: 1_000 }],
  transfer_limit: [429, { code: "transfer_limit", maxBytes: 10 }],
  url_too_long: [414, { code: "url_too_long", maxLength: 10 }],
  request_too_large: [413, { code: "request_too_large", maxBytes: 10 }],
  response_too_large: [502, { code: "response_too_large", host: "a.example", maxBytes: 10 }],
  upgrade_refused: [426, { code: "upgrade_refused", host: "a.example" }],
  method_unknown: [405, { code: "method_unknown", method: "TRACE", allowed: ["GET", "POST"] }],
  method_override: [403, { code: "method_override", method: "DELETE" }],
  method_restricted: [403, { code: "method_restricted", api: "a", method: "DELETE", allowed: ["GET"] }],
  read_only: [403, { code: "read_only", method: "POST" }],
  read_only_graphql: [403, { code: "read_only_graphql", api: "a", reason: "it holds a mutation" }],
  path_not_allowed: [403, { code: "path_not_allowed", api: "a", allowed: ["/v1/**"] }],
  path_ambiguous: [403, { code: "path_ambiguous", api: "a" }],
  batch_refused: [403, { code: "batch_refused", api: "a" }],
  host_malformed: [403, { code: "host_malformed", host: "a..example" }],
  host_not_allowed: [403, { code: "host_not_allowed", host: "evil.example", allowed: ["a.example"] }],
  address_not_allowed: [403, { code: "address_not_allowed", host: "a.example", allowed: ["a.example:8443"] }],
  https_only: [403, { code: "https_only", host: "a.example" }],
  api_not_in_run: [403, { code: "api_not_in_run", host: "b.example", apis: ["b"] }],
  api_disabled: [403, { code: "api_disabled", host: "b.example", apis: ["b"] }],
  token_disabled: [403, { code: "token_disabled" }],
  private_address: [403, { code: "private_address", host: "127.0.0.1" }],
  own_port: [403, { code: "own_port", host: "localhost" }],
  reference_read_only: [403, { code: "reference_read_only", host: "docs.example", api: "a" }],
  redirect_read_only: [403, { code: "redirect_read_only", host: "cdn.example", from }],
  redirect_not_allowed: [403, { code: "redirect_not_allowed", host: "cdn.example", from }],
  credential_repeated: [403, { code: "credential_repeated", name: "KEY" }],
  credential_unusable: [403, { code: "credential_unusable", name: "KEY", place: "path", reason: 'it holds "/"' }],
  body_too_large: [413, { code: "body_too_large", maxBytes: 10, why: "it is read for a rule" }],
  body_unreadable: [415, { code: "body_unreadable" }],
  response_undecodable: [502, { code: "response_undecodable", host: "a.example", encoding: "zstd" }],
  upstream_failed: [502, { code: "upstream_failed", host: "a.example", cause: "dns" }],
  misconfigured: [503, { code: "misconfigured", problem: "REDACTING_STRINGS is not a list." }],
  internal: [502, { code: "internal" }],
};

const errorOf = async (denial: Denial) => {
  const body: unknown = await toDenialResponse(denial).json();
  return (body as { error: Record<string, unknown> }).error;
};

test.each(Object.entries(DENIALS))(
  "%s is answered by its status, a marker and words",
  async (code, [status, denial]) => {
    const response = toDenialResponse(denial);
    expect(response.status).toBe(status);
    expect(response.headers.get(PROXY_ERROR_HEADER)).toBe(code);
    expect(response.headers.get("content-type")).toMatch(/^application\/json/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const error = await errorOf(denial);
    expect(error).toMatchObject({ ...denial, code, message: expect.any(String), hint: expect.any(String) });
    expect(error.message).toMatch(/^\S.*\.$/);
    expect(error.hint).toMatch(/^\S.*\.$/);
  },
);

test.each(UPSTREAM_CAUSES)("an upstream that failed by %s is told from the others", async (cause) => {
  const error = await errorOf({ code: "upstream_failed", host: "a.example", cause });
  expect(error).toMatchObject({ cause, message: expect.stringContaining('"a.example"') });
});

describe("what the words say", () => {
  test("the hosts that are allowed", async () => {
    const { message, hint } = await errorOf(DENIALS.host_not_allowed[1]);
    expect(message).toContain('"evil.example"');
    expect(hint).toContain("a.example");
  });

  test("which API to name in apis", async () => {
    const { message, hint } = await errorOf(DENIALS.api_not_in_run[1]);
    expect(message).toContain("b, which is not in this run's `apis`");
    expect(hint).toContain("with b in `apis`");
  });

  test("T9: the host that redirected, and the config line that would allow the hop", async () => {
    const { message, hint } = await errorOf(DENIALS.redirect_not_allowed[1]);
    expect(message).toContain('"a.example" redirected to "cdn.example"');
    expect(hint).toContain('"redirect_hosts": ["cdn.example"] to apis/a/config.json');
  });

  test("a redirect from a host of no API names no config line", async () => {
    const { hint } = await errorOf({ code: "redirect_not_allowed", host: "b", from: { host: "c", api: null } });
    expect(hint).not.toContain("redirect_hosts");
  });

  test("the first fifty of many hosts, and how many more there are", async () => {
    const allowed = Array.from({ length: 200 }, (_, index) => `h${index}.example`);
    const error = await errorOf({ code: "host_not_allowed", host: "x", allowed });
    expect(error.allowed).toHaveLength(50);
    expect(error.hint).toContain("h49.example and 150 more");
  });

  test("a method that an owner could let out is said to be one", async () => {
    const hint = async (method: string): Promise<unknown> =>
      (await errorOf({ code: "method_unknown", method, allowed: ["GET"] })).hint;
    expect(await hint("QUERY")).toContain('"methods" of its config.json');
    expect(await hint("COPY")).toBe("Use one of GET.");
  });

  test("text from outside stays inside its quotes", async () => {
    const error = await errorOf({ code: "method_unknown", method: 'X"\n[inject]', allowed: ["GET"] });
    expect(error.message).toBe('The method "X\\"\\n[inject]" is not let out.');
  });
});

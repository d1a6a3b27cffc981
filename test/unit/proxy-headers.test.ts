import { expect, test } from "vitest";

import { buildHeaders } from "../../outbound-proxy/headers.ts";

const build = (headers: Record<string, string>, dropRanges = false) =>
  Object.fromEntries(buildHeaders(new Headers(headers), "CodeForge/test", { dropRanges }));

const OURS = { "user-agent": "CodeForge/test" };

test.each([
  ["T31", "connection"],
  ["T31", "keep-alive"],
  ["T31", "te"],
  ["T31", "trailer"],
  ["T31", "transfer-encoding"],
  ["T31", "content-length"],
  ["T31", "upgrade"],
  ["T31", "expect"],
  ["T7", "host"],
  ["T6", "accept-encoding"],
  ["T25", "cf-connecting-ip"],
  ["T25", "cf-worker"],
  ["T25", "cdn-loop"],
  ["T25", "x-real-ip"],
  ["T25", "true-client-ip"],
  ["T25", "forwarded"],
  ["T25", "via"],
  ["T25", "proxy-authorization"],
  ["T25", "x-forwarded-for"],
  ["T25", "x-forwarded-host"],
  ["T28", "sec-websocket-protocol"],
  ["T46", "x-codeforge-injected"],
  ["T46", "x-codeforge-proxy-error"],
  ["T47", "x-original-url"],
  ["T47", "x-rewrite-url"],
  ["T47", "x-forwarded-prefix"],
  ["T47", "x-original-host"],
  ["T47", "x-original-method"],
  ["T47", "X_Original.URI"],
  ["T47", "x-rewrite-uri"],
  ["T47", "x-host"],
  ["T20", "x-http-method-override"],
  ["T20", "x-http-method"],
  ["T20", "x_http_method_override"],
  ["T20", "X.HTTP.Method.Override"],
  ["T47", "x_original_url"],
  ["T31", "content_length"],
  ["T31", "transfer_encoding"],
  ["T20", "x-method-override"],
])("%s: %s never goes upstream", (_, name) => {
  expect(build({ [name]: "1" })).toEqual(OURS);
});

test("T31: headers that Connection names are of this hop and go no further", () => {
  expect(build({ connection: "close, X-Hop", "x-hop": "1", x_hop: "1", "x-kept": "2" })).toEqual({
    ...OURS,
    "x-kept": "2",
  });
});

test("the code's own headers travel", () => {
  const own = {
    accept: "application/json",
    "content-type": "text/plain",
    cookie: "a=1",
    range: "bytes=0-1",
    "x-a": "b",
  };
  expect(build(own)).toEqual({ ...own, ...OURS });
});

test("T5: ranges are dropped when values are looked for in the answer", () => {
  expect(
    build({ range: "bytes=0-1", "request-range": "bytes=0-1", if_range: "x", "if-range": '"x"', accept: "a/b" }, true),
  ).toEqual({
    accept: "a/b",
    ...OURS,
  });
});

test("User-Agent is ours, whatever the code sets", () => {
  expect(build({ "user-agent": "curl" })).toEqual(OURS);
});

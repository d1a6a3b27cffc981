import { describe, expect, test } from "vitest";

import { isOverrideParameter, readRedirect, readTarget } from "../../outbound-proxy/target.ts";

const target = (url: string, method = "GET", headers: Record<string, string> = {}) =>
  readTarget({ url, method, headers: new Headers(headers) });

describe("what a request asks for", () => {
  test("T7: the host is the URL's, whatever Host says", () => {
    expect(target("https://api.stripe.com/", "GET", { host: "evil.example" }).host).toBe("api.stripe.com");
  });

  test("T8: one trailing dot, user info and the fragment are gone from the URL that is sent", () => {
    const { url, host } = target("https://u:p@API.Stripe.com./v1?a=1#x");
    expect(host).toBe("api.stripe.com");
    expect(url.href).toBe("https://api.stripe.com/v1?a=1");
  });

  test.each([
    ["a header", "https://a.example/", { "x-http-method-override": "DELETE" }],
    ["a header in lower case with blanks", "https://a.example/", { "X-HTTP-Method": " delete " }],
    ["a header as CGI reads it", "https://a.example/", { "X_HTTP.Method_Override": "DELETE" }],
    ["the second of two joined headers", "https://a.example/", { "x-method-override": "GET, DELETE" }],
    ["a parameter", "https://a.example/?_method=DELETE", {}],
    ["a parameter in other case", "https://a.example/?_METHOD=delete", {}],
    ["a percent-encoded parameter", "https://a.example/?%5Fmethod=%44ELETE", {}],
    ["a parameter as PHP reads it", "https://a.example/?.method=DELETE", {}],
    ["a parameter behind a blank", "https://a.example/?+_method=DELETE", {}],
    ["a parameter behind a semicolon", "https://a.example/?a=1;_method=DELETE", {}],
    ["a second, repeated parameter", "https://a.example/?_method=GET&_method=DELETE", {}],
    ["Google's parameter", "https://a.example/?$httpMethod=DELETE", {}],
    ["Google's parameter, encoded", "https://a.example/?%24httpMethod=DELETE", {}],
    ["Salesforce's parameter", "https://a.example/?_HttpMethod=DELETE", {}],
    ["Facebook's parameter", "https://a.example/?method=delete", {}],
  ])("T20: the effective methods include the one that %s names", (_, url, headers) => {
    const read = target(url, "POST", headers);
    expect(read.method).toBe("POST");
    expect(read.effectiveMethods).toContain("POST");
    expect(read.effectiveMethods).toContain("DELETE");
  });

  test.each(["method", "_methods", "payment_method", "a_method"])("%s is an ordinary parameter", (name) => {
    expect(isOverrideParameter(name)).toBe(false);
  });

  test("a parameter called method that names none is an ordinary one", () => {
    expect(target("https://a.example/?method=flickr.photos.search&a=DELETE").effectiveMethods).toEqual(["GET"]);
  });

  test("T21: methods are compared in upper case", () => {
    expect(target("https://a.example/", "patch").method).toBe("PATCH");
  });

  test.each([
    ["/v1/$batch", "application/json", true],
    ["/v1/%24batch", "application/json", true],
    ["/v1/$BATCH;v=1", "", true],
    ["/batch/drive/v3", "multipart/mixed; boundary=x", true],
    ["/batch", "application/json", false],
    ["/upload", "multipart/mixed; boundary=x", false],
  ])("T20: a request to %s of type %j carries other requests: %s", (path, type, expected) => {
    expect(target(`https://a.example${path}`, "POST", { "content-type": type }).batch).toBe(expected);
  });

  test.each([
    ["120", 120],
    ["0", 0],
    ["-1", null],
    ["1e3", null],
    ["5, 5", null],
    ["", null],
  ])("a Content-Length of %j is read as %j", (text, expected) => {
    expect(target("https://a.example/", "POST", { "content-length": text }).contentLength).toBe(expected);
  });

  test("an upgrade is seen by its header and by WebSocket's key", () => {
    expect(target("https://a.example/", "GET", { upgrade: "websocket" }).upgrade).toBe(true);
    expect(target("https://a.example/", "GET", { "sec-websocket-key": "x" }).upgrade).toBe(true);
    expect(target("https://a.example/").upgrade).toBe(false);
  });

  test("T9: a redirect leads to the same canonical URL that the next request is judged by", () => {
    const from = new URL("https://a.example/x/y");
    expect(readRedirect(from, "../z#f")?.href).toBe("https://a.example/z");
    expect(readRedirect(from, "//B.example./d?q=1")?.href).toBe("https://b.example/d?q=1");
    expect(readRedirect(from, "http://[")).toBeNull();
    expect(readRedirect(from, null)).toBeNull();
  });
});

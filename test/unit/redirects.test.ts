/** Redirects of a call, hop by hop, after the fetch standard's "HTTP-redirect fetch". */
import { describe, expect, it } from "vitest";

import { nextHop, type Hop } from "../../src/code/redirects.ts";

const HEADERS = {
  authorization: "Bearer SHOP_TOKEN",
  cookie: "s=SHOP_SESSION",
  "content-type": "text/plain",
  "x-a": "1",
};

function hop(method: string): Hop {
  const body = method === "GET" || method === "HEAD" ? null : "text";
  return { method, url: new URL("https://api.shop.test/v1/items"), headers: new Headers(HEADERS), body };
}

describe("a redirect", () => {
  it.each([
    { method: "GET", status: 301, next: "GET", body: null },
    { method: "HEAD", status: 301, next: "HEAD", body: null },
    { method: "POST", status: 301, next: "GET", body: null },
    { method: "POST", status: 302, next: "GET", body: null },
    { method: "PUT", status: 302, next: "PUT", body: "text" },
    { method: "DELETE", status: 302, next: "DELETE", body: "text" },
    { method: "POST", status: 303, next: "GET", body: null },
    { method: "PUT", status: 303, next: "GET", body: null },
    { method: "HEAD", status: 303, next: "HEAD", body: null },
    { method: "POST", status: 307, next: "POST", body: "text" },
    { method: "PATCH", status: 308, next: "PATCH", body: "text" },
  ])("of $method with $status goes on as $next", ({ method, status, next, body }) => {
    const followed = nextHop(hop(method), status, "../v2/items?page=2");
    expect(followed).toMatchObject({ method: next, body });
    expect(followed?.url.href).toBe("https://api.shop.test/v2/items?page=2");
    expect(followed?.headers.get("content-type")).toBe(
      body === null && method !== "GET" && method !== "HEAD" ? null : "text/plain",
    );
    expect(followed?.headers.get("authorization")).toBe("Bearer SHOP_TOKEN");
  });

  it.each(["https://cdn.shop.test/x", "https://api.shop.test:8443/x", "http://api.shop.test/x", "//evil.test/x"])(
    "to %s, another origin, carries no credential's name in the headers that belong to an origin",
    (location) => {
      const followed = nextHop(hop("GET"), 302, location);
      expect(followed?.headers.get("authorization")).toBeNull();
      expect(followed?.headers.get("cookie")).toBeNull();
      expect(followed?.headers.get("x-a")).toBe("1");
    },
  );

  it.each([
    { status: 200, location: "/x" },
    { status: 304, location: "/x" },
    { status: 300, location: "/x" },
    { status: 302, location: null },
    { status: 302, location: "http://[" },
    { status: 302, location: "ftp://files.shop.test/x" },
    { status: 302, location: "javascript:alert(1)" },
  ])("is none: $status to $location", ({ status, location }) => {
    expect(nextHop(hop("GET"), status, location)).toBeNull();
  });
});

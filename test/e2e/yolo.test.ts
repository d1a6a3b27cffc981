/** YOLO mode opens every public https host, and never takes a credential there. */
import { Response } from "miniflare";
import { afterAll, beforeAll, expect, it } from "vitest";

import { plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const API_TOKEN = plainCanary();

interface Seen {
  readonly url: string;
  readonly headers: Record<string, string>;
}

/** What left the proxy for the internet, whose place a function takes here. */
const seen: Seen[] = [];
let codeforge: TestStack;

beforeAll(async () => {
  codeforge = await startTestStack({
    apis: { api: { description: "An API", domains: ["api.example.com"], credentials: ["API_TOKEN"] } },
    vars: { API_TOKEN, YOLO_MODE: "true" },
    internet: (request) => {
      seen.push({ url: request.url, headers: Object.fromEntries(request.headers) });
      return new Response("ok");
    },
  });
});

afterAll(() => codeforge.stop());

it("sends the same code to another host with the name alone", async () => {
  await codeforge.run(`
    for (const host of ["api.example.com", "elsewhere.example.net"]) {
      await fetch(\`https://\${host}/\`, { headers: { Authorization: "Bearer API_TOKEN" } });
    }
  `);
  expect(seen.map(({ url, headers }) => [url, headers["authorization"]])).toEqual([
    ["https://api.example.com/", `Bearer ${API_TOKEN}`],
    ["https://elsewhere.example.net/", "Bearer API_TOKEN"],
  ]);
});

it.each(["http://127.0.0.1:1/", "https://10.0.0.1/", "https://169.254.169.254/latest/meta-data", "https://localhost/"])(
  "T25: keeps %s closed",
  async (url) => {
    seen.length = 0;
    const { text } = await codeforge.run(`return (await fetch("${url}")).status`);
    expect(text).toMatch(/^403\n/);
    expect(seen).toEqual([]);
  },
);

it("T41: stays closed to read-only runs, through which data could leave", async () => {
  seen.length = 0;
  const code = `return (await fetch("https://elsewhere.example.net/?data=1")).status`;
  expect((await codeforge.call("execute_read_only_code", { code })).text).toMatch(/^403\n/);
  expect(seen).toEqual([]);
});

it("is announced by list_apis", async () => {
  expect((await codeforge.call("list_apis", {})).text).toContain("YOLO_MODE is on");
});

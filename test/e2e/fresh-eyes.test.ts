/**
 * Blocks that were written from `tools/list` and `list_apis` alone, in the habits of many models. Each runs, or fails
 * with a message that names the fix; none is silently something else.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Server } from "node:http";
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { afterAll, beforeAll, expect, it } from "vitest";

import { freePort } from "../../src/cli/local/ports.ts";
import { startExampleApi } from "../../src/cli/local/example-api.ts";
import { plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";

const EXAMPLE_TOKEN = plainCanary();
const CRM_PASSWORD = plainCanary();

let shop: Server;
let shopPort: number;
/** Twenty-five people on three pages, with Link headers, behind Basic authentication. */
const crm = createServer((request, response) => {
  const url = new URL(request.url ?? "/", `http://${request.headers.host}`);
  const id = /^\/people\/(\d+)$/.exec(url.pathname)?.[1];
  const people = Array.from({ length: 25 }, (_, n) => ({
    id: String(n + 1),
    name: `Person ${n + 1}`,
    email: `p${n + 1}@example.com`,
  }));
  const page = Number(url.searchParams.get("page") ?? "1");
  if (request.headers.authorization !== `Basic ${btoa(`api:${CRM_PASSWORD}`)}`) {
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":"who are you?"}');
  } else if (id !== undefined) {
    const person = people.find((one) => one.id === id);
    response
      .writeHead(person === undefined ? 404 : 200, { "content-type": "application/json" })
      .end(JSON.stringify(person ?? {}));
  } else {
    const next = page < 3 ? { link: `<${url.origin}/people?page=${page + 1}>; rel="next"` } : {};
    response.writeHead(200, { "content-type": "application/json", ...next });
    response.end(JSON.stringify(people.slice((page - 1) * 10, page * 10)));
  }
});
let crmPort: number;
let codeforge: TestStack;

beforeAll(async () => {
  shopPort = await freePort("127.0.0.1");
  shop = await startExampleApi(shopPort, EXAMPLE_TOKEN);
  await new Promise<void>((done) => crm.listen(0, "127.0.0.1", done));
  crmPort = (crm.address() as AddressInfo).port;
  codeforge = await startTestStack({
    apis: {
      shop: {
        description: "A small shop",
        domains: [`http://127.0.0.1:${shopPort}`],
        credentials: ["EXAMPLE_TOKEN"],
        restricted_methods: ["DELETE"],
      },
      crm: { description: "People", domains: [`http://127.0.0.1:${crmPort}`], credentials: ["CRM_PASSWORD"] },
    },
    vars: { EXAMPLE_TOKEN, CRM_PASSWORD },
  });
});

afterAll(async () => {
  await codeforge.stop();
  shop.closeAllConnections();
  crm.closeAllConnections();
  await Promise.all([shop, crm].map((server) => new Promise((done) => server.close(done))));
});

/** Number, habit, tool, and how it ends: a pattern of the result, or of the error that names the fix. */
const BLOCKS: readonly [string, string, "execute_code" | "execute_read_only_code", "runs" | "fails", RegExp][] = [
  ["01", "TypeScript-heavy", "execute_read_only_code", "runs", /"revenue":129\b/],
  ["02", "enum, const enum and satisfies", "execute_read_only_code", "runs", /"status":"paid","count":2/],
  ["03", "Deno", "execute_read_only_code", "fails", /Deno\.exit does not exist here: use return/],
  ["04", "Node, with Buffer for Basic", "execute_read_only_code", "runs", /"total":25,"pages":3/],
  ["05", "browser", "execute_read_only_code", "runs", /p1@example\.com/],
  ["06", "fenced, with prose", "execute_read_only_code", "runs", /"order":"o2","customer":"Borges Books"/],
  ["07", "over-commented, paging", "execute_read_only_code", "runs", /"count":25,"pages":3/],
  ["08", "export default function", "execute_read_only_code", "runs", /"biggestOrder":"o3"/],
  ["09", "async arrow", "execute_read_only_code", "runs", /"customer":"Ada Analytics","orders":2/],
  ["10", "IIFE that is not awaited", "execute_read_only_code", "runs", /"crmPeople":25/],
  ["11", "main() called and not awaited", "execute_read_only_code", "runs", /Total orders: 5/],
  ["12", "main() that is never called", "execute_read_only_code", "runs", /^\[\]\n\n1 request/],
  ["13", "CommonJS", "execute_read_only_code", "fails", /write import \* as crypto from "node:crypto"/],
  [
    "14",
    "axios and lodash",
    "execute_read_only_code",
    "fails",
    /"axios" cannot be imported: no packages are installed[\s\S]*fetch/,
  ],
  [
    "15",
    "zod from npm:",
    "execute_read_only_code",
    "fails",
    /"npm:zod@3\.23\.8" cannot be imported: no code is loaded from outside/,
  ],
  [
    "16",
    "a credential's name unquoted",
    "execute_read_only_code",
    "fails",
    /write the name as a string, "EXAMPLE_TOKEN"/,
  ],
  ["17", "allSettled and a trailing expression", "execute_read_only_code", "runs", /"ok":true,"status":200/],
  ["18", "WebSocket", "execute_read_only_code", "fails", /WebSocket[\s\S]*fetch/],
  ["19", "console.table and no return", "execute_read_only_code", "runs", /Orders per customer[\s\S]*Ada Analytics/],
  ["20", "classes, retries and AbortController", "execute_read_only_code", "runs", /"requests":6/],
  ["21", "Map, Set, Date and BigInt", "execute_read_only_code", "runs", /Map\(3\)[\s\S]*138950n/],
  ["22", "progress, and writes", "execute_code", "runs", /2 writes[\s\S]*POST .*\/refunds → 201/],
  ["23", "fs.writeFile", "execute_read_only_code", "runs", /Exported 3 customers/],
  ["24", "a DELETE that is not allowed", "execute_code", "fails", /method_restricted[\s\S]*Allowed here: GET/],
];

it.each(BLOCKS)("%s, %s", async (number, _, tool, ends, shown) => {
  const code = readFileSync(join(import.meta.dirname, "../fixtures/blocks", `${number}.txt`), "utf8")
    .replaceAll("127.0.0.1:8081", `127.0.0.1:${shopPort}`)
    .replaceAll("127.0.0.1:8082", `127.0.0.1:${crmPort}`);
  const result = await codeforge.call(tool, { code });
  expect([result.isError, result.text]).toEqual([ends === "fails", expect.stringMatching(shown)]);
});

/** `/mcp/<api>`: operations as tools, through real clients of both eras, the real proxy and a real upstream. */
import { Client as V1Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as V1Transport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { ApiConfigInput } from "../../src/contract/config.ts";
import { shopDocument } from "../fixtures/shop.ts";
import { openSession, post } from "../helpers/clients.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { echo, startUpstream, type Handler, type Upstream } from "../helpers/upstream.ts";

const TOKEN = "canary-of-the-shop-0123456789";

const elsewhere = { origin: "" };
const closed: string[] = [];

const shop: Handler = async (request, response, raw) => {
  const { pathname } = new URL(request.url, "http://shop");
  const [, , kind = "", what = ""] = pathname.split("/");
  if (request.headers.authorization !== `Bearer ${TOKEN}`) {
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":"no such token"}');
  } else if (kind === "status") {
    response.writeHead(Number(what), { "content-type": "text/plain", "retry-after": "7" }).end(`status ${what}`);
  } else if (kind === "moved") {
    const target = {
      here: "/v1/items/7",
      loop: "/v1/moved/loop",
      away: `${elsewhere.origin}/x`,
      out: "https://evil.test/",
    };
    response.writeHead(302, { location: target[what as keyof typeof target] }).end();
  } else if (kind === "slow") {
    response.on("close", () => closed.push("slow"));
  } else if (request.method === "DELETE") {
    response.writeHead(204).end();
  } else {
    await echo(request, response, raw);
  }
};

let upstream: Upstream;
let other: Upstream;
let codeforge: TestStack;

beforeAll(async () => {
  upstream = await startUpstream(shop);
  other = await startUpstream();
  elsewhere.origin = other.origin;
  const config = (credential: string): ApiConfigInput => ({
    description: "A shop",
    domains: [upstream.origin, other.origin],
    credentials: [credential],
  });
  const document = shopDocument(upstream.origin);
  codeforge = await startTestStack({
    apis: {
      shop: config("SHOP_TOKEN"),
      few: { ...config("FEW_TOKEN"), tools: { include: [{ tags: ["items"] }], exclude: [{ methods: ["POST"] }] } },
      many: { ...config("MANY_TOKEN"), tools: { limit: 3 } },
      plain: { description: "Without a document", domains: ["plain.example.com"] },
    },
    documents: { shop: document, few: document, many: document },
    vars: { SHOP_TOKEN: TOKEN, MANY_TOKEN: TOKEN },
    connect: false,
  });
});

afterAll(async () => {
  await codeforge.stop();
  await upstream.stop();
  await other.stop();
});

const clients: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

type Confirm = (message: string) => "accept" | "decline";

interface Caller {
  names(): Promise<string[]>;
  call(
    name: string,
    args?: Record<string, unknown>,
  ): Promise<{ text: string; isError: boolean; structured: unknown; meta: unknown }>;
}

/** A client of each era at a path; `confirm` is the user of one that can ask, and without it nobody can be asked. */
const ERAS: Readonly<Record<string, (path: string, confirm?: Confirm) => Promise<Caller>>> = {
  "2025": async (path, confirm) => {
    const client = new V1Client(
      { name: "v1", version: "1" },
      { capabilities: confirm === undefined ? {} : { elicitation: {} } },
    );
    if (confirm !== undefined) {
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => ({ action: confirm(params.message), content: {} }));
    }
    await client.connect(new V1Transport(new URL(path, codeforge.url)));
    clients.push(client);
    return toCaller(client);
  },
  "2026": async (path, confirm) => {
    const client = new Client(
      { name: "v2", version: "1" },
      {
        capabilities: confirm === undefined ? {} : { elicitation: { form: {} } },
        versionNegotiation: { mode: "auto" },
      },
    );
    if (confirm !== undefined) {
      client.setRequestHandler("elicitation/create", ({ params }) => ({
        action: confirm(params.message),
        content: {},
      }));
    }
    await client.connect(new StreamableHTTPClientTransport(new URL(path, codeforge.url)));
    clients.push(client);
    return toCaller(client);
  },
};

function toCaller(client: Pick<V1Client, "listTools" | "callTool"> | Pick<Client, "listTools" | "callTool">): Caller {
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args = {}) => {
      const result = (await client.callTool({ name, arguments: args })) as {
        content: { text?: string }[];
        isError?: boolean;
        structuredContent?: unknown;
        _meta?: unknown;
      };
      return {
        text: result.content.map(({ text = "" }) => text).join("\n"),
        isError: result.isError === true,
        structured: result.structuredContent,
        meta: result._meta,
      };
    },
  };
}

const ALL = ["create_item", "delete_item", "get_item", "get_moved", "get_slow", "get_status", "replace_orders"];

describe.each(Object.entries(ERAS))("a client of the %s era", (_, open) => {
  it("lists every operation as a tool", async () => {
    expect(await (await open("/mcp/shop")).names()).toEqual(ALL);
  });

  it("calls an operation with the credential put in where the request leaves", async () => {
    const caller = await open("/mcp/shop");
    const result = await caller.call("get_item", { id: "a/b c", fields: ["x", "y"], "X-Trace": "t" });
    expect(result.isError).toBe(false);
    expect(result.structured).toMatchObject({
      method: "GET",
      url: "/v1/items/a%2Fb%20c?fields=x&fields=y",
      headers: { authorization: "Bearer SHOP_TOKEN", "x-trace": "t" },
    });
    expect(upstream.seen.at(-1)?.headers.authorization).toBe(`Bearer ${TOKEN}`);
  });

  it("sends flat and single bodies", async () => {
    const caller = await open("/mcp/shop");
    await caller.call("create_item", { name: "lamp", tags: ["a"] });
    expect(upstream.seen.at(-1)).toMatchObject({ method: "POST", body: '{"name":"lamp","tags":["a"]}' });
    await caller.call("replace_orders", { body: [1, 2] });
    expect(upstream.seen.at(-1)).toMatchObject({ method: "PUT", body: "[1,2]" });
  });

  it("is told every wrong argument at once, and nothing is sent", async () => {
    const before = upstream.seen.length;
    const result = await (await open("/mcp/shop")).call("create_item", { tags: "x", color: 1 });
    expect(result.isError).toBe(true);
    for (const word of ["color", "name", "tags"]) expect(result.text).toContain(word);
    expect(upstream.seen.length).toBe(before);
  });

  it.each([404, 429, 500])("gets a status of %i as an error with its first lines", async (code) => {
    const result = await (await open("/mcp/shop")).call("get_status", { code });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(new RegExp(`^HTTP ${code}[^\\n]*\\nRetry-After: 7\\nstatus ${code}$`));
    expect(result.structured).toBeUndefined();
  });

  it("confirms an operation that asks for it, seeing what would be sent", async () => {
    const asked: string[] = [];
    const caller = await open("/mcp/shop", (message) => {
      asked.push(message);
      return "accept";
    });
    const result = await caller.call("delete_item", { id: "9" });
    expect(result).toMatchObject({ isError: false, text: "HTTP 204 No Content" });
    expect(asked).toHaveLength(1);
    for (const part of ["DELETE /items/{id}", '"id": "9"']) expect(asked[0]).toContain(part);
  });

  it("sends nothing that its user declines", async () => {
    const before = upstream.seen.length;
    const result = await (await open("/mcp/shop", () => "decline")).call("delete_item", { id: "9" });
    expect(result).toMatchObject({ isError: true, text: "The user did not confirm delete_item. Nothing was sent." });
    expect(upstream.seen.length).toBe(before);
  });

  it("that cannot ask its user is refused what needs confirming", async () => {
    const before = upstream.seen.length;
    const result = await (await open("/mcp/shop")).call("delete_item", { id: "9" });
    expect(result.isError).toBe(true);
    expect(result.text).toContain("cannot ask");
    expect(upstream.seen.length).toBe(before);
  });

  it("follows redirects, each hop decided anew", async () => {
    const caller = await open("/mcp/shop");
    expect((await caller.call("get_moved", { where: "here" })).structured).toMatchObject({ url: "/v1/items/7" });
    const away = await caller.call("get_moved", { where: "away" });
    expect(away.structured).toMatchObject({ url: "/x" });
    expect(other.seen.at(-1)?.headers.authorization).toBeUndefined();
    const out = await caller.call("get_moved", { where: "out" });
    expect(out.isError).toBe(true);
    expect(out.text).toContain("evil.test");
    expect((await caller.call("get_moved", { where: "loop" })).text).toContain("redirected more than 5 times");
  });

  it("finds, describes and calls operations that are too many to list", async () => {
    const caller = await open("/mcp/many");
    expect(await caller.names()).toEqual(["search_operations", "describe_operation", "call_operation"]);
    expect((await caller.call("search_operations", { query: "read one item" })).text).toContain("get_item");
    expect((await caller.call("describe_operation", { operation: "get_item" })).text).toContain("fields");
    const result = await caller.call("call_operation", { operation: "get_item", arguments: { id: "7" } });
    expect(result.structured).toMatchObject({ url: "/v1/items/7" });
    const refused = await caller.call("call_operation", { operation: "delete_item", arguments: { id: "7" } });
    expect(refused.text).toContain("cannot ask");
  });

  it("gets what the config selects, narrowed by the URL and never widened", async () => {
    expect(await (await open("/mcp/few")).names()).toEqual(["delete_item", "get_item"]);
    expect(await (await open("/mcp/few?methods=get,post&tags=items,orders")).names()).toEqual(["get_item"]);
    expect(await (await open("/mcp/shop?operations=get_item,getSlow")).names()).toEqual(["get_item", "get_slow"]);
    expect(await (await open("/mcp/shop?tags=orders")).names()).toEqual(["replace_orders"]);
    expect(await (await open("/mcp/many?tags=orders")).names()).toEqual(["replace_orders"]);
  });

  it("with read_only=1 neither sees nor calls what writes", async () => {
    const caller = await open("/mcp/shop?read_only=1");
    expect(await caller.names()).toEqual(["get_item", "get_moved", "get_slow", "get_status"]);
    await expect(caller.call("create_item", { name: "x" })).rejects.toThrow("Unknown tool: create_item");
  });
});

describe("the endpoint of an API", () => {
  const initialize = { id: 0, method: "tools/list" };

  it.each(["/mcp/unknown", "/mcp/plain", "/mcp/shop/more", "/mcp/SHOP"])("%s is not found", async (path) => {
    expect((await post(new URL(path, codeforge.url), initialize)).status).toBe(404);
  });

  it("says what of its URL is not understood", async () => {
    const response = await post(new URL("/mcp/shop?tag=items", codeforge.url), initialize);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("Known: tags, groups, methods, operations, read_only");
  });

  it("does not know the session of another", async () => {
    const session = await openSession(new URL("/mcp/shop?read_only=1", codeforge.url));
    const headers = { "mcp-session-id": session };
    const response = await post(new URL("/mcp/shop", codeforge.url), { id: 1, method: "tools/list" }, { headers });
    expect(response.status).toBe(404);
    const own = await post(
      new URL("/mcp/shop?read_only=1", codeforge.url),
      { id: 1, method: "tools/list" },
      { headers },
    );
    expect(own.status).toBe(200);
    await own.text();
  });

  it("gives up the request when its client does", async () => {
    const url = new URL("/mcp/shop", codeforge.url);
    const headers = { "mcp-session-id": await openSession(url) };
    const params = { name: "get_slow", arguments: {} };
    const answer = await post(url, { id: 5, method: "tools/call", params }, { headers });
    await expect.poll(() => upstream.seen.at(-1)?.url).toBe("/v1/slow");
    await post(url, { method: "notifications/cancelled", params: { requestId: 5 } }, { headers });
    await expect.poll(() => closed, { timeout: 5_000 }).toEqual(["slow"]);
    await answer.body?.cancel();
  });
});

/** Generated servers, from document to answer: installed and built as their users do, called by both SDKs in both eras. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { post } from "../helpers/clients.ts";
import {
  bundle,
  CLIENTS,
  connectTo,
  generateInto,
  install,
  mustRun,
  runIn,
  startWorker,
  type AnyClient,
  type ClientKind,
  type RunningWorker,
  type Target,
} from "../helpers/generated.ts";
import { startPrism, type Prism } from "../helpers/prism.ts";
import { startUpstream, type Handler, type Upstream } from "../helpers/upstream.ts";

const TOKEN = "notes-token-3f8a6c";
const MCP_TOKEN = "mcp-token-77";

/** What upstreams are asked for by the name of a note. */
const SPECIAL: Readonly<Record<string, (response: Parameters<Handler>[1]) => void>> = {
  missing: (response) =>
    response.writeHead(404, { "content-type": "application/json" }).end('{"error":"no such note"}'),
  busy: (response) => response.writeHead(503, { "retry-after": "7", "content-type": "text/plain" }).end("busy"),
  moved: (response) => response.writeHead(302, { location: "found" }).end(),
  loop: (response) => response.writeHead(302, { location: "loop" }).end(),
  away: (response) => response.writeHead(307, { location: `${elsewhere.origin}/taken` }).end(),
};

const answerNotes: Handler = ({ method, url, headers, body }, response) => {
  if (url !== "/v1/health" && headers["authorization"] !== `Bearer ${accepted}`) {
    response.writeHead(401, { "content-type": "application/json" }).end('{"error":"bad token"}');
    return;
  }
  const special = SPECIAL[url.split("/").at(-1) ?? ""];
  if (special !== undefined) return special(response);
  if (method === "DELETE") return response.writeHead(204).end();
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ method, url, authorization: headers["authorization"], body }));
};

let root: string;
let notes: string;
let shop: string;
/** The token that the upstream takes. */
let accepted = TOKEN;
let upstream: Upstream;
let elsewhere: Upstream;
let prism: Prism;
const workers: RunningWorker[] = [];
let notesTarget: Target;
let shopTarget: Target;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "codeforge-generate-"));
  // What lies around a project must not leak into it.
  writeFileSync(
    join(root, "package.json"),
    '{ "type": "commonjs", "workspaces": ["other"], "dependencies": { "no-such-package-7f": "1.0.0" } }',
  );
  writeFileSync(join(root, "tsconfig.json"), "no JSON");
  mkdirSync(join(root, "node_modules/@types/broken"), { recursive: true });
  writeFileSync(join(root, "node_modules/@types/broken/index.d.ts"), "this is no TypeScript");
  [notes, shop] = [join(root, "notes"), join(root, "shop")] as const;
  [upstream, elsewhere] = await Promise.all([startUpstream(answerNotes), startUpstream()]);
  const prismStarts = startPrism(resolve(import.meta.dirname, "../fixtures/generate/shop.yaml"));
  await generateInto(notes, "notes.json", "--name", "@tests/notes-server", "--version", "2.3.4");
  await generateInto(shop, "shop.yaml", "--surface", "search");
  await install(notes);
  symlinkSync(join(notes, "node_modules"), join(shop, "node_modules"));
  const build = async (dir: string): Promise<void> => {
    await mustRun(dir, "npm", ["run", "build"]);
    await bundle(dir);
  };
  await Promise.all([build(notes), build(shop)]);
  prism = await prismStarts;
  const notesEnv = { API_BASE_URL: `${upstream.origin}/v1/`, API_TOKEN: TOKEN };
  const shopEnv = {
    API_BASE_URL: prism.origin,
    API_SHOP_KEY: "shop-key-91",
    API_STAFF_USERNAME: "sam",
    API_STAFF_PASSWORD: "",
  };
  for (const [dir, env] of [
    [notes, notesEnv],
    [shop, shopEnv],
  ] as const) {
    workers.push(await startWorker(dir, { ...env, MCP_TOKEN }));
  }
  const [notesWorker, shopWorker] = workers as [RunningWorker, RunningWorker];
  notesTarget = { stdio: { dir: notes, env: notesEnv }, http: { url: notesWorker.url, token: MCP_TOKEN } };
  shopTarget = { stdio: { dir: shop, env: shopEnv }, http: { url: shopWorker.url, token: MCP_TOKEN } };
}, 300_000);

afterAll(async () => {
  await Promise.all([...workers.map((worker) => worker.stop()), prism?.stop(), upstream?.stop(), elsewhere?.stop()]);
  rmSync(root, { recursive: true, force: true });
});

describe.each(CLIENTS)("a generated server, called over %s", (kind) => {
  let client: AnyClient;

  beforeAll(async () => {
    client = await connectTo(notesTarget, kind);
  });
  afterAll(() => client?.close());

  /** What the API was sent by one call, and what came of it. */
  const send = async (name: string, args: Record<string, unknown>) => {
    const before = upstream.seen.length;
    const result = await client.call(name, args);
    return { result, sent: upstream.seen.slice(before) };
  };

  it("speaks the era of its client, and introduces the API", async () => {
    expect(client.revision).toBe(kind.endsWith("2026") ? "2026-07-28" : "2025-11-25");
    expect(client.instructions).toBe(
      "Notes\n\nKeeps notes in folders.\n\nBase URL: https://notes.example.test/v1\n\n6 operations, all of them listed.",
    );
  });

  it("lists one tool per operation, with title and hints", async () => {
    const tools = await client.list();
    expect(tools.map(({ name }) => name)).toEqual([
      "add_note",
      "delete_note",
      "find_notes",
      "get_note",
      "health",
      "replace_note",
    ]);
    expect(tools[3]).toMatchObject({
      title: "Read one note",
      annotations: { readOnlyHint: true, openWorldHint: true },
    });
  });

  it("sends path, query, headers and the bearer token", async () => {
    const read = await send("get_note", { folder: "a/b c", note: "é?", "X-Trace": "t 1", "X-Parts": ["x", "y"] });
    expect(read.sent).toMatchObject([
      {
        method: "GET",
        url: "/v1/folders/a%2Fb%20c/notes/%C3%A9%3F",
        headers: { "x-trace": "t 1", "x-parts": "x,y", authorization: `Bearer ${TOKEN}` },
      },
    ]);
    expect(read.result).toMatchObject({ isError: false, structured: { method: "GET" } });
    const found = await send("find_notes", { label: ["a b", "c&d"], ids: [1, 2], where: { author: "x" } });
    expect(found.sent[0]?.url).toBe("/v1/notes?label%5B%5D=a%20b&label%5B%5D=c%26d&ids=1,2&where%5Bauthor%5D=x");
  });

  it("sends no token where the document says none", async () => {
    const { sent } = await send("health", {});
    expect(sent[0]?.headers["authorization"]).toBeUndefined();
    expect(sent[0]?.headers["user-agent"]).toBe("notes-server/2.3.4");
  });

  it("sends a body from flat arguments, or as one", async () => {
    const added = await send("add_note", { text: "hello", labels: '["x"]' });
    expect(added.sent).toMatchObject([{ method: "POST", url: "/v1/notes", body: '{"text":"hello","labels":["x"]}' }]);
    const replaced = await send("replace_note", { folder: "f", note: "n", body: { lines: ["a"] } });
    expect(replaced.sent).toMatchObject([
      { method: "PUT", body: '{"lines":["a"]}', headers: { "content-type": "application/json" } },
    ]);
  });

  it("shows a client the name of a credential that the API echoes, and never its value", async () => {
    const { result } = await send("get_note", { folder: "f", note: "n" });
    expect(result.structured).toMatchObject({ authorization: "Bearer API_TOKEN" });
    expect(JSON.stringify(result)).not.toContain(TOKEN);
  });

  it.each([
    ["missing", 'HTTP 404 Not Found\n{"error":"no such note"}'],
    ["busy", "HTTP 503 Service Unavailable\nRetry-After: 7\nbusy"],
  ])("answers an error with its status and body: %s", async (note, text) => {
    const { result } = await send("get_note", { folder: "f", note });
    expect(result).toEqual({ isError: true, text, structured: undefined });
  });

  it("answers an error when the token is not valid", async () => {
    accepted = "another";
    const { result, sent } = await send("get_note", { folder: "f", note: "n" });
    accepted = TOKEN;
    expect(sent).toHaveLength(1);
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("HTTP 401 Unauthorized") });
  });

  it("follows redirects within the API, and a few of them only", async () => {
    const moved = await send("get_note", { folder: "f", note: "moved" });
    expect(moved.sent.map(({ url }) => url)).toEqual(["/v1/folders/f/notes/moved", "/v1/folders/f/notes/found"]);
    const loop = await send("get_note", { folder: "f", note: "loop" });
    expect(loop.sent).toHaveLength(6);
    expect(loop.result).toMatchObject({ isError: true, text: expect.stringContaining("HTTP 302") });
  });

  it("follows no redirect to another origin, and says where it leads", async () => {
    const { result } = await send("replace_note", { folder: "f", note: "away", body: { text: "x" } });
    expect(result.isError).toBe(true);
    expect(result.text).toContain(`Location: ${elsewhere.origin}/taken (not followed)`);
    expect(elsewhere.seen).toEqual([]);
  });

  it("tells all that is wrong with arguments, and sends nothing", async () => {
    const { result, sent } = await send("find_notes", { ids: ["x"], limit: 3 });
    expect(sent).toEqual([]);
    expect(result.isError).toBe(true);
    expect(result.text).toContain("limit: is not an argument of find_notes; accepted: label, ids, where");
    expect(result.text).toContain("ids[0]: is string; expected integer");
    expect((await send("get_note", { folder: "..", note: "n" })).sent).toEqual([]);
  });

  it("answers an unknown tool with a protocol error", async () => {
    await expect(client.call("no_such_tool", {})).rejects.toMatchObject({ code: -32_602 });
  });

  it("does not send what wants a confirmation, since this client cannot ask", async () => {
    const { result, sent } = await send("delete_note", { folder: "f", note: "n" });
    expect(sent).toEqual([]);
    expect(result).toMatchObject({ isError: true, text: expect.stringContaining("this client cannot ask") });
  });
});

describe.each(CLIENTS.filter((kind) => kind.startsWith("stdio") || kind.endsWith("2026")))(
  "a call that wants a confirmation, over %s",
  (kind) => {
    it("is sent only when the user agrees", async () => {
      const asked: string[] = [];
      let says: "accept" | "decline" = "accept";
      const client = await connectTo(notesTarget, kind, (question) => {
        asked.push(question);
        return says;
      });
      const before = upstream.seen.length;
      const agreed = await client.call("delete_note", { folder: "f", note: "n" });
      says = "decline";
      const refused = await client.call("delete_note", { folder: "f", note: "n" });
      await client.close();
      const question =
        'Call delete_note (Delete a note)?\n\nDELETE /folders/{folder}/notes/{note}\n{\n  "folder": "f",\n  "note": "n"\n}';
      expect(asked).toEqual([question, question]);
      expect(agreed).toMatchObject({ isError: false, text: "HTTP 204 No Content" });
      expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("Nothing was sent") });
      expect(upstream.seen.slice(before).map(({ method }) => method)).toEqual(["DELETE"]);
    });
  },
);

describe.each<ClientKind>(["stdio v1", "stdio v2 of 2026", "http v1", "http v2 of 2026"])(
  "a generated server with three tools, before Prism, over %s",
  (kind) => {
    let client: AnyClient;
    const asked: string[] = [];
    beforeAll(async () => {
      client = await connectTo(shopTarget, kind, (question) => {
        asked.push(question);
        return "accept";
      });
    });
    afterAll(() => client?.close());

    const call = (operation: string, args: object) => client.call("call_operation", { operation, arguments: args });

    it("lists the three, and finds and describes operations", async () => {
      expect((await client.list()).map(({ name }) => name)).toEqual([
        "search_operations",
        "describe_operation",
        "call_operation",
      ]);
      expect((await client.call("search_operations", { query: "read order" })).text).toMatch(
        /^get_order GET \/orders\/\{id\} — Read an order$/m,
      );
      expect((await client.call("describe_operation", { operation: "get_order" })).text).toContain(
        '"X-Region": "eu" | "us";',
      );
    });

    it("sends requests that Prism accepts: API key, header, repeated query, id as text", async () => {
      const read = await call("get_order", { id: "9007199254740991", "X-Region": "eu", fields: ["id", "count"] });
      expect(read).toMatchObject({ isError: false, structured: { product: "string" } });
      const added = await call("add_order", { product: "tea", count: 2 });
      expect(added).toMatchObject({ isError: false, structured: { count: expect.any(Number) } });
    });

    it("sends a form with user name and password", async () => {
      expect(await call("pay", { amount: 3, note: "a b&c" })).toMatchObject({
        isError: false,
        structured: { paid: true },
      });
    });

    it("has the user asked before a call by name, too", async () => {
      const result = await call("cancel_order", { id: 7 });
      // There is no session to ask in over HTTP in 2025.
      if (kind === "http v1") expect(result.text).toContain("this client cannot ask");
      else expect(result).toMatchObject({ isError: false, text: "HTTP 204 No Content" });
      expect(asked).toEqual(kind === "http v1" ? [] : [expect.stringContaining("DELETE /orders/{id}")]);
    });

    it("answers Prism's errors as errors", async () => {
      const missing = await call("get_order", { id: 1, "X-Region": "eu", Prefer: "code=404" });
      expect(missing).toMatchObject({ isError: true, text: expect.stringMatching(/^HTTP 404 Not Found/) });
      // Beyond what Prism takes for an integer: all digits reach it.
      const refused = await call("get_order", { id: "9007199254740993", "X-Region": "eu" });
      expect(refused).toMatchObject({
        isError: true,
        text: expect.stringMatching(/^HTTP 422 [^]*id must be <= 9007199254740991/),
      });
    });
  },
);

describe("a generated server that is not configured", () => {
  it("says which variable is missing, in the call and on standard error, and sends nothing", async () => {
    const target = {
      ...shopTarget,
      stdio: { dir: shop, env: { API_BASE_URL: prism.origin, API_STAFF_USERNAME: "sam" } },
    };
    const client = await connectTo(target, "stdio v2 of 2026");
    const keyless = await client.call("call_operation", {
      operation: "add_order",
      arguments: { product: "tea", count: 1 },
    });
    const half = await client.call("call_operation", { operation: "pay", arguments: { amount: 1 } });
    await client.close();
    expect(keyless.text).toBe(
      'API_SHOP_KEY is not set where this server runs: the API key of the security scheme "shopKey", sent in the header "X-Shop-Key".\nNothing was sent.',
    );
    expect(half.text).toContain(
      'API_STAFF_PASSWORD is not set where this server runs: the password of the security scheme "staff".',
    );
    expect(half.isError && keyless.isError).toBe(true);
    const { stderr } = await runIn(shop, process.execPath, ["dist/main.js"]);
    expect(stderr).toContain("API_SHOP_KEY is not set:");
  });

  it("does not start with an API_BASE_URL that is none", async () => {
    const { code, stderr } = await runIn(notes, "env", ["API_BASE_URL=ftp://x.test", process.execPath, "dist/main.js"]);
    expect(code).toBe(1);
    expect(stderr).toContain("API_BASE_URL has to be an http(s) URL");
  });

  it("says that a host does not answer", async () => {
    const env = { API_BASE_URL: "http://127.0.0.1:9", API_TOKEN: TOKEN };
    const client = await connectTo({ ...notesTarget, stdio: { dir: notes, env } }, "stdio v1");
    const result = await client.call("health", {});
    await client.close();
    expect(result).toMatchObject({
      isError: true,
      text: expect.stringMatching(/^(?:127\.0\.0\.1:9: .*Nothing was sent\.|No answer from 127\.0\.0\.1:9)/),
    });
  });
});

describe("a generated Worker", () => {
  const initialize = {
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } },
  };

  it.each([
    ["no token", undefined],
    ["another token", "Bearer wrong"],
    ["another scheme", `Basic ${MCP_TOKEN}`],
  ])("refuses callers with %s", async (_, authorization) => {
    const response = await post(
      notesTarget.http.url,
      initialize,
      authorization === undefined ? {} : { headers: { authorization } },
    );
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });

  it("serves /mcp alone, and answers preflights", async () => {
    const { url } = notesTarget.http;
    expect((await fetch(new URL("/", url))).status).toBe(404);
    const preflight = await fetch(url, { method: "OPTIONS" });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-headers")).toContain("mcp-protocol-version");
  });

  it("serves nothing without MCP_TOKEN, and says how to set it", async () => {
    const open = await startWorker(notes, { API_TOKEN: TOKEN });
    const response = await post(open.url, initialize, { headers: { authorization: "Bearer " } });
    const text = await response.text();
    await open.stop();
    expect(response.status).toBe(503);
    expect(text).toContain("npx wrangler secret put MCP_TOKEN");
  });
});

describe("a generated package", () => {
  it("is packed with all that it needs, and runs from there by its name", async () => {
    const { stdout } = await runIn(notes, "npm", ["pack", "--json", "--loglevel=error"]);
    const [packed] = JSON.parse(stdout.slice(stdout.indexOf("["))) as { filename: string; files: { path: string }[] }[];
    const paths = packed?.files.map(({ path }) => path) ?? [];
    expect(paths).toEqual(
      expect.arrayContaining(["package.json", "README.md", "LICENSE-codeforge", "dist/main.js", "dist/tools.js"]),
    );
    expect(paths.filter((path) => !/^(?:package\.json|README\.md|LICENSE-codeforge|dist\/.*\.js)$/.test(path))).toEqual(
      [],
    );
    const user = join(root, "user");
    mkdirSync(user);
    writeFileSync(join(user, "package.json"), '{ "private": true }');
    await mustRun(user, "npm", [
      "install",
      "--prefer-offline",
      "--no-audit",
      "--no-fund",
      "--loglevel=error",
      join(notes, packed?.filename ?? ""),
    ]);
    const command = join(user, "node_modules/.bin/notes-server");
    expect(statSync(command).mode & 0o111).not.toBe(0);
    const { code, stderr } = await runIn(user, "npx", ["--no", "notes-server"]);
    expect(code).toBe(0);
    expect(stderr).toContain("API_TOKEN is not set");
  });

  it("is generated again without a change, and keeps what was edited", async () => {
    writeFileSync(join(notes, "README.md"), "My own page");
    const again = await generateInto(notes, "notes.json", "--name", "@tests/notes-server", "--version", "2.3.4");
    expect(again).toContain("0 files written");
    expect(again).toContain("README.md was edited and is left as it is.");
    expect(readFileSync(join(notes, "README.md"), "utf8")).toBe("My own page");
    expect(existsSync(join(notes, "node_modules"))).toBe(true);
  });
});

/**
 * A token that is limited to some APIs: on every surface, an API outside its list is as unknown as one that does not
 * exist. Each surface is asked about a closed API and about none, with the limited token, and once with a full one, which
 * shows that there is something to hide.
 */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { createToken } from "../helpers/admin.ts";
import { postModern } from "../helpers/clients.ts";
import { connect, startTestStack, type TestStack } from "../helpers/stack.ts";

const ADMIN = "an-admin-token-for-tests-only";

/** The API that is closed to the token, and the name of none. */
const CLOSED = "zebra";
const NONE = "quagga";

let codeforge: TestStack;
let limited: Client;
let full: Client;
let limitedToken: string;
/** A run and a result of the same person, with the full token. */
let runId: string;

const documentOf = (name: string) => ({
  openapi: "3.1.0",
  info: { title: name, version: "1" },
  servers: [{ url: `https://${name}.example.com` }],
  paths: {
    [`/${name}s`]: { get: { operationId: `list_${name}s`, summary: `List the ${name}s and other animals` } },
  },
});
const configOf = (name: string) => ({
  description: `Where every ${name} lives`,
  domains: [`${name}.example.com`],
  credentials: [`${name.toUpperCase()}_KEY`],
  reference: `https://docs.${name}.example/`,
});

beforeAll(async () => {
  codeforge = await startTestStack({
    adminToken: ADMIN,
    connect: false,
    apis: { mine: configOf("mine"), [CLOSED]: configOf(CLOSED) },
    documents: { mine: documentOf("mine"), [CLOSED]: documentOf(CLOSED) },
    internet: () => new Response("[]") as never,
  });
  const make = (name: string, apis: readonly string[] | null) =>
    createToken(codeforge.url, ADMIN, { name, principal: "ada", scopes: ["run", "skills:write"], apis });
  limitedToken = await make("limited", ["mine"]);
  limited = await connect(codeforge.url, [], limitedToken);
  full = await connect(codeforge.url, [], await make("full", null));
  const answer = await full.callTool({
    name: "execute_code",
    arguments: {
      code: `import { skills } from "codeforge";
        for (const name of ["${CLOSED}", "${NONE}"])
          await skills.save({ name: name + "-skill", description: "Counts animals", code: 'return (await fetch("https://' + name + '.example.com/")).status + " " + (process.env.' + name.toUpperCase() + '_KEY ?? "no name")' });
        return "${CLOSED} ".repeat(40_000)`,
    },
  });
  runId = /codeforge:\/\/results\/([0-9a-f-]{36})/.exec(JSON.stringify(answer))?.[1] ?? "none";
});
afterAll(async () => {
  await Promise.all([limited.close(), full.close()]);
  await codeforge.stop();
});

type Ask = (client: Client, name: string) => Promise<unknown>;

const tool =
  (name: string, toArgs: (name: string) => Record<string, unknown>): Ask =>
  (client, about) =>
    client.callTool({ name, arguments: toArgs(about) });
const block = (toCode: (name: string) => string, more: (name: string) => object = () => ({})): Ask =>
  tool("execute_code", (name) => ({ code: toCode(name), ...more(name) }));
const resource =
  (toUri: (name: string) => string): Ask =>
  (client, name) =>
    client.readResource({ uri: toUri(name) });

/** What a surface answers, errors as well; its own word for time and ids left out. */
async function answerOf(ask: Ask, client: Client, name: string): Promise<string> {
  const answer = await ask(client, name).catch((error: Error) => error.message);
  return JSON.stringify(answer)
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replaceAll(/\d+ ?ms|"ms":\d+|"startedMs":\d+|\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(name.toUpperCase(), "NAME")
    .replaceAll(name, "NAME");
}

const SEARCH = 'import { search } from "codeforge"; return await search';
const RESULTS = 'import { results } from "codeforge"; return await results';

/** Surfaces that are asked about a name. */
const NAMED: readonly (readonly [surface: string, ask: Ask])[] = [
  ["list_apis, by name", tool("list_apis", (name) => ({ name }))],
  ["search_apis, in an API", tool("search_apis", (name) => ({ query: "animals", api: name }))],
  ["search_apis, by an operation", tool("search_apis", (name) => ({ query: `list_${name}s` }))],
  ["search in code, in an API", block((name) => `${SEARCH}("animals", { api: "${name}" })`)],
  ["search in code, by an operation", block((name) => `${SEARCH}("list_${name}s")`)],
  [
    "the apis of a run",
    block(
      () => "return 1",
      (name) => ({ apis: [name] }),
    ),
  ],
  ["a name in code", block((name) => `return process.env.${name.toUpperCase()}_KEY ?? null`)],
  [
    "a request",
    block(
      (name) =>
        `return (await fetch("https://${name}.example.com/", { headers: { authorization: "Bearer ${name.toUpperCase()}_KEY" } })).text()`,
    ),
  ],
  ["a request to another port", block((name) => `return (await fetch("https://${name}.example.com:8443/")).text()`)],
  ["a request to its reference", block((name) => `return (await fetch("https://docs.${name}.example/")).text()`)],
  [
    "a request of a read-only run",
    tool("execute_read_only_code", (name) => ({ code: `return (await fetch("https://${name}.example.com/")).text()` })),
  ],
  ["a skill that uses it", tool("run_skill", (name) => ({ name: `${name}-skill` }))],
  ["the resource of an API", resource((name) => `codeforge://apis/${name}`)],
  [
    "the completion of its name",
    (client, name) =>
      client.complete({
        ref: { type: "ref/resource", uri: "codeforge://apis/{name}" },
        argument: { name: "name", value: name.slice(0, 3) },
      }),
  ],
];

describe("an API outside a token's list is as unknown as none", () => {
  it.each(NAMED)("to %s", async (_, ask) => {
    expect(await answerOf(ask, limited, CLOSED)).toBe(await answerOf(ask, limited, NONE));
    expect(await answerOf(ask, full, CLOSED)).not.toBe(await answerOf(ask, full, NONE));
  });

  it.each(["mcp", "list"])("to the endpoint of its operations: %s", async (what) => {
    const ask = async (name: string): Promise<string> => {
      const url = new URL(`/mcp/${name}`, codeforge.url);
      const headers = { authorization: `Bearer ${limitedToken}` };
      const response =
        what === "list"
          ? await postModern(url, "tools/list", {}, { headers })
          : await fetch(url, { method: "POST", headers, body: "{}" });
      return `${response.status} ${await response.text()}`;
    };
    expect(await ask(CLOSED)).toBe(await ask(NONE));
    expect(await ask(CLOSED)).toMatch(/^404 /);
    expect(await ask("mine")).not.toMatch(/^404 /);
  });
});

/** Surfaces that say all there is. */
const LISTS: readonly (readonly [surface: string, ask: Ask])[] = [
  ["list_apis", tool("list_apis", () => ({}))],
  ["search_apis", tool("search_apis", () => ({ query: "animals" }))],
  ["search in code", block(() => `${SEARCH}("animals")`)],
  ["the resources", (client) => client.listResources()],
  ["the history", resource(() => "codeforge://runs")],
  ["the tools", (client) => client.listTools()],
  ["the hosts that are allowed", block(() => 'return (await fetch("https://nobody.example/")).text()')],
];

it.each(LISTS)("%s names no API outside a token's list", async (surface, ask) => {
  const text = JSON.stringify(await ask(limited, ""));
  // A skill's name is whatever its author chose.
  expect(text.replaceAll(`${CLOSED}-skill`, "")).not.toMatch(/zebra/i);
  if (surface !== "the tools")
    expect(JSON.stringify(await ask(full, "")).replaceAll(`${CLOSED}-skill`, "")).toMatch(/zebra|execute_code/i);
});

it.each<[string, (id: string) => Ask]>([
  ["a run", (id) => resource(() => `codeforge://runs/${id}`)],
  ["a result", (id) => resource(() => `codeforge://results/${id}`)],
  ["a result in code", (id) => block(() => `${RESULTS}.read("${id}")`)],
])("%s of the same person's that reached more than the token may is not found", async (_, toAsk) => {
  const nobody = crypto.randomUUID();
  expect(await answerOf(toAsk(runId), limited, NONE)).toBe(await answerOf(toAsk(nobody), limited, NONE));
  expect(await answerOf(toAsk(runId), full, NONE)).not.toBe(await answerOf(toAsk(nobody), full, NONE));
});

it("results.list() in code names none of those", async () => {
  const ask = block(() => `${RESULTS}.list()`);
  expect(JSON.stringify(await ask(limited, ""))).not.toContain(runId);
  expect(JSON.stringify(await ask(full, ""))).toContain(runId);
});

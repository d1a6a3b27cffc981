/**
 * Looks at a deployed server from outside, as a client sees it, and from inside, through a block of code: what the local
 * runtime cannot show (the platform's invocation limits, what `caches` is there) is found out where it counts.
 */
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { z } from "zod";

import { SelfTestReport } from "../../contract/self-test.ts";
import { VERSION } from "../../contract/version.ts";

/** One thing that was looked at. `skipped`: it could not be, and `detail` says why. */
export interface SmokeResult {
  readonly name: string;
  readonly state: "passed" | "failed" | "skipped";
  readonly detail?: string;
}

export interface SmokeOptions {
  /** The server's address, without a path. */
  readonly url: string;
  /** A token with the scopes `run` and `admin`; without one only the outside is looked at. */
  readonly token: string | undefined;
  /** How long an address that is new may take to answer. */
  readonly patienceMs: number;
}

/** Requests that one run sends one after the other, and at the same time. */
const SEQUENTIAL = 40;
const PARALLEL = 20;

/** A host that exists nowhere and that no config can open: RFC 6761 keeps `.invalid` for that. */
const DENIED = "https://denied.codeforge.invalid/";

/** Each denied request passes every Worker that a sent one passes; only the upstream is not asked. */
const requestsBlock = (tag: string): string => `
const denied = async () => {
  const response = await fetch("${DENIED}");
  const { error } = await response.json();
  return response.status === 403 && error.code === "host_not_allowed";
};
let sequential = 0;
for (let i = 0; i < ${SEQUENTIAL}; i++) if (await denied()) sequential++;
const parallel = (await Promise.all(Array.from({ length: ${PARALLEL} }, denied))).filter(Boolean).length;
let caches_ = "absent";
try {
  await caches.default.put("https://codeforge.invalid/${tag}", new Response("seen", { headers: { "cache-control": "max-age=60" } }));
  caches_ = "written";
} catch {}
return { sequential, parallel, caches: caches_ };
`;

const cacheBlock = (tag: string): string => `
try {
  return { seen: (await caches.default.match("https://codeforge.invalid/${tag}")) !== undefined };
} catch {
  return { seen: false };
}
`;

const Requests = z.object({ sequential: z.number(), parallel: z.number(), caches: z.enum(["absent", "written"]) });
const Seen = z.object({ seen: z.boolean() });

/** Runs every check; never throws for what the server does. */
export async function smokeTest(options: SmokeOptions): Promise<SmokeResult[]> {
  const results: SmokeResult[] = [];
  const check = async (name: string, look: () => Promise<string | null>): Promise<boolean> => {
    const detail = await look().catch((error: unknown) => (error instanceof Error ? error.message : String(error)));
    results.push(detail === null ? { name, state: "passed" } : { name, state: "failed", detail });
    return detail === null;
  };
  const { url, token, patienceMs } = options;
  if (!(await check("the server answers", () => untilHealthy(url, patienceMs)))) return results;
  await check("it is closed without a token", async () => {
    const { status } = await fetch(`${url}/mcp`, { method: "POST", body: "{}" });
    return status === 401 ? null : `POST /mcp without a token answered ${status} instead of 401`;
  });
  if (token === undefined) {
    const detail = "no token is known here: set ADMIN_TOKEN in the environment to have the inside looked at as well";
    return [...results, { name: "credentials, limits and caches", state: "skipped", detail }];
  }
  await check("a denied host is denied, and a value comes back as its name", () => selfTest(url, token));
  const client = new Client({ name: "codeforge-deploy", version: VERSION });
  try {
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit });
    if (!(await check("an MCP client connects", () => client.connect(transport).then(() => null)))) return results;
    const tag = crypto.randomUUID();
    let caches: string | undefined;
    await check(`one run sends ${SEQUENTIAL} requests in a row and ${PARALLEL} at once`, async () => {
      const { sequential, parallel, caches: found } = await runBlock(client, requestsBlock(tag), Requests);
      caches = found;
      if (sequential === SEQUENTIAL && parallel === PARALLEL) return null;
      return `${sequential} of ${SEQUENTIAL} and ${parallel} of ${PARALLEL} were answered by the proxy`;
    });
    await check("no run sees another's caches", async () => {
      if (caches === undefined) return "it is not known, since the run before failed";
      const { seen } = await runBlock(client, cacheBlock(tag), Seen);
      return seen ? "what one run had put into caches.default was there for the next" : null;
    });
  } finally {
    await client.close().catch(() => {});
  }
  return results;
}

/** A new address takes a while until it is known everywhere. */
async function untilHealthy(url: string, patienceMs: number): Promise<string | null> {
  const endMs = Date.now() + patienceMs;
  for (;;) {
    const answer = await fetch(`${url}/health`).then(
      ({ status }) => (status === 200 ? null : `GET /health answered ${status}`),
      () => `${new URL(url).host} cannot be reached`,
    );
    if (answer === null || Date.now() >= endMs) return answer;
    await new Promise((done) => setTimeout(done, 1_000));
  }
}

async function selfTest(url: string, token: string): Promise<string | null> {
  const response = await fetch(`${url}/admin/self-test`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  if (response.status === 401 || response.status === 403) return "the token may not: it needs the scope admin";
  const report = SelfTestReport.safeParse(await response.json().catch(() => null));
  if (!report.success) return `POST /admin/self-test answered ${response.status}`;
  const { denied, injected, hidden } = report.data;
  const faults = [
    ...(denied ? [] : ["a host that no config names was not refused"]),
    ...(injected ? [] : ["a credential was not put in"]),
    ...(hidden ? [] : ["a credential's value was not taken out of the answer"]),
  ];
  return faults.length === 0 ? null : faults.join("; ");
}

/** Runs a block over MCP and reads its value. */
async function runBlock<T>(client: Client, code: string, schema: z.ZodType<T>): Promise<T> {
  const result = await client.callTool({ name: "execute_code", arguments: { code } });
  const parsed = z.object({ result: schema }).safeParse(result.structuredContent);
  if (parsed.success) return parsed.data.result;
  const text = result.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(" ");
  throw new Error(`execute_code answered: ${text.slice(0, 300)}`);
}

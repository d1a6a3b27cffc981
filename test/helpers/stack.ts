/** A whole CodeForge on free ports, with APIs and values of the test's own, and a client of each kind to talk to it. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

import type { Request as WorkerRequest, Response as WorkerResponse, V4WorkerOptions } from "miniflare";

import { startStack, type Stack, type StackOptions } from "../../src/cli/local/stack.ts";
import { openProject } from "../../src/cli/project.ts";
import { replaceFolder } from "../../src/cli/openapi/write-files.ts";
import { ApiConfig, type ApiConfigInput } from "../../src/contract/config.ts";
import { compile } from "../../src/openapi/compile.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { OPERATIONS_FOLDER, toFiles } from "../../src/openapi/storage.ts";
import { assertNoCanary } from "./canary.ts";

export interface TestStackOptions {
  /** A folder of APIs to begin with, such as one that the command has written. */
  readonly from?: string;
  readonly apis?: Readonly<Record<string, ApiConfigInput>>;
  /** `types.d.ts` by API. */
  readonly types?: Readonly<Record<string, string>>;
  /** OpenAPI documents by API: compiled for the domains of its config and stored as `codeforge add` does. */
  readonly documents?: Readonly<Record<string, object>>;
  /** The proxy's variables and secrets. Every value of 8 characters or more that is a secret is a canary. */
  readonly vars?: Readonly<Record<string, string>>;
  readonly adminToken?: string;
  /** The server's own variables; see `src/contract/settings.ts`. */
  readonly settings?: StackOptions["settings"];
  readonly entries?: StackOptions["entries"];
  /** Answers in the place of the public internet. */
  readonly internet?: Internet;
  readonly adjust?: StackOptions["adjust"];
  /** False leaves it to the test to connect; `client` and `call` are not to be used then. */
  readonly connect?: boolean;
}

/** Takes what would go to a public address. */
export type Internet = (request: WorkerRequest) => Promise<WorkerResponse> | WorkerResponse;

/** What a tool call came to, in the parts that tests look at. */
export interface ToolResult {
  readonly text: string;
  readonly isError: boolean;
  readonly structured: Record<string, unknown> | undefined;
  readonly content: readonly { readonly type: string; readonly mimeType?: string }[];
}

export interface TestStack {
  readonly stack: Stack;
  readonly url: URL;
  readonly client: Client;
  /** Every line that a Worker has written so far. */
  readonly logs: readonly string[];
  readonly dir: string;
  /** Calls a tool through the 2025-era client. */
  call(tool: string, args: Record<string, unknown>): Promise<ToolResult>;
  /** Runs a block with `execute_code`. */
  run(code: string, args?: Record<string, unknown>): Promise<ToolResult>;
  /** Checks every result, message, log line and stored file for canaries in every encoding, then stops everything. */
  stop(): Promise<void>;
}

/** Starts a stack with one connected client. */
export async function startTestStack(options: TestStackOptions = {}): Promise<TestStack> {
  const dir = mkdtempSync(join(tmpdir(), "codeforge-test-"));
  const apis = join(dir, "apis");
  if (options.from === undefined) mkdirSync(apis);
  else cpSync(options.from, apis, { recursive: true });
  for (const [name, config] of Object.entries(options.apis ?? {})) {
    mkdirSync(join(apis, name));
    writeFileSync(join(apis, name, "config.json"), JSON.stringify(config));
    const types = options.types?.[name];
    if (types !== undefined) writeFileSync(join(apis, name, "types.d.ts"), types);
    const document = options.documents?.[name];
    if (document !== undefined)
      replaceFolder(join(apis, name, OPERATIONS_FOLDER), compileFiles(name, config, document));
  }
  const logs: string[] = [];
  const received: string[] = [];
  const { vars = {}, internet, adjust = (_, worker) => worker } = options;
  const project = { ...openProject({ apis, out: join(dir, "dist") }), data: join(dir, "data") };
  const stack = await startStack({
    project,
    port: 0,
    host: "127.0.0.1",
    adminToken: options.adminToken,
    settings: options.settings ?? {},
    readVars: () => vars,
    onLog: (line) => logs.push(line),
    entries: options.entries,
    adjust: (key, worker) => adjust(key, key === "proxy" ? withInternet(worker, internet) : worker),
  });
  const client =
    options.connect === false
      ? new Client({ name: "unconnected", version: "1.0.0" })
      : await connect(stack.url, received, options.adminToken);

  const call = async (tool: string, args: Record<string, unknown>): Promise<ToolResult> => {
    const result = await client.callTool({ name: tool, arguments: args });
    const content = result.content as ToolResult["content"];
    const texts = content.flatMap((block) => ("text" in block && typeof block.text === "string" ? [block.text] : []));
    return {
      text: texts.join("\n"),
      isError: result.isError === true,
      structured: result.structuredContent as Record<string, unknown> | undefined,
      content,
    };
  };
  const stop = async (): Promise<void> => {
    await client.close();
    await stack.stop();
    try {
      assertNoCanary(vars, { messages: received, logs }, dir);
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  };
  return {
    stack,
    url: stack.url,
    client,
    logs,
    dir,
    call,
    run: (code, args) => call("execute_code", { code, ...args }),
    stop,
  };
}

function compileFiles(api: string, config: ApiConfigInput, document: object): ReadonlyMap<string, Uint8Array> {
  const parsed = parseDocument(JSON.stringify(document));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return toFiles(compile(parsed.document, { api, domains: ApiConfig.parse(config).domains }));
}

function withInternet(worker: V4WorkerOptions, internet: Internet | undefined): V4WorkerOptions {
  if (internet === undefined) return worker;
  return { ...worker, serviceBindings: { ...worker.serviceBindings, PUBLIC_NETWORK: internet } };
}

/** A connected SDK v1 client (2025 era) whose every received byte is kept in `received`. */
export async function connect(url: URL, received: string[] = [], token?: string): Promise<Client> {
  const client = new Client({ name: "codeforge-test", version: "1.0.0" });
  const transport = new StreamableHTTPClientTransport(url, {
    fetch: async (input, init) => {
      const response = await fetch(input, init);
      if (response.body === null) return response;
      const recorder = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          received.push(Buffer.from(chunk).toString("latin1"));
          controller.enqueue(chunk);
        },
      });
      return new Response(response.body.pipeThrough(recorder), response);
    },
    ...(token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  });
  await client.connect(transport);
  return client;
}

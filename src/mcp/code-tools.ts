/**
 * The tools `execute_code` and `execute_read_only_code`. Their words are part of the product: they make a model write
 * the right block the first time, and every session pays for them.
 */
import type { CallToolResult, McpServer, ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";

import { visibleTo } from "../catalog/visible.ts";
import { answerReport } from "../code/answer.ts";
import { DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS } from "../contract/run.ts";
import { callerOf } from "./caller.ts";
import { errorResult } from "./result.ts";
import { toRunContext } from "./run-context.ts";
import type { ServerDeps } from "./server.ts";

/** Longest code of one block, in characters. */
export const MAX_CODE_LENGTH = 1_000_000;

const EXECUTE = `Run one TypeScript block in a fresh isolate and get what it returns. Types are stripped, not checked; top-level await and return work, else the last expression counts. Call APIs with plain fetch(); look up unfamiliar operations with search_apis first.
Credentials: write the NAME from list_apis as a string where the API wants the value: { Authorization: "Bearer STRIPE_AUTH_TOKEN" }, "Basic " + btoa("user:NAME"), { "x-api-key": "NAME" }. The value is put in outside, for that API's hosts only; you never see it. process.env.NAME is the same string.
Do the whole job in one block: Promise.all, loops, joins. Return only what is needed; console.log() is shown too. What is not allowed answers 403 with a reason in JSON.
Importable: node: built-ins, { progress, search, skills } from "codeforge" (progress("text"), search("query")), "skills/<name>". No npm, no URLs, no require. Files vanish with the run.
Keep what worked: await skills.save({ name, description, code, input: <JSON Schema> }); code is a block that reads \`input\`.`;

const EXECUTE_READ_ONLY = "Like execute_code, but only GET and HEAD leave; anything else is answered 403.";

const Input = z.strictObject({
  code: z
    .string()
    .min(1, "write the code to run")
    .max(MAX_CODE_LENGTH, `code is limited to ${MAX_CODE_LENGTH} characters`)
    .describe("TypeScript or JavaScript"),
  apis: z.array(z.string()).min(1).optional().describe("Narrow the run to these APIs; default all"),
  timeout: z
    .number()
    .int()
    .min(1)
    .max(MAX_TIMEOUT_MS, `timeout is in milliseconds, at most ${MAX_TIMEOUT_MS}`)
    .optional()
    .describe(`Milliseconds; default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}`),
});

export function registerCodeTools(server: McpServer, deps: ServerDeps): void {
  server.registerTool(
    "execute_code",
    {
      title: "Run code",
      description: EXECUTE,
      inputSchema: Input,
      annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
    },
    (input, ctx) => run(deps, input, { tool: "execute_code", server, ctx }),
  );
  server.registerTool(
    "execute_read_only_code",
    {
      title: "Run read-only code",
      description: EXECUTE_READ_ONLY,
      inputSchema: Input,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    (input, ctx) => run(deps, input, { tool: "execute_read_only_code", server, ctx }),
  );
}

async function run(
  deps: ServerDeps,
  input: z.infer<typeof Input>,
  call: {
    readonly tool: "execute_code" | "execute_read_only_code";
    readonly server: McpServer;
    readonly ctx: ServerContext;
  },
): Promise<CallToolResult> {
  const visible = visibleTo(deps.catalog, callerOf(call.ctx).apis);
  const unknown = (input.apis ?? []).filter((name) => !visible.apis.has(name));
  if (unknown.length > 0) {
    const known = [...visible.apis.keys()].join(", ") || "none";
    return errorResult(
      `apis: there is no API ${unknown.map((name) => JSON.stringify(name)).join(", ")}. Known: ${known}.`,
    );
  }
  const auth = callerOf(call.ctx);
  const report = await deps.runs.execute(auth, {
    ...toRunContext(call),
    code: input.code,
    apis: input.apis ?? null,
    readOnly: call.tool === "execute_read_only_code",
    timeoutMs: input.timeout ?? DEFAULT_TIMEOUT_MS,
  });
  return answerReport(report, auth, deps.results);
}

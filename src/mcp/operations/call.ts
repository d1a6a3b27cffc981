/**
 * Calls one operation for a client: its arguments are checked, a person is asked where the operation wants that, and
 * only then a run of one request is opened in the caller's name. Credentials are names all the way; see the proxy.
 */
import type { CallToolResult, inputRequired, McpServer, ServerContext } from "@modelcontextprotocol/server";

import { cutJson, cutText } from "../../code/cut.ts";
import { describeOutcome } from "../../code/outcomes.ts";
import type { Runs } from "../../code/runs.ts";
import type { SendReport } from "../../code/send.ts";
import { hasScope } from "../../contract/scopes.ts";
import { toQuestion, toUnconfirmedResult } from "../../openapi/confirm.ts";
import type { Operation } from "../../openapi/ir.ts";
import { MAX_REDIRECTS } from "../../openapi/redirect.ts";
import { buildRequest } from "../../openapi/request.ts";
import { toFailureResult, toProblemResult, toToolResult, type ToolResult } from "../../openapi/result.ts";
import { callerOf } from "../caller.ts";
import { confirmation } from "../confirm.ts";
import { toRunContext } from "../run-context.ts";
import { toAnswer } from "../wire.ts";

/** How long a call may take, in milliseconds: less than the minute for which clients wait. */
const TIMEOUT_MS = 50_000;

export interface CallParts {
  readonly runs: Runs;
  readonly server: McpServer;
  readonly ctx: ServerContext;
  /** The API whose operation it is: the run reaches no other. */
  readonly api: string;
  /** Only what reads is let out. */
  readonly readOnly: boolean;
}

/** Calls an operation with arguments as a client sent them. */
export async function callOperation(
  operation: Operation,
  input: unknown,
  { runs, server, ctx, api, readOnly }: CallParts,
): Promise<CallToolResult | ReturnType<typeof inputRequired>> {
  const built = buildRequest(operation, input);
  if (!built.ok) return toAnswer(toProblemResult(built.problems));
  if (operation.confirm === true) {
    const confirmed = confirmation(server, ctx, toQuestion(operation, input, { cutText }));
    if (confirmed.kind === "ask") return confirmed.result;
    if (confirmed.kind !== "accepted") return toAnswer(toUnconfirmedResult(operation, confirmed.kind));
  }
  const auth = callerOf(ctx);
  const { outcome } = await runs.send(auth, {
    ...toRunContext({ tool: operation.name, server, ctx }),
    apis: [api],
    readOnly: readOnly || !hasScope(auth.scopes, "run"),
    timeoutMs: TIMEOUT_MS,
    request: built.request,
  });
  return toAnswer(toResult(outcome));
}

function toResult(outcome: SendReport["outcome"]): ToolResult {
  switch (outcome.kind) {
    case "answered":
      return toToolResult(outcome.answer, { cutJson, cutText });
    case "too_many_redirects":
      return toFailureResult(`The API redirected more than ${MAX_REDIRECTS} times.`);
    case "broken":
      return toFailureResult(
        "The connection was lost within the answer. Whether the API did what was asked is not known.",
      );
    case "timed_out":
      return toFailureResult(
        `The API did not answer within ${outcome.timeoutMs} ms. Whether it did what was asked is not known.`,
      );
    case "failed":
      return toFailureResult("The request could not be sent; the server's log says why. Try again.");
    case "cancelled":
      return toFailureResult("The call was cancelled by the client.");
    default:
      return toFailureResult(describeOutcome(outcome));
  }
}

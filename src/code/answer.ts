/** The answer of a tool that ran code: the report, with what it has no room for kept where it can be read later. */
import type { CallToolResult } from "@modelcontextprotocol/server";

import type { Auth } from "../auth/auth.ts";
import { overflowOf, presentReport } from "./present.ts";
import type { RunReport } from "./report.ts";
import type { ResultStore } from "./results.ts";

/** How long a bucket that does not answer may hold up an answer, in milliseconds. */
const MAX_KEEPING_MS = 1_500;

/** Words a report for its caller. Never rejects. */
export async function answerReport(
  report: RunReport,
  auth: Auth,
  results: Pick<ResultStore, "keep">,
): Promise<CallToolResult> {
  const value = overflowOf(report);
  if (value === null) return presentReport(report);
  const owner = { runId: report.runId, principal: auth.principal, apis: report.apis };
  return presentReport(report, await results.keep(owner, value, MAX_KEEPING_MS));
}

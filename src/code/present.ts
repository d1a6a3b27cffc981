/**
 * A run's report as an MCP tool result: the returned value, then the logs, then one line about the requests. Writes and
 * failures are always listed, reads never: a run of 500 requests must not cost 500 lines.
 */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

import type { RenderedValue } from "../contract/outcome.ts";
import type { LogLine } from "../contract/run.ts";
import { cutJson, cutText } from "./cut.ts";
import { describeOutcome } from "./outcomes.ts";
import type { RunReport } from "./report.ts";
import { isSentWrite, toRequestText } from "./request-text.ts";

/** Most characters of one result, over all its text; clients cut near 25,000 tokens by themselves. */
export const MAX_TEXT = 40_000;

/** The share of `MAX_TEXT` that logs may take. */
const MAX_LOG_TEXT = 10_000;

/** Turns a report into the result of a tool call. */
export function presentReport(report: RunReport): CallToolResult {
  const { outcome } = report;
  const logs = cutText(toLogText(outcome.logs), MAX_LOG_TEXT);
  const requests = toRequestText(report);
  const room = MAX_TEXT - logs.length - requests.length;
  if (outcome.kind !== "completed") {
    return { isError: true, content: [toBlock([cutText(describeOutcome(outcome), room), logs, requests])] };
  }
  const { value } = outcome;
  const shown = value === null ? null : showValue(value, room);
  const text = shown?.text ?? (logs === "" ? "(no return value)" : "");
  return {
    content: [toBlock([text, logs, requests]), ...(value?.media ?? [])],
    structuredContent: {
      ...(shown === null ? {} : { result: shown.structured }),
      ...(logs === "" ? {} : { logs }),
      run: summarize(report),
    },
  };
}

function toBlock(parts: readonly string[]): ContentBlock {
  return { type: "text", text: parts.filter((part) => part !== "").join("\n\n") };
}

/** The value as text and as structured content, cut alike. A string is shown bare, everything else that can be as JSON. */
function showValue({ text, json }: RenderedValue, room: number): { text: string; structured: unknown } {
  if (json === undefined || json !== text) {
    const cut = cutText(text, room);
    return { text: cut, structured: cut };
  }
  const cut = cutJson(json, room);
  return { text: cut, structured: JSON.parse(cut) };
}

function toLogText(logs: readonly LogLine[]): string {
  return logs.map(({ level, text }) => (level === "log" ? text : `[${level}] ${text}`)).join("\n");
}

interface Summary {
  readonly id: string;
  readonly requests: number;
  readonly writes: number;
  readonly ms: number;
}

function summarize({ runId, ledger, ms }: RunReport): Summary {
  const entries = ledger ?? [];
  return { id: runId, requests: entries.length, writes: entries.filter(isSentWrite).length, ms };
}

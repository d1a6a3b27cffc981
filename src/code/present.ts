/**
 * A run's report as an MCP tool result: the returned value, then the logs, then one line about the requests. Writes and
 * failures are always listed, reads never: a run of 500 requests must not cost 500 lines.
 */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

import { countWrites } from "../contract/ledger.ts";
import type { RenderedValue } from "../contract/outcome.ts";
import type { LogLine } from "../contract/run.ts";
import { cutJson, cutText } from "./cut.ts";
import { describeOutcome } from "./outcomes.ts";
import type { RunReport } from "./report.ts";
import { toRequestText } from "./request-text.ts";
import { describeKeeping, toLink } from "./result-words.ts";
import type { Keeping } from "./kept-result.ts";

/** Most characters of one result, over all its text; clients cut near 25,000 tokens by themselves. */
export const MAX_TEXT = 40_000;

/** The share of `MAX_TEXT` that logs may take. */
const MAX_LOG_TEXT = 10_000;

/** Characters for the words about a result that was cut. */
const MAX_KEEPING_TEXT = 500;

/** The value of a report that has no room for all of it; null when it is shown whole, or there is none. */
export function overflowOf(report: RunReport): RenderedValue | null {
  const value = report.outcome.kind === "completed" ? report.outcome.value : null;
  return value !== null && lengthOf(value) > toParts(report).room ? value : null;
}

/** Turns a report into the result of a tool call. `keeping`: what became of a value that is not shown whole. */
export function presentReport(report: RunReport, keeping: Keeping | null = null): CallToolResult {
  const { outcome } = report;
  const { logs, requests, room } = toParts(report);
  if (outcome.kind !== "completed") {
    return { isError: true, content: [toBlock([cutText(describeOutcome(outcome), room), logs, requests])] };
  }
  const { value } = outcome;
  const shown = value === null ? null : showValue(value, room);
  const text = shown?.text ?? (logs === "" ? "(no return value)" : "");
  const whole = keeping === null ? "" : describeKeeping(keeping);
  const link = keeping?.ok === true ? [toLink(keeping.kept)] : [];
  return {
    content: [toBlock([text, whole, logs, requests]), ...link, ...(value?.media ?? [])],
    structuredContent: {
      ...(shown === null ? {} : { result: shown.structured }),
      ...(whole === "" ? {} : { whole }),
      ...(logs === "" ? {} : { logs }),
      run: summarize(report),
    },
  };
}

/** What stands beside the value, and how many characters that leaves for it. */
function toParts(report: RunReport): { readonly logs: string; readonly requests: string; readonly room: number } {
  const logs = cutText(toLogText(report.outcome.logs), MAX_LOG_TEXT);
  const requests = toRequestText(report);
  return { logs, requests, room: MAX_TEXT - MAX_KEEPING_TEXT - logs.length - requests.length };
}

function lengthOf(value: RenderedValue): number {
  return "json" in value ? value.json.length : value.text.length;
}

function toBlock(parts: readonly string[]): ContentBlock {
  return { type: "text", text: parts.filter((part) => part !== "").join("\n\n") };
}

/** The value as text and as structured content, cut alike. A string is shown bare, everything else that can be as JSON. */
function showValue(value: RenderedValue, room: number): { text: string; structured: unknown } {
  if (!("json" in value)) {
    const cut = cutText(value.text, room);
    return { text: cut, structured: cut };
  }
  const cut = cutJson(value.json, room);
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
  return { id: runId, requests: entries.length, writes: countWrites(entries), ms };
}

/**
 * A run's report as an MCP tool result: the returned value, then the logs, then one line about the requests. Writes and
 * failures are always listed, reads never: a run of 500 requests must not cost 500 lines.
 */
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/server";

import { isWrite, type LedgerEntry } from "../contract/ledger.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { LogLine } from "../contract/run.ts";
import { cutText } from "./cut.ts";
import type { RunReport } from "./execute.ts";
import { describeOutcome } from "./outcomes.ts";

/** Most requests listed one by one in a result. */
const MAX_LISTED = 20;

/** Most characters of one result, over all its text; clients cut near 25,000 tokens by themselves. */
export const MAX_TEXT = 40_000;

/** The share of `MAX_TEXT` that logs may take. */
const MAX_LOG_TEXT = 10_000;

/** Turns a report into the result of a tool call. */
export function presentReport(report: RunReport): CallToolResult {
  const { outcome } = report;
  const logs = cutText(toLogText(outcome.logs), MAX_LOG_TEXT);
  const requests = toRequestText(report);
  const head = toHead(outcome, logs, MAX_TEXT - logs.length - requests.length);
  const text = [head.text, logs, requests].filter((part) => part !== "").join("\n\n");
  const content: ContentBlock[] = [{ type: "text", text }, ...head.media];
  if (outcome.kind !== "completed") return { isError: true, content };
  return { content, structuredContent: toStructured(report, head.json, logs) };
}

interface Head {
  readonly text: string;
  readonly json: string | undefined;
  readonly media: readonly ContentBlock[];
}

function toHead(outcome: Outcome, logs: string, room: number): Head {
  if (outcome.kind !== "completed")
    return { text: cutText(describeOutcome(outcome), room), json: undefined, media: [] };
  if (outcome.value === null) return { text: logs === "" ? "(no return value)" : "", json: undefined, media: [] };
  const { text, json, media } = outcome.value;
  return { text: cutText(text, room), json, media };
}

function toLogText(logs: readonly LogLine[]): string {
  return logs.map(({ level, text }) => (level === "log" ? text : `[${level}] ${text}`)).join("\n");
}

function toRequestText({ ledger, ms }: RunReport): string {
  if (ledger.length === 0) return "";
  const notable = ledger.filter((entry) => isWrite(entry.method) || entry.state !== "answered" || isFailure(entry));
  const listed = notable.slice(0, MAX_LISTED).map(toRequestLine);
  if (notable.length > MAX_LISTED) listed.push(`… and ${notable.length - MAX_LISTED} more`);
  const writes = ledger.filter((entry) => isWrite(entry.method)).length;
  const counts = [count(ledger.length, "request"), ...(writes > 0 ? [count(writes, "write")] : []), `${ms} ms`];
  return [counts.join(", "), ...listed].join("\n");
}

function isFailure(entry: LedgerEntry): boolean {
  return entry.status !== undefined && entry.status >= 400;
}

function toRequestLine(entry: LedgerEntry): string {
  const result = entry.status ?? entry.error ?? "no answer yet";
  const state = entry.state === "answered" ? "" : ` (${entry.state.replace("_", " ")})`;
  return `${entry.method} ${entry.host}${entry.path} → ${result}${state}`;
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}

function toStructured(report: RunReport, json: string | undefined, logs: string): Record<string, unknown> {
  const { outcome, ledger, ms, runId } = report;
  const value = outcome.kind === "completed" ? outcome.value : null;
  const result: unknown =
    json !== undefined && json.length <= MAX_TEXT ? JSON.parse(json) : cutText(value?.text ?? "", MAX_TEXT);
  return {
    ...(value === null ? {} : { result }),
    ...(logs === "" ? {} : { logs }),
    run: { id: runId, requests: ledger.length, writes: ledger.filter((entry) => isWrite(entry.method)).length, ms },
  };
}

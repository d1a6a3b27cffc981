/** The history for a reader, person or model: one line for a run in a list, everything for one alone. */
import type { LedgerEntry } from "../contract/ledger.ts";
import { count } from "./count.ts";
import type { RunRecord, RunSummary } from "./history.ts";
import { toRunUri } from "./result-words.ts";

/** A list of runs, the latest first. */
export function describeRuns(runs: readonly RunSummary[]): string {
  if (runs.length === 0) return "No runs yet.";
  return runs.map((run) => `${toLine(run)}\n  ${toRunUri(run.id)}`).join("\n");
}

/** One run: how it went, every request, the code. */
export function describeRun(run: RunRecord): string {
  const facts = [
    `run ${run.id}`,
    toLine(run),
    `client: ${[run.clientName, run.clientVersion].filter(Boolean).join(" ")}${run.token === null ? "" : `, token ${run.token}`}`,
    `APIs: ${run.apis === null ? "all" : run.apis.join(", ") || "none"}${run.readOnly ? ", read-only" : ""}`,
    ...(run.parent === null ? [] : [`started by ${toRunUri(run.parent)}`]),
  ];
  const parts = [facts.join("\n"), toLedgerText(run), ...(run.code === null ? [] : [`Code:\n${run.code}`])];
  return parts.join("\n\n");
}

function toLine({ startedMs, tool, outcome, ms, requests, writes }: RunSummary): string {
  const time = ms === null ? [] : [`${ms} ms`];
  const counts = [count(requests, "request"), ...(writes === 0 ? [] : [count(writes, "write")])].join(", ");
  return [new Date(startedMs).toISOString(), tool, outcome, ...time, counts].join(" · ");
}

function toLedgerText({ outcome, ledger, omitted }: RunRecord): string {
  if (outcome === "running") return "Requests: known when the run has ended.";
  if (ledger === null) return "Requests: what went out is not known.";
  if (ledger.length === 0) return "Requests: none.";
  const rest = omitted === 0 ? [] : [`(${omitted} more are not kept)`];
  return ["Requests:", ...ledger.map(toRequestLine), ...rest].join("\n");
}

function toRequestLine(entry: LedgerEntry): string {
  const { seq, startedMs, method, host, path, state, status, error, api, credentials, ms } = entry;
  const facts = [
    `${seq}. +${startedMs} ms  ${method} ${host}${path} → ${status ?? error ?? "no answer"}`,
    ...(state === "answered" ? [] : [state.replace("_", " ")]),
    ...(ms === undefined ? [] : [`${ms} ms`]),
    ...(api === null ? [] : [`api ${api}`]),
    ...(credentials.length === 0 ? [] : [`with ${credentials.join(", ")}`]),
    ...toSizes(entry),
  ];
  return facts.join(", ");
}

function toSizes({ requestBytes, responseBytes }: LedgerEntry): string[] {
  return [
    ...(requestBytes === undefined ? [] : [`${requestBytes} bytes sent`]),
    ...(responseBytes === undefined ? [] : [`${responseBytes} bytes received`]),
  ];
}

/**
 * What a result says of the requests of its run, by the ledger: one line that counts them, then each that changed or
 * failed to change something, and those that nobody waited for.
 */
import { isNotable, isSentWrite, type LedgerEntry } from "../contract/ledger.ts";
import type { Outcome } from "../contract/outcome.ts";
import { count } from "./count.ts";
import { cutText } from "./cut.ts";
import { toRunUri } from "./result-words.ts";

/** Most requests listed one by one in a result. */
const MAX_LISTED = 20;

/** Most characters of one of them. */
const MAX_REQUEST_TEXT = 300;

/** The part of a run's report that this is about. */
export interface RequestReport {
  readonly runId: string;
  readonly outcome: Outcome;
  /** Null when the proxy did not answer with it. */
  readonly ledger: readonly LedgerEntry[] | null;
  readonly ms: number;
}

/** The text; empty when nothing was sent. */
export function toRequestText(report: RequestReport): string {
  const { ledger } = report;
  if (ledger === null) return "What went out is not known: the outbound proxy did not answer at the end of the run.";
  if (ledger.length === 0) return "";
  const dropped = ledger.filter((entry) => isUnawaited(entry, report));
  const notable = ledger.filter((entry) => isNotable(entry) && !dropped.includes(entry));
  const listed = notable.slice(0, MAX_LISTED).map(toRequestLine);
  if (notable.length > MAX_LISTED) listed.push(`… and ${notable.length - MAX_LISTED} more: ${toRunUri(report.runId)}`);
  const counts = [count(ledger.length, "request"), ...describeWrites(report, ledger), `${report.ms} ms`];
  return [counts.join(", "), ...listed, ...describeUnawaited(dropped)].join("\n");
}

/** How many writes there were; of a run that did not complete, how far they had got. */
function describeWrites({ outcome }: RequestReport, ledger: readonly LedgerEntry[]): string[] {
  const writes = ledger.filter(isSentWrite);
  if (writes.length === 0) return [];
  if (outcome.kind === "completed") return [count(writes.length, "write")];
  const inFlight = writes.filter(isInFlight).length;
  const completed = writes.filter(({ status }) => status !== undefined).length;
  return [
    `${completed === 0 ? "no write" : count(completed, "write")} had completed`,
    ...(inFlight === 0 ? [] : [`${inFlight} ${inFlight === 1 ? "was" : "were"} in flight`]),
  ];
}

/** Whether no answer had come when the run ended. */
function isInFlight({ state, status }: LedgerEntry): boolean {
  return (state === "sent" || state === "cut_off") && status === undefined;
}

/** Whether the code had come to its end without waiting for the request. */
function isUnawaited(entry: LedgerEntry, { outcome }: RequestReport): boolean {
  return (outcome.kind === "completed" || outcome.kind === "threw") && isInFlight(entry);
}

function describeUnawaited(entries: readonly LedgerEntry[]): string[] {
  if (entries.length === 0) return [];
  const named = entries.slice(0, MAX_LISTED).map(toName);
  if (entries.length > MAX_LISTED) named.push(`${entries.length - MAX_LISTED} more`);
  const were = entries.length === 1 ? "was" : "were";
  return [`${count(entries.length, "request")} ${were} not awaited: ${named.join(", ")}, cut off when the run ended`];
}

function toRequestLine(entry: LedgerEntry): string {
  const result = entry.status ?? entry.error ?? "no answer";
  // Where a status came, the error is what befell the body.
  const why = entry.status === undefined || entry.error === undefined ? "" : `: ${entry.error}`;
  const state = entry.state === "answered" ? "" : ` (${entry.state.replace("_", " ")}${why})`;
  return `${toName(entry)} → ${result}${state}`;
}

function toName({ method, host, path }: LedgerEntry): string {
  return cutText(`${method} ${host}${path}`, MAX_REQUEST_TEXT);
}

/**
 * The runs that one run started: they take its slot, one after the other, end when it ends, and what they sent is part
 * of what it sent.
 */
import type { LedgerEntry } from "../contract/ledger.ts";
import { RunQueue } from "./queue.ts";
import type { Report } from "./report.ts";

/** A block makes fewer calls than this. */
const MAX_WAITING = 1_000;

export class Lane {
  readonly queue = new RunQueue({ concurrent: 1, waiting: MAX_WAITING });
  readonly #reports: Promise<Report<unknown>>[] = [];

  /** Notes a run that was started, whatever becomes of it. */
  add(report: Promise<Report<unknown>>): void {
    this.#reports.push(report);
  }

  /** The run's own report with the requests of those it started, as soon as the last of them has ended. */
  async complete<T>(own: Report<T>): Promise<Report<T>> {
    const settled = await Promise.allSettled(this.#reports);
    const reports = settled.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    return reports.length === 0 ? own : { ...own, ledger: mergeLedgers(own, reports) };
  }
}

/** One ledger in the order of time, counted from the beginning of `own`; null when a part of it is not known. */
export function mergeLedgers(own: Report<unknown>, started: readonly Report<unknown>[]): readonly LedgerEntry[] | null {
  const entries: LedgerEntry[] = [];
  for (const { ledger, startedMs } of [own, ...started]) {
    if (ledger === null) return null;
    const offsetMs = startedMs - own.startedMs;
    entries.push(...ledger.map((entry) => ({ ...entry, startedMs: entry.startedMs + offsetMs })));
  }
  return entries.toSorted((a, b) => a.startedMs - b.startedMs).map((entry, index) => ({ ...entry, seq: index + 1 }));
}

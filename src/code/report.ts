/** What came of a run, whatever was done in it. */
import type { LedgerEntry } from "../contract/ledger.ts";
import type { Outcome } from "../contract/outcome.ts";

/** How a run can end before anything was done in it. */
export type NotRun = Extract<
  Outcome,
  { kind: "not_started" | "cancelled" | "queue_full" | "queue_timeout" | "nested_too_deep" }
>;

export interface Report<T> {
  readonly runId: string;
  /** The APIs it could reach; null means every active one. */
  readonly apis: readonly string[] | null;
  /** Epoch milliseconds at its opening. */
  readonly startedMs: number;
  readonly outcome: T | NotRun;
  /** Null when the proxy did not answer with it: then it is not known what went out. */
  readonly ledger: readonly LedgerEntry[] | null;
  /** Wall time in milliseconds, from its opening to its end. */
  readonly ms: number;
}

/** The report of a block. */
export type RunReport = Report<Outcome>;

/**
 * The ledger: one entry per outbound request of a run, kept in the proxy where the sandbox cannot touch it. It names
 * hosts, paths and credentials; it never holds a query, a body or a value.
 */
import { z } from "zod";

/**
 * `refused`: answered by the proxy, nothing left. `sent`: on its way, no answer yet. `answered`: the upstream's status
 * arrived. `failed`: no answer came (see `error`). `cut_off`: the run ended, or the stream broke, before its end.
 */
export const LEDGER_STATES = ["refused", "sent", "answered", "failed", "cut_off"] as const;

export const LedgerEntry = z.strictObject({
  seq: z.number().int().positive(),
  method: z.string(),
  host: z.string(),
  path: z.string(),
  /** The API whose rules let the request out; null for a reference page, a YOLO host, or a refusal. */
  api: z.string().nullable(),
  /** Names of the credentials that were put in. */
  credentials: z.array(z.string()),
  state: z.enum(LEDGER_STATES),
  status: z.number().int().optional(),
  /** A code of the proxy's closed set, for `refused`, `failed` and `cut_off`. */
  error: z.string().optional(),
  /** Milliseconds since the run was opened. */
  startedMs: z.number(),
  /** Milliseconds from start to the end of the answer; absent while it is on its way. */
  ms: z.number().optional(),
  requestBytes: z.number().int().optional(),
  responseBytes: z.number().int().optional(),
});
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/** Safe by their registration with IANA, as far as they are let out. */
const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY", "PROPFIND", "REPORT", "SEARCH"]);

/** Whether a method changes things upstream, as far as HTTP says. */
export function isWrite(method: string): boolean {
  return !SAFE_METHODS.has(method);
}

/** Whether an entry is worth a line of its own: it may have changed something, or it did not work. */
export function isNotable({ method, state, status }: LedgerEntry): boolean {
  return isWrite(method) || state !== "answered" || (status !== undefined && status >= 400);
}

/** Whether a request may have changed something: what was refused has not. */
export function isSentWrite({ method, state }: LedgerEntry): boolean {
  return isWrite(method) && state !== "refused";
}

/** How many of the requests may have changed something. */
export function countWrites(ledger: readonly LedgerEntry[]): number {
  return ledger.filter(isSentWrite).length;
}

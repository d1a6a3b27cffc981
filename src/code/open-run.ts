/**
 * A run at the proxy, around whatever is done in it: its policy is opened before, and closed after, which yields the
 * ledger. Nothing here throws for what the proxy does.
 */
import { RpcTarget } from "cloudflare:workers";

import type { LedgerEntry } from "../contract/ledger.ts";
import type { OpenedRun, RunObserver, RunPolicy } from "../contract/run.ts";
import type { Env } from "../env.ts";
import { toPlainOrNull } from "./plain.ts";

/** How long the proxy has for the opening of a run, and for its end, in milliseconds: a call of it may never return. */
const MAX_ANSWER_MS = 3_000;

/** Who a run belongs to, what it may do, and who is told of its requests. */
export interface RunRights {
  /** A UUID; see `RunId`. */
  readonly runId: string;
  readonly principal: string;
  /** The id of the token that it was started with, if one was. */
  readonly token?: string | undefined;
  /** Null means every active API. */
  readonly apis: readonly string[] | null;
  /** APIs that refusals may name: the caller's, whichever of them the run asked for. */
  readonly known: readonly string[] | null;
  readonly readOnly: boolean;
  /** Requests it may send. */
  readonly maxRequests: number;
  /** Absent when nobody wants to be told, which spares a call for each request. */
  readonly onRequest?: ((entry: LedgerEntry) => void) | undefined;
}

/** What came of a run. `startedMs` is epoch time at its opening, `ms` wall time from there to its end. */
export interface Ended<T> {
  readonly startedMs: number;
  /** What the work answered; null when the proxy did not open the run, and nothing was done. */
  readonly outcome: T | null;
  /** Null when the proxy did not answer with it: then it is not known what went out. */
  readonly ledger: readonly LedgerEntry[] | null;
  readonly ms: number;
}

/** The proxy's callback: tells of each request as it goes out. */
class Observer extends RpcTarget implements RunObserver {
  readonly #onRequest: (entry: LedgerEntry) => void;
  constructor(onRequest: (entry: LedgerEntry) => void) {
    super();
    this.#onRequest = onRequest;
  }
  onRequest(entry: LedgerEntry): void {
    this.#onRequest(entry);
  }
}

/** Does the work in a run. `work` must not reject. */
export async function withOpenRun<T>(
  env: Env,
  rights: RunRights,
  work: (opened: OpenedRun) => Promise<T>,
): Promise<Ended<T>> {
  const { runId, principal, apis, known, readOnly, maxRequests, token, onRequest } = rights;
  const startedMs = Date.now();
  const policy: RunPolicy = {
    principal,
    apis: apis === null ? null : [...apis],
    known: known === null ? null : [...known],
    readOnly,
    limits: { maxRequests },
    ...(token === undefined ? {} : { token }),
  };
  const observer = onRequest === undefined ? null : new Observer(onRequest);
  const opened = await toPlainOrNull(MAX_ANSWER_MS, () => env.OUTBOUND_PROXY.open(runId, policy, observer));
  if (opened === null) return { startedMs, outcome: null, ledger: [], ms: Date.now() - startedMs };
  env.OUTBOUND_PROXY.hold(runId).catch(() => {});
  const outcome = await work(opened);
  const closed = await toPlainOrNull(MAX_ANSWER_MS, () => env.OUTBOUND_PROXY.close(runId));
  return { startedMs, outcome, ledger: closed?.ledger ?? null, ms: Date.now() - startedMs };
}

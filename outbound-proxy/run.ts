/**
 * `Run`: one Durable Object per run. It records and decides nothing: policy, counters and ledger. It never forwards,
 * because an object that forwards neither passes cancellation on nor has connections enough. A run that is not open,
 * closed or never opened, has no record here, and its requests are refused.
 */
import { DurableObject } from "cloudflare:workers";

import type { LedgerEntry } from "../src/contract/ledger.ts";
import { MAX_TIMEOUT_MS, type ClosedRun, type RunObserver, type RunPolicy } from "../src/contract/run.ts";
import type { Env } from "./env.ts";

/** A run that nobody closed (its server died) forgets itself this long after it was opened. */
const ABANDONED_AFTER_MS = MAX_TIMEOUT_MS + 60_000;

/** The record outlives an eviction; waiting for the disk on every request is not worth what it would save. */
const UNCONFIRMED = { allowUnconfirmed: true } as const;

interface OpenRun {
  readonly policy: RunPolicy;
  readonly openedMs: number;
}

/** What is known of a request when it begins. */
export type Begun = Pick<LedgerEntry, "method" | "host" | "path">;

/** What is learnt of it later. */
export type Progressed = Partial<Omit<LedgerEntry, "seq" | "method" | "host" | "path" | "startedMs">>;

export type BeginResult =
  | { readonly ok: true; readonly seq: number; readonly policy: RunPolicy }
  | { readonly ok: false; readonly reason: "not_open" }
  | { readonly ok: false; readonly reason: "too_many"; readonly limit: number };

/** An observer as it arrives over RPC: a stub to be kept beyond the call and disposed of. */
type ObserverStub = RunObserver & { dup?(): ObserverStub } & Partial<Disposable>;

export class Run extends DurableObject<Env> {
  #open: OpenRun | undefined;
  #entries: LedgerEntry[] = [];
  #observer: ObserverStub | undefined;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      this.#open = await ctx.storage.get<OpenRun>("run");
      if (this.#open === undefined) return;
      this.#entries = [...(await ctx.storage.list<LedgerEntry>({ prefix: "entry:" })).values()];
    });
  }

  async open(policy: RunPolicy, observer: ObserverStub): Promise<void> {
    if (this.#open !== undefined) throw new Error("This run is open already.");
    this.#open = { policy, openedMs: Date.now() };
    this.#observer = observer.dup?.() ?? observer;
    void this.ctx.storage.put("run", this.#open, UNCONFIRMED);
    void this.ctx.storage.setAlarm(Date.now() + ABANDONED_AFTER_MS, UNCONFIRMED);
  }

  /** Enters a request. Its policy is answered with it, so that deciding needs no second call. */
  begin(request: Begun): BeginResult {
    if (this.#open === undefined) return { ok: false, reason: "not_open" };
    const { policy, openedMs } = this.#open;
    if (this.#entries.length >= policy.limits.maxRequests) {
      return { ok: false, reason: "too_many", limit: policy.limits.maxRequests };
    }
    const entry: LedgerEntry = {
      ...request,
      seq: this.#entries.length + 1,
      api: null,
      credentials: [],
      state: "sent",
      startedMs: Date.now() - openedMs,
    };
    this.#entries.push(entry);
    this.#save(entry);
    return { ok: true, seq: entry.seq, policy };
  }

  /** Adds what was learnt of a request. One that comes after the end of the run is dropped. */
  progress(seq: number, learnt: Progressed): void {
    const entry = this.#entries[seq - 1];
    if (this.#open === undefined || entry === undefined) return;
    const next = { ...entry, ...learnt };
    this.#entries[seq - 1] = next;
    this.#save(next);
    if (learnt.state !== undefined) this.#tell(next);
  }

  /** Ends the run. Nothing of it stays; what was on its way is cut off. */
  async close(): Promise<ClosedRun> {
    const ledger = this.#entries.map((entry) => (isOver(entry) ? entry : { ...entry, state: "cut_off" as const }));
    await this.#forget();
    return { ledger };
  }

  override async alarm(): Promise<void> {
    await this.#forget();
  }

  async #forget(): Promise<void> {
    this.#open = undefined;
    this.#entries = [];
    this.#observer?.[Symbol.dispose]?.();
    this.#observer = undefined;
    await this.ctx.storage.deleteAll();
  }

  #save(entry: LedgerEntry): void {
    void this.ctx.storage.put(`entry:${String(entry.seq).padStart(8, "0")}`, entry, UNCONFIRMED);
  }

  /** Progress is a courtesy: a server that is gone is noticed elsewhere. */
  #tell(entry: LedgerEntry): void {
    void Promise.resolve(this.#observer?.onRequest(entry)).catch(() => {});
  }
}

/** An answered request is over when its body has ended, which is when its time is known. */
function isOver(entry: LedgerEntry): boolean {
  return entry.state !== "sent" && (entry.state !== "answered" || entry.ms !== undefined);
}

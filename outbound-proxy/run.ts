/**
 * `Run`: one Durable Object per run. It records: policy, counters and ledger. It never forwards, because an object that
 * forwards neither passes cancellation on nor has connections enough. A run that is not open, whether closed or never
 * opened, has no record here, and its requests are refused.
 */
import { DurableObject } from "cloudflare:workers";

import type { LedgerEntry } from "../src/contract/ledger.ts";
import { MAX_TIMEOUT_MS, type ClosedRun, type RunObserver, type RunPolicy } from "../src/contract/run.ts";
import type { Denial, RedirectOrigin } from "./denial.ts";
import type { Env } from "./env.ts";
import { LIMITS, MAX_RECORDED_LENGTH, type Limits } from "./limits.ts";
import type { EnteredRequest, Learnt } from "./record.ts";

/** A run that nobody closed (its server died) forgets itself this long after it was opened. */
const ABANDONED_AFTER_MS = MAX_TIMEOUT_MS + 60_000;

/** The record outlives an eviction; waiting for the disk on every request is not worth what it would save. */
const UNCONFIRMED = { allowUnconfirmed: true } as const;

/** Redirects remembered per run: enough for any chain of pages, and a bound on what a hostile upstream can store. */
const MAX_REDIRECTS = 200;

interface OpenRun {
  readonly policy: RunPolicy;
  readonly openedMs: number;
}

/** What a run may do, or why it may do nothing more. */
export type PolicyResult =
  | { readonly ok: true; readonly policy: RunPolicy }
  | { readonly ok: false; readonly denial: Denial };

export type EnterResult = { readonly ok: true; readonly seq: number } | { readonly ok: false; readonly denial: Denial };

/** An observer as it arrives over RPC: a stub that is kept beyond the call, and disposed of. */
type ObserverStub = RunObserver & { dup?(): ObserverStub } & Partial<Disposable>;

export class Run extends DurableObject<Env> {
  protected readonly limits: Limits = LIMITS;
  #open: OpenRun | undefined;
  #entries: LedgerEntry[] = [];
  #observer: ObserverStub | undefined;
  readonly #over = Promise.withResolvers<void>();
  readonly #redirects = new Map<string, RedirectOrigin>();

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    void ctx.blockConcurrencyWhile(async () => {
      this.#open = await ctx.storage.get<OpenRun>("run");
      if (this.#open === undefined) return;
      this.#entries = [...(await ctx.storage.list<LedgerEntry>({ prefix: "entry:" })).values()];
    });
  }

  /** @param observer null when nobody wants to hear of each request: to tell it costs a call for each */
  open(policy: RunPolicy, observer: ObserverStub | null): void {
    if (this.#open !== undefined) throw new Error("This run is open already.");
    this.#open = { policy, openedMs: Date.now() };
    this.#observer = observer?.dup?.() ?? observer ?? undefined;
    void this.ctx.storage.put("run", this.#open, UNCONFIRMED);
    void this.ctx.storage.setAlarm(Date.now() + ABANDONED_AFTER_MS, UNCONFIRMED);
  }

  /**
   * Settles when the run is over. An object that nobody calls is evicted after some seconds, and where its storage is
   * memory the run with it: for as long as this is waited for, it is not.
   */
  hold(): Promise<void> {
    return this.#open === undefined ? Promise.resolve() : this.#over.promise;
  }

  /** What the run may do, which never changes; or why it may make no further request. */
  policy(): PolicyResult {
    const found = this.#find();
    return found.ok ? { ok: true, policy: found.run.policy } : found;
  }

  /** Whose answer has redirected to exactly this URL; null when none has. */
  redirectedFrom(url: string): RedirectOrigin | null {
    return this.#redirects.get(url) ?? null;
  }

  /** Enters a request, if it may still be made. Nothing leaves before it is entered. */
  enter(request: EnteredRequest): EnterResult {
    const found = this.#find();
    if (!found.ok) return found;
    const seq = this.#entries.length + 1;
    const startedMs = Date.now() - found.run.openedMs;
    const entry = { ...request, host: shorten(request.host), path: shorten(request.path), seq, startedMs };
    this.#save(entry);
    if (entry.state !== "sent") this.#tell(entry);
    return { ok: true, seq };
  }

  /** Adds what was learnt of a request. What comes after the end of the run is dropped. */
  learn(seq: number, { redirect, ...learnt }: Learnt): void {
    const entry = this.#entries[seq - 1];
    if (this.#open === undefined || entry === undefined) return;
    this.#save({ ...entry, ...learnt });
    if (redirect !== undefined && this.#redirects.size < MAX_REDIRECTS)
      this.#redirects.set(redirect.url, redirect.from);
    if (learnt.state !== undefined) this.#tell({ ...entry, ...learnt });
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

  /** The run, if it may make a further request. */
  #find(): { readonly ok: true; readonly run: OpenRun } | { readonly ok: false; readonly denial: Denial } {
    if (this.#open === undefined) return { ok: false, denial: { code: "run_closed" } };
    const { maxRequests } = this.#open.policy.limits;
    if (this.#entries.length >= maxRequests) return { ok: false, denial: { code: "request_limit", maxRequests } };
    const passed = this.#entries.reduce(
      (sum, { requestBytes = 0, responseBytes = 0 }) => sum + requestBytes + responseBytes,
      0,
    );
    const { runBytes: maxBytes } = this.limits;
    if (passed >= maxBytes) return { ok: false, denial: { code: "transfer_limit", maxBytes } };
    return { ok: true, run: this.#open };
  }

  async #forget(): Promise<void> {
    this.#open = undefined;
    this.#entries = [];
    this.#redirects.clear();
    this.#observer?.[Symbol.dispose]?.();
    this.#observer = undefined;
    this.#over.resolve();
    await this.ctx.storage.deleteAll();
  }

  #save(entry: LedgerEntry): void {
    this.#entries[entry.seq - 1] = entry;
    void this.ctx.storage.put(`entry:${String(entry.seq).padStart(8, "0")}`, entry, UNCONFIRMED);
  }

  /** Progress is a courtesy: a server that is gone is noticed elsewhere. */
  #tell(entry: LedgerEntry): void {
    void Promise.resolve(this.#observer?.onRequest(entry)).catch(() => {});
  }
}

function shorten(text: string): string {
  return text.length <= MAX_RECORDED_LENGTH ? text : `${text.slice(0, MAX_RECORDED_LENGTH - 1)}…`;
}

/** An answered request is over when its body has ended, which is when its time is known. */
function isOver(entry: LedgerEntry): boolean {
  return entry.state !== "sent" && (entry.state !== "answered" || entry.ms !== undefined);
}

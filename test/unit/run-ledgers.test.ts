/** Ledgers that are put together, and cut to what the history has room for. */
import { describe, expect, it } from "vitest";

import { fitLedger } from "../../src/code/fit-ledger.ts";
import { Lane, mergeLedgers } from "../../src/code/lane.ts";
import type { Report } from "../../src/code/report.ts";
import type { LedgerEntry } from "../../src/contract/ledger.ts";

function entry(seq: number, startedMs: number, more: Partial<LedgerEntry> = {}): LedgerEntry {
  const request = { method: "GET", host: "api.test", path: `/${startedMs}`, api: null, credentials: [] };
  return { seq, ...request, state: "answered", status: 200, startedMs, ...more };
}

function report(startedMs: number, ledger: readonly LedgerEntry[] | null): Report<{ kind: string }> {
  return { runId: "0", apis: null, startedMs, outcome: { kind: "completed" }, ledger, ms: 1 };
}

describe("the ledger of a run that started others", () => {
  it("has the requests of all in the order of time, counted from its own beginning", () => {
    const own = report(1_000, [entry(1, 0), entry(2, 50)]);
    const merged = mergeLedgers(own, [report(1_020, [entry(1, 5)]), report(1_100, [entry(1, 0)])]);
    expect(merged?.map(({ seq, startedMs }) => [seq, startedMs])).toEqual([
      [1, 0],
      [2, 25],
      [3, 50],
      [4, 100],
    ]);
  });

  it("is not known when a part of it is not", () => {
    expect(mergeLedgers(report(0, [entry(1, 0)]), [report(1, null)])).toBeNull();
  });

  it("is complete when the last of them has ended, whatever became of them", async () => {
    const lane = new Lane();
    const late = Promise.withResolvers<Report<{ kind: string }>>();
    lane.add(late.promise);
    lane.add(Promise.reject(new Error("lost")));
    const complete = lane.complete(report(0, []));
    late.resolve(report(0, [entry(1, 3)]));
    expect((await complete).ledger).toHaveLength(1);
  });
});

describe("a ledger in the history", () => {
  const reads = Array.from({ length: 500 }, (_, index) => entry(index + 1, index));

  it("is whole as long as there is room", () => {
    expect(fitLedger(reads, 1_000_000)).toBe(reads);
  });

  it("keeps writes and failures before reads, in their order", () => {
    const write = entry(501, 500, { method: "POST" });
    const failure = entry(502, 501, { status: 500 });
    const kept = fitLedger([...reads, write, failure], 5_000);
    expect(JSON.stringify(kept).length).toBeLessThanOrEqual(5_000);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.slice(-2)).toEqual([write, failure]);
    expect(kept[0]).toEqual(reads[0]);
  });

  it("cuts long paths before it leaves out a request", () => {
    const long = reads.slice(0, 20).map((one) => ({ ...one, path: `/${"x".repeat(8_000)}` }));
    const kept = fitLedger(long, 20_000);
    expect(kept).toHaveLength(20);
    expect(kept[0]?.path).toHaveLength(200);
  });
});

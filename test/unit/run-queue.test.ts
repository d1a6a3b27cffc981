/** Who runs next: every run gets its turn, no client shuts another out, and whoever cannot be served is told at once. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { RunQueue, type Admission, type Applicant } from "../../src/code/queue.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Runs that are started by name; what has been admitted is `admitted`, in that order. */
function start(concurrent: number, waiting = 100) {
  const queue = new RunQueue({ concurrent, waiting });
  const admitted: string[] = [];
  const ends = new Map<string, () => void>();
  const places = new Map<string, number[]>();
  const note = async (name: string, admission: Promise<Admission>): Promise<void> => {
    const result = await admission;
    if (!result.ok) return;
    admitted.push(name);
    ends.set(name, result.leave);
  };
  const enter = (name: string, options: Partial<Applicant> = {}): Promise<Admission> => {
    const told: number[] = [];
    places.set(name, told);
    const applicant = {
      client: name.replace(/\d+$/, ""),
      size: 1,
      patienceMs: 60_000,
      signal: new AbortController().signal,
      onPlace: (place: number) => told.push(place),
      ...options,
    };
    const admission = queue.enter(applicant);
    void note(name, admission);
    return admission;
  };
  /** Ends a run, and lets whoever follows begin. */
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await vi.advanceTimersByTimeAsync(0);
  };
  const settle = (): Promise<unknown> => vi.advanceTimersByTimeAsync(0);
  return { enter, end, settle, admitted, places };
}

describe("the queue of runs", () => {
  it("serves fifty at once, never more than its slots allow, and each of them", async () => {
    const { enter, end, settle, admitted } = start(8);
    for (let index = 0; index < 50; index++) void enter(`a${index}`);
    await settle();
    expect(admitted).toHaveLength(7);
    for (let index = 0; index < 50; index++) {
      await end(`a${index}`);
      expect(admitted.length - index - 1).toBeLessThanOrEqual(7);
    }
    expect(admitted).toEqual(Array.from({ length: 50 }, (_, index) => `a${index}`));
  });

  it("lets a client that has nothing running begin at once, whatever flood another one sends", async () => {
    const { enter, settle, admitted } = start(4);
    for (let index = 0; index < 50; index++) void enter(`flood${index}`);
    void enter("quiet0");
    await settle();
    expect(admitted).toEqual(["flood0", "flood1", "flood2", "quiet0"]);
  });

  it("lets clients take turns", async () => {
    const { enter, end, settle, admitted } = start(2);
    for (const name of ["a0", "a1", "a2", "b0", "b1", "b2", "c0"]) void enter(name);
    await settle();
    for (let index = 0; index < 7; index++) await end(admitted[index] ?? "");
    expect(admitted).toEqual(["a0", "b0", "c0", "a1", "b1", "a2", "b2"]);
  });

  it("gives its only slot to each in turn", async () => {
    const { enter, end, settle, admitted } = start(1);
    for (const name of ["a0", "a1", "b0"]) void enter(name);
    await settle();
    expect(admitted).toEqual(["a0"]);
    await end("a0");
    await end("b0");
    expect(admitted).toEqual(["a0", "b0", "a1"]);
  });

  it("tells the place in line, and tells it again only when it is better", async () => {
    const { enter, end, settle, places } = start(1);
    for (const name of ["a0", "a1", "a2", "a3"]) void enter(name);
    void enter("b0");
    await settle();
    await end("a0");
    await end("b0");
    expect(Object.fromEntries(places)).toEqual({ a0: [], a1: [1], a2: [2, 1], a3: [3, 2], b0: [1] });
  });

  it("refuses at once when the line is full", async () => {
    const { enter, settle } = start(1, 2);
    void enter("a0");
    void enter("b0");
    void enter("b1");
    expect(await enter("c0")).toEqual({ ok: false, reason: "full" });
    await settle();
  });

  it("keeps a part of the line free for others than the one who floods it", async () => {
    const { enter, settle, admitted } = start(2, 100);
    void enter("other0");
    const flood = await Promise.race([
      Promise.all(Array.from({ length: 200 }, (_, index) => enter(`flood${index}`))),
      settle(),
    ]);
    expect(flood).not.toBeInstanceOf(Array);
    const late = enter("quiet0");
    await settle();
    expect(admitted).toEqual(["other0", "flood0"]);
    expect(await Promise.race([late, "waits"])).toBe("waits");
    expect(await enter("flood999")).toEqual({ ok: false, reason: "full" });
  });

  it("holds no more code than fits in memory", async () => {
    const { enter } = start(1);
    void enter("a0", { size: 1_000_000 });
    for (let index = 1; index <= 16; index++) void enter(`a${index}`, { size: 1_000_000 });
    expect(await enter("a17", { size: 1 })).toEqual({ ok: false, reason: "full" });
  });

  it("gives up whoever has waited for too long, and lets the others move up", async () => {
    const { enter, settle, places, admitted, end } = start(1);
    void enter("a0");
    const late = enter("a1", { patienceMs: 1_000 });
    void enter("a2");
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await late).toEqual({ ok: false, reason: "late" });
    expect(places.get("a2")).toEqual([2, 1]);
    await end("a0");
    await settle();
    expect(admitted).toEqual(["a0", "a2"]);
  });

  it("lets whoever is cancelled leave the line at once", async () => {
    const { enter, end, admitted } = start(1);
    void enter("a0");
    const cancelling = new AbortController();
    const cancelled = enter("a1", { signal: cancelling.signal });
    cancelling.abort();
    expect(await cancelled).toEqual({ ok: false, reason: "cancelled" });
    expect(await enter("a2", { signal: cancelling.signal })).toEqual({ ok: false, reason: "cancelled" });
    void enter("a3");
    await end("a0");
    expect(admitted).toEqual(["a0", "a3"]);
  });

  it("takes a slot back once, however often it is given back", async () => {
    const { enter, end, settle, admitted } = start(3);
    for (const name of ["a0", "a1", "b0", "c0", "d0"]) void enter(name);
    await settle();
    await end("a0");
    await end("a0");
    expect(admitted).toEqual(["a0", "a1", "b0", "c0"]);
  });
});

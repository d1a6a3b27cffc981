import { expect, it } from "vitest";

import { MAX_UNANSWERED, SurgeGuard } from "../../sandbox-worker/surge.ts";

/** How many of `count` requests of a run are let out at a moment. */
function admitted(guard: SurgeGuard, runId: string, count: number, nowMs: number): (() => void)[] {
  return Array.from({ length: count }, () => guard.enter(runId, nowMs)).filter((leave) => leave !== null);
}

it("lets out so many requests without an answer, for each run", () => {
  const guard = new SurgeGuard();
  expect(admitted(guard, "a", MAX_UNANSWERED + 50, 0)).toHaveLength(MAX_UNANSWERED);
  expect(admitted(guard, "b", 10, 0)).toHaveLength(10);
});

it("lets out another for each that is answered", () => {
  const guard = new SurgeGuard();
  const leaves = admitted(guard, "a", MAX_UNANSWERED, 0);
  for (const leave of leaves.slice(0, 7)) leave();
  expect(admitted(guard, "a", 50, 999)).toHaveLength(7);
});

it("counts those that never tell for a second", () => {
  const guard = new SurgeGuard();
  const leaves = admitted(guard, "a", MAX_UNANSWERED, 0);
  expect(admitted(guard, "a", 1, 999)).toHaveLength(0);
  expect(admitted(guard, "a", MAX_UNANSWERED + 1, 1_000)).toHaveLength(MAX_UNANSWERED);
  // They belong to a second that is over, and make no room in this one.
  for (const leave of leaves) leave();
  expect(admitted(guard, "a", 1, 1_500)).toHaveLength(0);
});

it("remembers a thousand runs and no more", () => {
  const guard = new SurgeGuard();
  admitted(guard, "first", MAX_UNANSWERED, 0);
  for (let n = 0; n < 999; n++) guard.enter(`run ${n}`, 0);
  expect(admitted(guard, "first", 1, 0)).toHaveLength(0);
  guard.enter("one more", 0);
  expect(admitted(guard, "first", 1, 0)).toHaveLength(1);
});

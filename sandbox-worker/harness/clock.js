// The run's time, as the loops and functions of a guarded block ask for it. On the platform this clock stands still
// while code computes, and the platform's own limit ends a loop; locally it is what does.
import { now } from "./primordials.js";

let deadline = Infinity;

export function startClock(timeoutMs) {
  deadline = now() + timeoutMs;
}

/** Turns between two looks at the clock: fewer for slow ones, so that a look is never far off. */
const MAX_TURNS = 1024;
const LOOK_MS = 20;
let turns = MAX_TURNS;
let looked = 0;

/**
 * Answers how many turns may pass until it is asked again. Throws when the time is up; the outside has a clock of its
 * own, and goes by that whatever the code makes of this.
 */
export function check() {
  const at = now();
  if (at > deadline) throw new Error("the time was up while this was running");
  const isSlow = at - looked > LOOK_MS;
  looked = at;
  if (isSlow) turns = turns > 8 ? turns >> 3 : 1;
  else if (turns < MAX_TURNS) turns *= 2;
  return turns;
}

// The run's time, as the loops of the code ask for it. On the platform this clock stands still while code computes, and
// the platform's own limit ends a loop; locally it is what does.
import { now } from "./primordials.js";

let deadline = Infinity;

export function startClock(timeoutMs) {
  deadline = now() + timeoutMs;
}

/** Turns of a loop between two looks at the clock. */
const TURNS = 1024;

/**
 * Answers how many turns may pass until it is asked again. Throws when the time is up; the outside has a clock of its
 * own, and goes by that whatever the code makes of this.
 */
export function check() {
  if (now() > deadline) throw new Error("the time was up while this loop was running");
  return TURNS;
}

// The way to the outside while the code runs: lines and progress of this run, and calls by name to the run's owner.
import { classes, parseJson, stringify } from "./primordials.js";

let stub = null;

/** Tells the outside; the code is not to fail because nobody listens. */
async function tell(name, argument) {
  try {
    await stub[name](argument);
  } catch {
    // The run has ended, or its owner is gone; the outside knows better than this isolate what to make of it.
  }
}

export const host = {
  connect(to) {
    stub = to;
  },
  logs: (lines) => tell("logs", stringify(lines)),
  progress: (text) => tell("progress", text),
  /** Calls the run's owner by name and returns what it answers; throws an `Error` with the owner's words. */
  async call(name, argument) {
    const answer = parseJson(await stub.call(name, stringify(argument ?? null)));
    if (answer.ok !== true) throw new classes.Error(answer.message);
    return answer.value;
  },
};

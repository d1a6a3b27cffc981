// The way to the outside while the code runs. It carries lines and progress of this run, and can do nothing else.
import { stringify } from "./primordials.js";

let stub = null;

/** Calls the outside; the code is not to fail because nobody listens. */
async function call(name, argument) {
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
  logs: (lines) => call("logs", stringify(lines)),
  progress: (text) => call("progress", text),
};

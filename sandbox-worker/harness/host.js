// The way to the outside while the code runs. It carries lines and progress of this run, and can do nothing else.
import { onSettled } from "./primordials.js";

let stub = null;
const ignore = () => {};

export const host = {
  connect(to) {
    stub = to;
  },
  /** Answers a promise that always fulfils: the code is not to fail because nobody listens. */
  logs(lines) {
    return onSettled(stub.logs(lines), ignore, ignore);
  },
  progress(text) {
    return onSettled(stub.progress(text), ignore, ignore);
  },
};

// Errors that no `await` of the code sees: a rejection nobody handles, an exception in a timer. They end the run, as
// they end a process elsewhere; otherwise the code would wait for what cannot come.
import { uncurry } from "./primordials.js";

const SCHEDULERS = ["setTimeout", "setInterval", "setImmediate", "queueMicrotask"];
const apply = uncurry(Function.prototype.apply);

/** Calls `crash(error)` for each of them. */
export function watchCrashes(scope, crash) {
  scope.addEventListener("unhandledrejection", ({ reason }) => crash(reason));
  for (let index = 0; index < SCHEDULERS.length; index++) {
    const name = SCHEDULERS[index];
    const schedule = scope[name];
    if (typeof schedule !== "function") continue;
    scope[name] = {
      [name](...values) {
        if (typeof values[0] === "function") values[0] = guard(values[0], crash);
        return apply(schedule, undefined, values);
      },
    }[name];
  }
}

function guard(callback, crash) {
  return (...values) => {
    try {
      return apply(callback, undefined, values);
    } catch (error) {
      return crash(error);
    }
  };
}

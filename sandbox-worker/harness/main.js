// Runs the code in its isolate and answers one JSON text that says what came of it. What it says is parsed outside and
// believed no further than this: the code completed with a value, or it threw.
import { WorkerEntrypoint, env } from "cloudflare:workers";

import run from "./code.js";
import { startClock } from "./clock.js";
import { createConsole } from "./console.js";
import { watchCrashes } from "./crashes.js";
import { host } from "./host.js";
import { watchNetwork } from "./network.js";
import { createOutbox } from "./outbox.js";
import { installRecorder } from "./recorder.js";
import { assign, classes, onSettled, parseJson, push, stringify } from "./primordials.js";
import { renderResult, toFailure } from "./result.js";

// The runtime's own wait: the timers of a Node-compatible isolate are JavaScript that the code can break.
const wait = scheduler.wait.bind(scheduler);
const sending = [];
const outbox = createOutbox(
  (lines) => push(sending, host.logs(lines)),
  (callback) => onSettled(wait(0), callback),
);
/** Ends the run with an error; of use once the run has begun. */
let crash = (_error) => {};

const clock = performance.now.bind(performance);
assign(
  console,
  createConsole(outbox.add, () => Math.round(clock())),
);
watchCrashes(globalThis, (error) => crash(error));
const network = watchNetwork(globalThis);
// Code in the style of Deno and Bun reads its environment there; both hold names of credentials and nothing else. Code
// in the style of a browser says window.
const environment = { get: (name) => env[name], has: (name) => name in env, toObject: () => ({ ...env }) };
assign(globalThis, { Deno: { env: environment }, Bun: { env: { ...env } }, window: globalThis });

/** The answer of the code, or the first error that ended it, whether the code awaited it or not. */
async function evaluate(input) {
  try {
    return await new classes.Promise((resolve, reject) => {
      crash = reject;
      onSettled(finish(input), resolve, reject);
    });
  } catch (error) {
    return toFailure(error);
  }
}

async function finish(input) {
  const answer = await renderResult(await run(input));
  outbox.hold();
  // One turn of the event loop, at the end of which rejections that nobody handles are reported.
  await wait(0);
  warnOfPending();
  return answer;
}

function warnOfPending() {
  const pending = network.pending();
  for (let index = 0; index < pending.length; index++) {
    outbox.add("warn", `${pending[index]} was still on its way when the run ended: await it, or it may never be sent`);
  }
}

let started = false;

export default class Harness extends WorkerEntrypoint {
  /**
   * Runs the code, once; `stub` takes lines and progress while it runs. Of a
   * skill, `input` is a JSON text; `http` says whether its requests are recorded or replayed.
   */
  async evaluate(stub, timeoutMs, saved) {
    if (started) throw new Error("the code is running already");
    started = true;
    const { input: json, http } = saved;
    host.connect(stub);
    startClock(timeoutMs);
    if (http !== undefined) installRecorder(globalThis, http);
    const input = json === undefined ? undefined : parseJson(json);
    // What a skill that is written as a block reads.
    if (json !== undefined) assign(globalThis, { input });
    const answer = await evaluate(input);
    for (let index = 0; index < sending.length; index++) await sending[index];
    answer.logs = outbox.close();
    return stringify(answer);
  }
}

/** What a result says of the requests of a run: how far the writes had got, and what was not waited for. */
import { expect, it } from "vitest";

import { toRequestText } from "../../src/code/request-text.ts";
import type { LedgerEntry } from "../../src/contract/ledger.ts";
import type { Outcome } from "../../src/contract/outcome.ts";

let seq = 0;
function entry(method: string, path: string, rest: Partial<LedgerEntry>): LedgerEntry {
  seq += 1;
  const blank = { api: null, credentials: [], startedMs: 0, host: "api.test" };
  return { ...blank, seq, method, path, state: "answered", ms: 1, ...rest };
}

const done = entry("POST", "/done", { status: 201 });
const read = entry("GET", "/read", { status: 200 });
const half = entry("PUT", "/half", { status: 200, state: "cut_off", error: "run_ended" });
const inFlight = entry("POST", "/in-flight", { state: "cut_off" });
const refused = entry("DELETE", "/refused", { state: "refused", status: 403 });
const failed = entry("POST", "/failed", { state: "failed", error: "reset" });

const restarted: Outcome = { kind: "sandbox_restarted", logs: [] };
const timedOut: Outcome = { kind: "timed_out", timeoutMs: 5, logs: [] };
const completed: Outcome = { kind: "completed", value: { text: "1", json: "1", media: [] }, logs: [] };
const threw: Outcome = { kind: "threw", message: "Error: no", position: null, logs: [] };

it.each<[outcome: Outcome, ledger: LedgerEntry[], says: RegExp[]]>([
  [restarted, [done, half, inFlight, read], [/^4 requests, 2 writes had completed, 1 was in flight, 9 ms$/m]],
  [timedOut, [done], [/^1 request, 1 write had completed, 9 ms$/m, /^POST api.test\/done → 201$/m]],
  [timedOut, [inFlight, inFlight], [/^2 requests, no write had completed, 2 were in flight, 9 ms$/m]],
  [
    timedOut,
    [failed, refused],
    [/^2 requests, no write had completed, 9 ms$/m, /POST api.test\/failed → reset \(failed\)/],
  ],
  [timedOut, [read], [/^1 request, 9 ms$/m]],
  [completed, [done, half], [/^2 requests, 2 writes, 9 ms$/m]],
  [
    completed,
    [done, inFlight],
    [
      /^1 request was not awaited: POST api.test\/in-flight, cut off when the run ended$/m,
      /^2 requests, 2 writes, 9 ms$/m,
    ],
  ],
  [
    threw,
    [inFlight, entry("GET", "/too", { state: "sent" })],
    [/^2 requests were not awaited: POST api.test\/in-flight, GET api.test\/too, cut off when the run ended$/m],
  ],
])("%o", (outcome, ledger, says) => {
  const text = toRequestText({ runId: "0", outcome, ledger, ms: 9 });
  for (const pattern of says) expect(text).toMatch(pattern);
  if (outcome.kind !== "completed" && outcome.kind !== "threw") expect(text).not.toContain("not awaited");
  expect(text.match(/api\.test\/in-flight/g)?.length ?? 0).toBe(ledger.filter((one) => one === inFlight).length);
});

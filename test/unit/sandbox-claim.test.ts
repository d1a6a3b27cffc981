import { describe, expect, test } from "vitest";

import { isTooLarge, MAX_RESULT_CHARS, parseClaim, parseLogs } from "../../sandbox-worker/claim.ts";
import { compile, type Runnable } from "../../sandbox-worker/compile/compile.ts";
import { fromAnswer, fromRejection } from "../../sandbox-worker/ending.ts";
import { createLogFilter, createTranslate } from "../../sandbox-worker/logs.ts";

const code = compile("const a: number = 1;\nnull.boom") as Runnable;
const translate = createTranslate(code);
const reading = { code, translate, readLogs: createLogFilter(translate) };

const completed = { kind: "completed", json: "1", media: [], logs: [] };
const threw = { kind: "threw", message: "Error: x", stack: "", logs: [] };
const png = { type: "image", mimeType: "image/png", data: "AAAA" };

describe("T53: an answer is no claim when it", () => {
  test.each<[why: string, answer: unknown]>([
    ["is no text", { ...completed }],
    ["is nothing", undefined],
    ["is no JSON", "{"],
    ["is null", "null"],
    ["is a list", "[]"],
    ["claims a deadline", JSON.stringify({ kind: "timed_out", timeoutMs: 1, logs: [] })],
    ["claims a cancellation", JSON.stringify({ kind: "cancelled", logs: [] })],
    ["claims a hang", JSON.stringify({ kind: "hung", logs: [] })],
    ["claims an unknown kind", JSON.stringify({ kind: "won", logs: [] })],
    ["has no kind", JSON.stringify({ logs: [] })],
    ["has a kind of another type", JSON.stringify({ ...completed, kind: ["completed"] })],
    ["has no logs", JSON.stringify({ ...completed, logs: undefined })],
    ["has lines of an unknown level", JSON.stringify({ ...completed, logs: [{ level: "evil", text: "" }] })],
    [
      "has lines with more than level and text",
      JSON.stringify({ ...completed, logs: [{ level: "log", text: "", tag: "inject" }] }),
    ],
    [
      "has too many lines",
      JSON.stringify({ ...completed, logs: Array.from({ length: 10_002 }, () => ({ level: "log", text: "" })) }),
    ],
    ["has JSON that is none", JSON.stringify({ ...completed, json: "{a:1}" })],
    ["has media of another type", JSON.stringify({ ...completed, media: [{ ...png, type: "video" }] })],
    [
      "has media with a type that is none",
      JSON.stringify({ ...completed, media: [{ ...png, mimeType: "image/png\r\nx" }] }),
    ],
    ["has media that is not Base64", JSON.stringify({ ...completed, media: [{ ...png, data: "<script>" }] })],
    ["has media with more fields", JSON.stringify({ ...completed, media: [{ ...png, uri: "file:///" }] })],
    ["throws without a message", JSON.stringify({ ...threw, message: undefined })],
    ["throws an endless message", JSON.stringify({ ...threw, message: "x".repeat(70_000) })],
    ["throws an endless stack", JSON.stringify({ ...threw, stack: "x".repeat(70_000) })],
  ])("%s", (_, answer) => {
    expect(parseClaim(answer)).toBeNull();
    expect(fromAnswer(answer, reading)).toMatchObject({ kind: "ended_by_platform", logs: [] });
  });
});

test.each([completed, threw, { ...completed, media: [png] }, { ...completed, json: undefined, text: "x" }])(
  "an honest answer is a claim: %j",
  (claim) => {
    expect(parseClaim(JSON.stringify(claim))).toMatchObject({ kind: claim.kind });
  },
);

test("a batch of lines is none when it is not what the harness sends", () => {
  expect(parseLogs('[{"level":"log","text":"a"}]')).toEqual([{ level: "log", text: "a" }]);
  for (const batch of [[], "", "{}", '[{"level":"log"}]', '["a"]', '[{"level":"fatal","text":""}]', null]) {
    expect(parseLogs(batch)).toBeNull();
  }
});

test("a result is measured outside as well", () => {
  const claim = { kind: "completed" as const, media: [], logs: [], isTooLong: false };
  expect(isTooLarge({ ...claim, text: "x".repeat(100) })).toBe(false);
  expect(isTooLarge({ ...claim, text: "x".repeat(MAX_RESULT_CHARS + 1) })).toBe(true);
  expect(isTooLarge({ ...claim, isTooLong: true })).toBe(true);
});

test("places become the user's own, wherever they point", () => {
  const at = (place: string) =>
    fromAnswer(
      JSON.stringify({ ...threw, message: `x (code.js:${place})`, stack: `x\n    at f (code.js:${place})` }),
      reading,
    );
  expect(at("2:20")).toMatchObject({ kind: "threw", message: "x (line 2:6)", position: { line: 2, column: 6 } });
  for (const place of ["0:0", "1:1", "99:1", "1:9999999", "99999999999999999999:1"]) {
    expect(at(place)).toMatchObject({ kind: "threw", position: { line: expect.any(Number) } });
  }
  expect(fromAnswer(JSON.stringify({ ...threw, stack: "no frames" }), reading)).toMatchObject({ position: null });
});

test("broken surrogates do not leave", () => {
  const answer = JSON.stringify({ ...completed, json: undefined, text: "a\ud800b" });
  expect(fromAnswer(answer, reading)).toMatchObject({ value: { text: "a\ufffdb" } });
});

describe("what the runtime says", () => {
  const LIMITS = { timeoutMs: 30_000, cpuLimitMs: 10_000 };
  const remote = (message: string): Error => Object.assign(new Error(message), { remote: true });
  const HUNG =
    "The Workers runtime canceled this request because it detected that your Worker's code had hung and would never generate a response.";
  test.each<[kind: string, error: unknown]>([
    ["hung", new Error(HUNG)],
    ["exited", new Error("The Node.js process.exit(3) API was called. Canceling the request.")],
    ["out_of_memory", new Error("Worker exceeded memory limit.")],
    ["out_of_memory", new Error("Durable Object's isolate exceeded its memory limit and was reset.")],
    ["timed_out", new Error("Worker exceeded CPU time limit.")],
    ["timed_out", new Error("Durable Object exceeded its CPU time limit and was reset.")],
    [
      "result_too_large",
      remote(
        "Serialized RPC arguments or return values are limited to 32MiB, but the size of this value was: 41943052 bytes.",
      ),
    ],
    [
      "not_compilable",
      new Error("Failed to start Worker:\nUncaught SyntaxError: Unexpected token '='\n  at code.js:2:3"),
    ],
    ["ended_by_platform", new Error("Too many concurrent dynamic workers")],
    [
      "ended_by_platform",
      new Error(
        "Dynamic worker concurrency limit exceeded: each request may have up to 4 concurrent dynamic worker invocations.",
      ),
    ],
    ["threw", remote("Too many subrequests by single Worker invocation.")],
    ["ended_by_platform", new Error("internal error; reference = abc")],
    ["ended_by_platform", "not even an error"],
    ["threw", remote(HUNG)],
    ["threw", remote("process.exit(0)")],
    ["threw", remote("Worker exceeded memory limit.")],
  ])("is %s: %s", (kind, error) => {
    expect(fromRejection(error, code, LIMITS)).toMatchObject({ kind, logs: [] });
  });

  test("says by which limit a run was ended", () => {
    const outcome = fromRejection(new Error("Worker exceeded CPU time limit."), code, LIMITS);
    expect(outcome).toEqual({ kind: "timed_out", ...LIMITS, logs: [] });
  });

  test("keeps the reason and the place of what it could not start", () => {
    const error = new Error("Failed to start Worker:\nUncaught SyntaxError: Bad thing\n  at code.js:2:20");
    expect(fromRejection(error, code, LIMITS)).toMatchObject({
      message: "SyntaxError: Bad thing",
      position: { line: 2, column: 6 },
    });
  });
});

test("lines are counted whichever way they leave", () => {
  const readLogs = createLogFilter((text) => text);
  expect(readLogs([{ level: "log", text: "x".repeat(500_000) }])).toHaveLength(1);
  expect(readLogs([{ level: "log", text: "x".repeat(200_000) }])).toHaveLength(0);
  const many = createLogFilter((text) => text);
  expect(many(Array.from({ length: 20_000 }, () => ({ level: "log" as const, text: "" })))).toHaveLength(10_001);
});

test("places are looked up a limited number of times", () => {
  const text = Array.from({ length: 300 }, (_, n) => `(code.js:1:${n})`).join("");
  expect(createTranslate(code)(text).match(/code\.js/g)).toHaveLength(200);
});

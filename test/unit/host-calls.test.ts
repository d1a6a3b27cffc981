/** Calls of a block to the server: what is answered, and that nothing of a failure on the server gets to the code. */
import { describe, expect, it, vi } from "vitest";

import { narrowApis } from "../../src/auth/auth.ts";
import { answerHostCall, HostCallError, type CallingRun, type HostCalls } from "../../src/code/host-calls.ts";
import { resultCalls } from "../../src/code/result-calls.ts";

const RUN: CallingRun = {
  runId: "0b8f8d3e-52f5-4b0c-9d4e-2f6a5c1e7a10",
  auth: { principal: "ada", scopes: ["run"], apis: null },
  readOnly: false,
  apis: ["payments"],
  signal: new AbortController().signal,
  timeoutMs: 1_000,
  deadlineMs: 1_000,
  parent: null,
  depth: 0,
  context: {
    tool: "execute_code",
    client: { id: "a", name: "a", version: "1" },
    signal: new AbortController().signal,
    onRequest: () => {},
    onProgress: () => {},
  },
};

const CALLS: HostCalls = {
  "test.echo": async (argument, { auth }) => ({ argument, principal: auth.principal }),
  "test.nothing": async () => undefined,
  "test.refuse": async () => {
    throw new HostCallError("there is no result of that id");
  },
  "test.break": async () => {
    throw new TypeError("the text of a fault, with internals");
  },
};

async function call(name: string, argument = "null"): Promise<unknown> {
  return JSON.parse(await answerHostCall(CALLS, RUN, [name, argument]));
}

describe("a call of a block to the server", () => {
  it("gets the handler's answer, and the handler the run that calls", async () => {
    expect(await call("test.echo", '{"a":[1]}')).toEqual({
      ok: true,
      value: { argument: { a: [1] }, principal: "ada" },
    });
  });

  it("that answers nothing answers null", async () => {
    expect(await call("test.nothing")).toEqual({ ok: true, value: null });
  });

  it("is told why it was refused", async () => {
    expect(await call("test.refuse")).toEqual({ ok: false, message: "there is no result of that id" });
  });

  it.each(["test.unknown", "constructor", "__proto__", "toString"])(
    "to %s, which is no handler, says so",
    async (name) => {
      expect(await call(name)).toEqual({ ok: false, message: `this server knows no ${JSON.stringify(name)}` });
    },
  );

  it("that fails on the server is told so without the fault's text", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(await call("test.break")).toEqual({
      ok: false,
      message: "test.break failed on the server; its log says where",
    });
    expect(log).toHaveBeenCalledWith("unexpected: test.break: TypeError");
    log.mockRestore();
  });
});

describe("the results that a run may read", () => {
  it.each([
    { token: null, run: ["payments"], expected: ["payments"] },
    { token: ["payments", "mail"], run: ["payments"], expected: ["payments"] },
    { token: ["payments"], run: null, expected: ["payments"] },
    { token: null, run: null, expected: null },
  ])("T42: of a token for $token and a run with $run come of $expected", async ({ token, run, expected }) => {
    const asked: unknown[] = [];
    const calls = resultCalls({
      read: async ({ apis }) => (asked.push(apis), null),
      list: ({ apis }) => (asked.push(apis), []),
    });
    const reader = { ...RUN, auth: { ...RUN.auth, apis: token }, apis: run };
    await answerHostCall(calls, reader, ["results.list", "null"]);
    await answerHostCall(calls, reader, ["results.read", '{"id":"x","page":1}']);
    expect(asked).toEqual([expected, expected]);
  });
});

describe("what two lists of APIs have in common", () => {
  it.each([
    { a: null, b: null, both: null },
    { a: ["x"], b: null, both: ["x"] },
    { a: null, b: ["y"], both: ["y"] },
    { a: ["x", "y"], b: ["y", "z"], both: ["y"] },
    { a: [], b: ["y"], both: [] },
  ])("$a and $b: $both", ({ a, b, both }) => {
    expect(narrowApis(a, b)).toEqual(both);
  });
});

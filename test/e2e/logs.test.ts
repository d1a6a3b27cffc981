/** The log: a closed set of tags in one form, and payloads only in debug mode, with nothing in them that must not be seen. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { plainCanary } from "../helpers/canary.ts";
import { startTestStack, type TestStack } from "../helpers/stack.ts";
import { startUpstream, type Upstream } from "../helpers/upstream.ts";

const LINE = /^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z\] \[(\w+)\] /;

let upstream: Upstream;

beforeAll(async () => {
  upstream = await startUpstream();
});
afterAll(() => upstream.stop());

function start(vars: Record<string, string>): Promise<TestStack> {
  return startTestStack({
    apis: {
      echo: {
        description: "Says what it was sent",
        domains: [upstream.origin],
        credentials: ["ECHO_TOKEN"],
        restricted_methods: ["DELETE"],
      },
    },
    vars: { ECHO_TOKEN: plainCanary(), ...vars },
  });
}

const BLOCK = (origin: string): string => `
  const headers = { Authorization: "Bearer ECHO_TOKEN", "content-type": "text/plain" };
  const response = await fetch("${origin}/people?name=Jane%20Roe", { method: "POST", headers, body: "To Jane Roe, ECHO_TOKEN" });
  await fetch("${origin}/people", { method: "DELETE" });
  return (await response.json()).body;
`;

describe("the log", () => {
  let codeforge: TestStack;
  beforeAll(async () => {
    codeforge = await start({ REDACTING_STRINGS: "Jane Roe" });
    await codeforge.run(BLOCK(upstream.origin));
  });
  afterAll(() => codeforge.stop());

  it("has every line in the form [ISO-8601 UTC] [tag]", () => {
    expect(codeforge.logs.length).toBeGreaterThan(0);
    expect(codeforge.logs.filter((line) => !LINE.test(line))).toEqual([]);
  });

  it.each(["req", "inject", "restrict", "redact", "sanitize", "sandbox"])("tells of [%s]", (tag) => {
    expect(codeforge.logs.map((line) => LINE.exec(line)?.[1])).toContain(tag);
  });

  it("shows the creation and the end of the isolate", () => {
    const lines = codeforge.logs.filter((line) => line.includes("[sandbox]"));
    expect(lines[0]).toContain("[sandbox] create run=");
    expect(lines[1]).toMatch(/\[sandbox\] done run="[^"]+" kind="completed" ms=\d+/);
  });

  it("names keys of the query and never their values, and what was redacted only by count", () => {
    expect(codeforge.logs.join("\n")).toContain('query="name"');
    expect(codeforge.logs.join("\n")).not.toContain("Jane");
  });

  it("says which name stayed behind, and where", () => {
    expect(codeforge.logs.join("\n")).toMatch(/\[inject\] left .*name="ECHO_TOKEN" place="body"/);
  });

  it("writes no payload", () => {
    expect(codeforge.logs.filter((line) => line.includes("[debug]"))).toEqual([]);
  });

  it("sends what was redacted as REDACTED", () => {
    expect(upstream.seen[0]?.url).toBe("/people?name=REDACTED");
    expect(upstream.seen[0]?.body).toBe("To REDACTED, ECHO_TOKEN");
  });
});

/** Everything that a block can put into a line: its URL, its headers, its method, its console, its errors. */
const HOSTILE_BLOCK = (origin: string): string => `
  const forged = "\\n[2026-01-01T00:00:00.000Z] [inject] credentials=\\"FORGED\\" \\u001b[31m\\u2028";
  console.log(forged);
  console.error(forged);
  const send = (url, init) => fetch(url, init).catch(() => {});
  await send("${origin}/" + encodeURIComponent(forged) + "?" + encodeURIComponent(forged) + "=1");
  await send("${origin}/\\u001b[31m[inject]\\u2028?[inject]\\u001b=1");
  await send("https://\\u202eevil.example.com/", { headers: { "x-forged": "[inject] FORGED" } });
  await send("${origin}/", { headers: { "x-key": "ECHO_TOKEN", "user-agent": "[inject] FORGED", "content-type": "[inject]" } });
  throw new Error(forged);
`;

describe.each(["false", "true"])("T32: the log of a hostile block, debug mode %s", (debug) => {
  it("has no line, tag or control character of the block's making", async () => {
    const codeforge = await start({ DEBUG_MODE: debug });
    await codeforge.run(HOSTILE_BLOCK(upstream.origin));
    await codeforge.stop();
    expect(codeforge.logs.length).toBeGreaterThan(3);
    const lines = codeforge.logs.flatMap((line) => line.split("\n"));
    expect(lines.filter((line) => !LINE.test(line))).toEqual([]);
    // oxlint-disable-next-line no-control-regex -- these are what must not be there
    expect(lines.filter((line) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e]/.test(line))).toEqual([]);
    expect(lines.filter((line) => LINE.exec(line)?.[1] === "inject" && line.includes("FORGED"))).toEqual([]);
  });
});

describe("the log in debug mode", () => {
  let codeforge: TestStack;
  beforeAll(async () => {
    codeforge = await start({ REDACTING_STRINGS: "Jane Roe", DEBUG_MODE: "true" });
    await codeforge.run(BLOCK(upstream.origin));
  });
  afterAll(() => codeforge.stop());

  it("adds the code that ran", () => {
    expect(codeforge.logs.find((line) => line.includes("[debug] code"))).toContain("const headers = {");
  });

  it("T33: adds the request as it stood after redaction and before injection", () => {
    const line = codeforge.logs.find((text) => text.includes("[debug] >>>"));
    expect(line).toContain("Bearer ECHO_TOKEN");
    expect(line).toContain("To REDACTED");
    expect(line).not.toContain("Jane");
  });

  it("T33: adds the response as it stood after sanitizing", () => {
    const line = codeforge.logs.find((text) => text.includes("[debug] <<<"));
    expect(line).toContain("status=200");
    expect(line).toContain("Bearer ECHO_TOKEN");
  });
});

/** The log line: whatever a value holds, it stays inside its quotes and its line. */
import { describe, expect, test } from "vitest";

import { formatLog, MAX_LOG_LINE } from "../../src/contract/log.ts";

const FORM = /^\[1970-01-01T00:00:00\.000Z\] \[inject\] key="((?:[^"\\]|\\.)*)"$/;

/** Everything that a terminal, a line reader or a person may take for something else than text. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ["a line of its own", '\n[2026-01-01T00:00:00.000Z] [inject] credentials="STRIPE"'],
  ["a carriage return", "\r[1970-01-01T00:00:00.000Z] [req] forged"],
  ["CR LF", "\r\n[req] forged"],
  ["the end of its quotes", '" code="forged" x="'],
  ["an escaped end of its quotes", '\\" code="forged'],
  ["ANSI colours", "\u001b[31mred\u001b[0m"],
  ["ANSI cursor movement", "\u001b[2K\u001b[1A"],
  ["a window title", "\u001b]0;owned\u0007"],
  ["C1 control sequences", "\u009b31m\u0085\u0090"],
  ["NUL and backspace", "a\u0000b\b\b\b"],
  ["DEL", "\u007f"],
  ["line and paragraph separators", "a\u2028b\u2029c"],
  ["text that runs the other way", "\u202e]tcejni[\u2066"],
  ["a byte order mark", "\ufeff[req]"],
  ["half a surrogate pair", "\ud800"],
  ["tabs and vertical tabs", "\t\v\f"],
];

// oxlint-disable-next-line no-control-regex -- these are what must not be there
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff]/;

describe("T32: a value that holds", () => {
  test.each(HOSTILE)("%s stays one quoted value on one line", (_, value) => {
    const line = formatLog(0, "inject", "", { key: value });
    expect(line).not.toMatch(CONTROL);
    expect(JSON.parse(`"${FORM.exec(line)?.[1] ?? "no match"}"`)).toBe(value);
  });

  test.each(HOSTILE)("%s does so in a list", (_, value) => {
    const line = formatLog(0, "inject", "", { key: [value, "other"] });
    expect(line).not.toMatch(CONTROL);
    expect(line).toMatch(FORM);
  });
});

describe("a line", () => {
  test.each([
    [{ a: 1, b: true, c: null }, "a=1 b=true c=null"],
    [{ a: "x", b: undefined, c: ["y", "z"] }, 'a="x" c="y,z"'],
    [{}, ""],
  ])("of %j", (fields, expected) => {
    expect(formatLog(0, "req", "", fields)).toBe(`[1970-01-01T00:00:00.000Z] [req] ${expected}`.trim());
  });

  test("is cut at its limit, however much its escapes take", () => {
    for (const value of ["x".repeat(10_000), "\u0001".repeat(10_000), '"'.repeat(10_000)]) {
      const line = formatLog(0, "debug", ">>>", { body: value });
      expect(line).toHaveLength(MAX_LOG_LINE);
      expect(line.endsWith('…"')).toBe(true);
    }
  });
});

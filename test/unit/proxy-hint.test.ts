import { expect, test } from "vitest";

import { wordHint } from "../../outbound-proxy/hint.ts";

test.each([
  ["place", "KEY", "query:k", 'KEY went out as it stands: its config does not open "query:k".'],
  ["other_api", "KEY", "path", "KEY went out as it stands: it belongs to another API than this request goes to."],
  ["unset", "KEY", "path", "KEY went out as it stands: it has no value yet (npx codeforge secret set KEY)."],
  ["encoded", "KEY", "body:k", 'KEY went out as it stands: in "body:k" it is written with escapes.'],
] as const)("T38: a name left for the reason %s is explained", (reason, name, place, expected) => {
  expect(wordHint([{ name, place, reason }])).toBe(expected);
});

test("several are one line that a header can carry, whatever the code called its fields", () => {
  const hint = wordHint([
    { name: "ONE", place: "body:é\r\nx-evil: 1", reason: "place" },
    { name: "TWO", place: "path", reason: "unset" },
  ]);
  expect(hint).toMatch(/^ONE [ -~]+ TWO [ -~]+$/);
  expect(new Headers({ "x-codeforge-hint": hint! }).get("x-codeforge-hint")).toBe(hint);
});

test("nothing left, nothing said", () => {
  expect(wordHint([])).toBeNull();
});

/** The mapping's specification and its tests name the same rules. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

import { SKIP_RULES } from "../../src/openapi/skip.ts";

const page = readFileSync(new URL("../../docs/openapi-mapping.md", import.meta.url), "utf8");
const sections = page.split(/^## /m).slice(1);
const rules = sections.map((section) => /^(M\d+[a-z]?)\./.exec(section)?.[1] ?? section.slice(0, 20));

/** The rules that titles of tests name: `describe("M5: …`. */
function testedRules(): string[] {
  const files = readdirSync(import.meta.dirname).filter((name) => /^openapi-.*\.test\.ts$/.test(name));
  const sources = files.map((name) => readFileSync(`${import.meta.dirname}/${name}`, "utf8"));
  return [
    ...new Set(
      sources.flatMap((source) =>
        [...source.matchAll(/(?:describe|test)\("(M\d+[a-z]?): /g)].map((match) => match[1] ?? ""),
      ),
    ),
  ];
}

test("every rule of the specification has a test that names it, and every test a rule", () => {
  expect(testedRules().toSorted()).toEqual(rules.toSorted());
});

test("the rules are M0 to M18, in order", () => {
  const expected = [...Array.from({ length: 19 }, (_, i) => `M${i}`), "M13a", "M13b"];
  expect(rules.toSorted()).toEqual(expected.toSorted());
  const number = (rule: string): number => Number(/\d+/.exec(rule)?.[0]);
  expect(rules).toEqual(rules.toSorted((a, b) => number(a) - number(b) || (a < b ? -1 : 1)));
});

test.each(sections.map((section, i) => [rules[i], section]))("%s has a rule, a reason and an example", (_, section) => {
  for (const part of ["**Rule.**", "**Why.**", "**Example.**"]) expect(section).toContain(part);
});

test("every rule by which an operation is skipped is in the specification", () => {
  for (const rule of SKIP_RULES) expect(page).toContain(`\`${rule}\``);
});

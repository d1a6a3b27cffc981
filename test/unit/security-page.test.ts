/** `docs/security.md` is what people judge us by: what its table names must exist, and nothing may be missing. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { expect, test } from "vitest";

import { readMutants, threatOf } from "../mutants/mutants.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const IDS = Array.from({ length: 55 }, (_, index) => `T${index + 1}`);

const rows = [...readFileSync(join(ROOT, "docs/security.md"), "utf8").matchAll(/^\| (T\d+) .*\|$/gm)].map(([row]) => {
  const [id = "", threat = "", measure = "", test = "", mutant = ""] = row
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
  const [, file = "", title = ""] = /^`([^`]+)`: (.+)$/.exec(test) ?? [];
  return { id, threat, measure, file, title, mutant };
});
const mutants = readMutants();

test("the table has one row for each threat, in order", () => {
  expect(rows.map(({ id }) => id)).toEqual(IDS);
  expect(rows.filter(({ threat, measure }) => threat === "" || measure === "")).toEqual([]);
});

test.each(rows)("$id: its test and its mutant exist", ({ id, file, title, mutant }) => {
  const source = readFileSync(join(ROOT, "test", file), "utf8");
  expect(source.includes(`"${title}`), `${file} has a test "${title}"`).toBe(true);
  expect(new RegExp(`\\b${id}\\b`).test(source), `${file} names ${id}`).toBe(true);
  expect(mutants.find(({ name }) => name === mutant)?.name).toBe(mutant);
  expect(mutant.startsWith(`${id} `)).toBe(true);
});

test("each mutant's passage stands once in its file, and its tests exist", () => {
  const broken = mutants.filter(({ file, find, tests }) => {
    readFileSync(join(ROOT, tests));
    return readFileSync(join(ROOT, file), "utf8").split(find).length !== 2;
  });
  expect(broken).toEqual([]);
});

test("no mutant is named for a threat that does not exist, and no name is used twice", () => {
  const threats = mutants.map(threatOf).filter((threat) => threat !== undefined);
  expect(threats.filter((threat) => !IDS.includes(threat))).toEqual([]);
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
});

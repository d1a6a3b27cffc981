/**
 * Applies each mutant of the given lists to a copy of the sources and demands that its tests fail: a mitigation whose
 * removal no test notices is not tested. Usage: `node test/mutants/run.ts [part of a name]`. Nothing is changed in place.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

import { z } from "zod";

/** A change of one passage that takes a mitigation out, and the tests that must then fail. */
const Mutant = z.strictObject({
  /** The threat's id and what is taken out. */
  name: z.string(),
  file: z.string(),
  /** Stands exactly once in the file. */
  find: z.string(),
  replace: z.string(),
  tests: z.string(),
});
type Mutant = z.infer<typeof Mutant>;

const root = path.resolve(import.meta.dirname, "../..");
const SKIPPED = new Set(["node_modules", "dist"]);

/** What is wrong about a mutant, or null when its tests failed as they should. */
function tryMutant(copy: string, mutant: Mutant): string | null {
  const file = path.join(copy, mutant.file);
  const before = readFileSync(file, "utf8");
  if (before.split(mutant.find).length !== 2) return "its passage does not stand exactly once in the file";
  writeFileSync(
    file,
    before.replace(mutant.find, () => mutant.replace),
  );
  const noticed = !passes(copy, [mutant.tests]);
  writeFileSync(file, before);
  return noticed ? null : "no test noticed";
}

function passes(copy: string, tests: readonly string[]): boolean {
  const vitest = path.join(root, "node_modules/vitest/vitest.mjs");
  return spawnSync(process.execPath, [vitest, "run", "--bail=1", ...tests], { cwd: copy }).status === 0;
}

const wanted = process.argv[2] ?? "";
const mutants = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith(".json"))
  .flatMap((name) => z.array(Mutant).parse(JSON.parse(readFileSync(path.join(import.meta.dirname, name), "utf8"))))
  .filter(({ name }) => name.includes(wanted));

const copy = mkdtempSync(path.join(tmpdir(), "codeforge-mutants-"));
try {
  for (const name of readdirSync(root)) {
    if (SKIPPED.has(name) || name.startsWith(".")) continue;
    cpSync(path.join(root, name), path.join(copy, name), { recursive: true });
  }
  symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"), "junction");
  const tests = [...new Set(mutants.map((mutant) => mutant.tests))];
  if (!passes(copy, tests)) throw new Error("the tests fail without any mutant; make them pass first");
  const problems = mutants.flatMap((mutant) => {
    const problem = tryMutant(copy, mutant);
    console.log(
      `${problem === null ? "killed  " : "SURVIVED"} ${mutant.name}${problem === null ? "" : `: ${problem}`}`,
    );
    return problem === null ? [] : [problem];
  });
  console.log(`${mutants.length - problems.length} killed, ${problems.length} survived`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} finally {
  rmSync(copy, { recursive: true, force: true });
}

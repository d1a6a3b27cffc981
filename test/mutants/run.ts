/**
 * Applies mutants to copies of the sources and demands that their tests fail: a mitigation whose removal no test notices
 * is not tested. Nothing is changed in place. Two are tried at a time, those with quick tests first.
 *
 *     node test/mutants/run.ts                 the first mutant of each threat, within BUDGET_MINUTES
 *     node test/mutants/run.ts --all           every mutant
 *     node test/mutants/run.ts T15             those whose name holds the text
 *
 * `--tests-passed` leaves out the run without any mutant, for who has just had it.
 */
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";

import { firstOfEach, readMutants, type Mutant } from "./mutants.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const SKIPPED = new Set(["node_modules", "dist"]);
const WORKERS = 2;

/** A mutant that is not tried by then is listed as such, and its threat by its name. */
const BUDGET_MINUTES = 8;

/** A test that takes longer has noticed. */
const TEST_TIMEOUT_MS = 240_000;

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, "tests-passed": { type: "boolean", default: false } },
});
const [wanted] = positionals;

/** What is wrong about a mutant, or null when its tests failed as they should. */
async function tryMutant(copy: string, mutant: Mutant): Promise<string | null> {
  const file = path.join(copy, mutant.file);
  const before = readFileSync(file, "utf8");
  if (before.split(mutant.find).length !== 2) return "its passage does not stand exactly once in the file";
  writeFileSync(
    file,
    before.replace(mutant.find, () => mutant.replace),
  );
  const noticed = !(await passes(copy, [mutant.tests, ...(mutant.only === undefined ? [] : ["-t", mutant.only])]));
  writeFileSync(file, before);
  return noticed ? null : "no test noticed";
}

function passes(copy: string, args: readonly string[]): Promise<boolean> {
  const vitest = path.join(ROOT, "node_modules/vitest/vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run", "--bail=1", ...args], {
    cwd: copy,
    stdio: "ignore",
    timeout: TEST_TIMEOUT_MS,
  });
  return new Promise((done) => child.once("close", (code) => done(code === 0)));
}

function makeCopy(): string {
  const copy = mkdtempSync(path.join(tmpdir(), "codeforge-mutants-"));
  for (const name of readdirSync(ROOT)) {
    if (SKIPPED.has(name) || name.startsWith(".")) continue;
    const filter = (source: string): boolean => !path.basename(source).startsWith(".dev.vars");
    cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true, filter });
  }
  symlinkSync(path.join(ROOT, "node_modules"), path.join(copy, "node_modules"), "junction");
  return copy;
}

const found = readMutants();
const chosen =
  wanted !== undefined ? found.filter(({ name }) => name.includes(wanted)) : options.all ? found : firstOfEach(found);
const isBounded = wanted === undefined && !options.all;
const isSlow = ({ tests }: Mutant): number => (tests.startsWith("test/unit/") ? 0 : 1);
const queue = chosen.toSorted((a, b) => isSlow(a) - isSlow(b));
const deadlineMs = isBounded ? Date.now() + BUDGET_MINUTES * 60_000 : Infinity;
console.log(`${queue.length} of ${found.length} mutants${isBounded ? `, within ${BUDGET_MINUTES} minutes` : ""}`);

const copies = Array.from({ length: WORKERS }, makeCopy);
try {
  const [first = ""] = copies;
  if (!options["tests-passed"] && !(await passes(first, [...new Set(chosen.map(({ tests }) => tests))]))) {
    throw new Error("the tests fail without any mutant; make them pass first");
  }
  let survived = 0;
  let killed = 0;
  await Promise.all(
    copies.map(async (copy) => {
      for (let mutant = queue.shift(); mutant !== undefined; mutant = queue.shift()) {
        if (Date.now() > deadlineMs) {
          console.log(`not tried ${mutant.name}`);
          continue;
        }
        const problem = await tryMutant(copy, mutant);
        if (problem === null) killed++;
        else survived++;
        console.log(problem === null ? `killed    ${mutant.name}` : `SURVIVED  ${mutant.name}: ${problem}`);
      }
    }),
  );
  console.log(`${killed} killed, ${survived} survived`);
  process.exitCode = survived === 0 ? 0 : 1;
} finally {
  for (const copy of copies) rmSync(copy, { recursive: true, force: true });
}

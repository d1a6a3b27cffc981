/** The mutants: named patches, each of which takes one mitigation out. */
import { readdirSync, readFileSync } from "node:fs";
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
  /** Runs only the tests whose title holds this, where the whole file takes long. */
  only: z.string().optional(),
});
export type Mutant = z.infer<typeof Mutant>;

/** Every mutant of the lists in this folder. */
export function readMutants(): Mutant[] {
  return readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith(".json"))
    .flatMap((name) => z.array(Mutant).parse(JSON.parse(readFileSync(path.join(import.meta.dirname, name), "utf8"))));
}

/** The threat that a mutant belongs to: `T15`; undefined when it belongs to none. */
export function threatOf({ name }: Mutant): string | undefined {
  return /^T\d+/.exec(name)?.[0];
}

/** One mutant for each threat. */
export function firstOfEach(mutants: readonly Mutant[]): Mutant[] {
  const seen = new Set<string>();
  return mutants.filter((mutant) => {
    const threat = threatOf(mutant);
    if (threat === undefined || seen.has(threat)) return false;
    seen.add(threat);
    return true;
  });
}

/** The skills this Worker was built with, parsed once. */
import skillsText from "../../dist/skills.txt";
import { z } from "zod";

import { SkillEntry } from "./format.ts";
import type { BuiltIn } from "./library.ts";
import { PackedFiles, unpackFiles } from "./packed.ts";

const BuiltSkills = z.array(z.object({ entry: SkillEntry, files: PackedFiles }));

let loaded: ReadonlyMap<string, BuiltIn> | undefined;

/** The skills of `skills/`, by name. A malformed list is a broken build and throws. */
export function loadBuiltIns(): ReadonlyMap<string, BuiltIn> {
  loaded ??= new Map(
    BuiltSkills.parse(JSON.parse(skillsText)).map(({ entry, files }) => [
      entry.name,
      { entry, files: unpackFiles(files) },
    ]),
  );
  return loaded;
}

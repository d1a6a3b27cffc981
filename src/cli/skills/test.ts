/** Runs the recorded tests of skill folders in the real sandbox, on a server of its own that reaches nothing. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { UserError } from "../errors.ts";
import { startStack } from "../local/stack.ts";
import type { Project } from "../project.ts";
import { readCases, runCase } from "./cases.ts";
import { readFolders, skillFolders } from "./folder.ts";
import { RemoteSkills } from "./remote.ts";

/** Runs the tests of the skills named, or of all. The skills are those of `project.skills`. */
export async function testSkills(project: Project, names: readonly string[]): Promise<string> {
  const skills = await readFolders(project.skills, names.length > 0 ? [...names] : skillFolders(project.skills));
  const cases = skills.flatMap((skill) => readCases(skill).map((one) => ({ name: skill.entry.name, one })));
  if (cases.length === 0) return "no recorded tests; make one with: npx codeforge skills record <name> <case>";
  const dir = mkdtempSync(join(tmpdir(), "codeforge-skills-"));
  const own = { ...project, apis: join(dir, "apis"), out: join(dir, "dist"), data: join(dir, "data") };
  const stack = await startStack({ project: own, port: 0, host: "127.0.0.1", readVars: () => ({}), onLog: () => {} });
  try {
    const remote = new RemoteSkills({ url: stack.url, token: null });
    const failures: string[] = [];
    for (const { name, one } of cases) {
      const difference = await runCase(remote, name, one);
      if (difference !== null) failures.push(`${name}/${one.path}: ${difference}`);
    }
    if (failures.length > 0)
      throw new UserError([...failures, `${failures.length} of ${cases.length} failed`].join("\n"));
    return `${cases.length} passed`;
  } finally {
    await stack.stop();
    rmSync(dir, { recursive: true, force: true });
  }
}

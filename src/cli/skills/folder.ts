/** Skills as folders on disk: read with every byte, written in one step each, and only inside their folder. */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { issuesText, readSkill, type SkillEntry, type SkillFiles } from "../../skills/format.ts";
import { pathProblem, SkillName } from "../../skills/names.ts";
import { packFiles, type PackedFiles } from "../../skills/packed.ts";
import { errorCode, UserError } from "../errors.ts";
import { displayPath } from "../project.ts";

/** A skill that was read from disk and is valid. */
export interface FolderSkill {
  readonly entry: SkillEntry;
  readonly files: SkillFiles;
}

/** The names of the folders in `dir`, sorted; none if there is no such folder. Names with a dot in front are ignored. */
export function skillFolders(dir: string): string[] {
  try {
    const names = readdirSync(dir).filter((name) => !name.startsWith("."));
    return names.filter((name) => statSync(join(dir, name)).isDirectory()).toSorted();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw error;
  }
}

/** Reads the skills named, or all; every issue of every skill is reported at once. */
export async function readFolders(dir: string, names = skillFolders(dir)): Promise<FolderSkill[]> {
  const skills: FolderSkill[] = [];
  const problems: string[] = [];
  for (const name of names) {
    const files = readFiles(join(dir, name));
    const read = await readSkill(name, files);
    if (read.ok) skills.push({ entry: read.entry, files });
    else problems.push(`${displayPath(join(dir, name))}:\n${issuesText(read.issues)}`);
  }
  if (problems.length > 0) throw new UserError(problems.join("\n"));
  return skills;
}

/** What the server is built with. */
export async function builtInsText(dir: string): Promise<string> {
  const skills = await readFolders(dir);
  const packed: { entry: SkillEntry; files: PackedFiles }[] = skills.map(({ entry, files }) => ({
    entry,
    files: packFiles(files),
  }));
  return `${JSON.stringify(packed)}\n`;
}

/** Puts a skill's folder in the place of the one that is there, if there is one. */
export function writeFolder(dir: string, name: string, files: SkillFiles): void {
  SkillName.parse(name);
  const target = join(dir, name);
  const draft = join(dir, `.${name}.${process.pid}.tmp`);
  const old = `${draft}.old`;
  try {
    for (const [path, bytes] of files) {
      const problem = pathProblem(path);
      if (problem !== null) throw new UserError(`${name}: ${JSON.stringify(path)}: ${problem}`);
      mkdirSync(dirname(join(draft, path)), { recursive: true });
      writeFileSync(join(draft, path), bytes);
    }
    try {
      renameSync(target, old);
    } catch (error) {
      if (errorCode(error) !== "ENOENT") throw error;
    }
    renameSync(draft, target);
  } finally {
    rmSync(draft, { recursive: true, force: true });
    rmSync(old, { recursive: true, force: true });
  }
}

function readFiles(root: string): SkillFiles {
  let names: string[];
  try {
    names = readdirSync(root, { recursive: true, encoding: "utf8" });
  } catch (error) {
    if (errorCode(error) === "ENOENT") throw new UserError(`there is no skill in ${displayPath(root)}`);
    throw error;
  }
  const paths = names.filter((name) => !name.split(/[\\/]/).some((part) => part.startsWith(".")));
  return new Map(
    paths
      .filter((name) => statSync(join(root, name)).isFile())
      .toSorted()
      .map((name) => [name.replaceAll("\\", "/"), new Uint8Array(readFileSync(join(root, name)))]),
  );
}

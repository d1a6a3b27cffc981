/**
 * The names of skills and of the files in them: narrow enough to be one folder and one file on every platform, one
 * segment of a URI, and one key of a bucket. Nothing here can climb out of a folder.
 */
import { z } from "zod";

/** The file that says what a skill is, and the one that runs. */
export const MANIFEST = "SKILL.md";
export const MAIN = "main.ts";

/** Longest path of a file within its skill, in characters. */
const MAX_PATH = 200;
const SEGMENT = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** What Windows keeps for devices, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** A skill's name (Agent Skills): its folder, its URI `skill://<name>/SKILL.md`, the module `skills/<name>`. */
export const SkillName = z
  .string("use a name in quotes")
  .max(64, "use 64 characters at most")
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, "use lower-case letters, digits and single dashes between them")
  .refine((name) => !DEVICE.test(name), "this name is a device's on Windows; choose another");

/** What is wrong with the path of a file within a skill, or null. */
export function pathProblem(path: string): string | null {
  if (path.length > MAX_PATH) return `the path is longer than ${MAX_PATH} characters`;
  const segments = path.split("/");
  if (segments.some((segment) => segment === "" || segment === "." || segment === ".."))
    return 'write the path from the skill\'s folder, without "/" at its ends, "." or ".."';
  const isPlain = segments.every((segment) => SEGMENT.test(segment) && !segment.endsWith(".") && !DEVICE.test(segment));
  return isPlain
    ? null
    : 'use letters, digits, "-", "_" and "." in names of files and folders, no "." in front or behind';
}

/** Problems of the paths of one skill together: each alone, and two that are one file where case does not count. */
export function pathProblems(paths: Iterable<string>): { readonly file: string; readonly message: string }[] {
  const problems: { file: string; message: string }[] = [];
  const seen = new Map<string, string>();
  const folders = new Set<string>();
  for (const file of paths) {
    const message = pathProblem(file);
    if (message !== null) problems.push({ file, message });
    const twin = seen.get(file.toLowerCase());
    if (twin !== undefined) problems.push({ file, message: `differs from ${twin} by case only` });
    seen.set(file.toLowerCase(), file);
    for (let slash = file.indexOf("/"); slash !== -1; slash = file.indexOf("/", slash + 1))
      folders.add(file.slice(0, slash).toLowerCase());
  }
  for (const [key, file] of seen) {
    if (folders.has(key)) problems.push({ file, message: "is a file and a folder at once" });
  }
  return problems;
}

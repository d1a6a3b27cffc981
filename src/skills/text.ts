/** A file of a skill as text. */
import { decodeText, type SkillFiles } from "./format.ts";

/** The text of a file; null when there is none of that path, or when it is no text. */
export function textOf(files: SkillFiles, path: string): string | null {
  const bytes = files.get(path);
  return bytes === undefined ? null : decodeText(bytes);
}

/**
 * A skill as files, and what is known of it without reading them: its front matter, and path, digest and size of each
 * file. All that is wrong is told at once. The same form is on disk, in the store and on the wire.
 */
import { z } from "zod";

import { readFrontMatter, type SkillHead, type SkillIssue } from "./front-matter.ts";
import { MAIN, MANIFEST, pathProblems, SkillName } from "./names.ts";

/** The files of a skill by path. */
export type SkillFiles = ReadonlyMap<string, Uint8Array>;

/** Limits of one skill: files, bytes of one, bytes of all. */
export const MAX_FILES = 100;
const MAX_FILE_BYTES = 1024 * 1024;
const MAX_SKILL_BYTES = 4 * 1024 * 1024;

const FileEntry = z.object({ path: z.string(), digest: z.string(), size: z.number() });

/** What a listing says of a skill. `digest` of a file is `sha256:` and 64 hexadecimal digits, `size` is in bytes. */
export const SkillEntry = z.object({
  name: SkillName,
  head: z.looseObject({
    name: z.string(),
    description: z.string(),
    apis: z.array(z.string()).optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    version: z.string().optional(),
  }),
  /** Sorted by path. */
  files: z.array(FileEntry),
});
export type SkillEntry = z.infer<typeof SkillEntry>;

export type SkillResult =
  | { readonly ok: true; readonly entry: SkillEntry }
  | { readonly ok: false; readonly issues: readonly SkillIssue[] };

/** Checks a skill's files against the format. Whether its code compiles is asked elsewhere. */
export async function readSkill(name: string, files: SkillFiles): Promise<SkillResult> {
  const issues: SkillIssue[] = [...pathProblems(files.keys()), ...sizeProblems(files)];
  const named = SkillName.safeParse(name);
  if (!named.success) issues.push(...named.error.issues.map(({ message }) => ({ file: "name", message })));
  const head = readManifest(name, files, issues);
  if (head === null || issues.length > 0) return { ok: false, issues };
  const entries = await Promise.all(
    [...files].map(async ([path, bytes]) => ({ path, digest: await digestOf(bytes), size: bytes.byteLength })),
  );
  return { ok: true, entry: { name, head, files: entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)) } };
}

function sizeProblems(files: SkillFiles): SkillIssue[] {
  const issues: SkillIssue[] = [];
  let total = 0;
  for (const [file, { byteLength }] of files) {
    total += byteLength;
    if (byteLength > MAX_FILE_BYTES) {
      issues.push({ file, message: `has ${byteLength} bytes; a file of a skill has ${MAX_FILE_BYTES} at most` });
    }
  }
  if (total > MAX_SKILL_BYTES)
    issues.push({ file: "", message: `its files have ${total} bytes; a skill has ${MAX_SKILL_BYTES} at most` });
  if (files.size > MAX_FILES) issues.push({ file: "", message: `has ${files.size} files; ${MAX_FILES} are the most` });
  return issues;
}

function readManifest(name: string, files: SkillFiles, issues: SkillIssue[]): SkillHead | null {
  const bytes = files.get(MANIFEST);
  if (bytes === undefined) {
    issues.push({ file: MANIFEST, message: "is missing; every skill has one" });
    return null;
  }
  if (!files.has(MAIN)) issues.push({ file: MAIN, message: "is missing; it is what runs" });
  const text = decodeText(bytes);
  if (text === null) {
    issues.push({ file: MANIFEST, message: "is not UTF-8 text" });
    return null;
  }
  const read = readFrontMatter(text);
  if (!read.ok) {
    issues.push(...read.issues.map((issue) => ({ file: MANIFEST, ...issue })));
    return null;
  }
  if (read.head.name !== name) {
    issues.push({
      file: MANIFEST,
      message: `name: the front matter says ${JSON.stringify(read.head.name)}, the folder ${JSON.stringify(name)}`,
    });
  }
  return read.head;
}

/** Issues as lines of text: file, line, what to do. */
export function issuesText(issues: readonly SkillIssue[]): string {
  return issues
    .map(({ file, line, message }) =>
      [file, line === undefined ? "" : `line ${line}`, message].filter(Boolean).join(": "),
    )
    .join("\n");
}

/** `sha256:` and the hexadecimal SHA-256 of bytes. */
export async function digestOf(bytes: Uint8Array): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", Uint8Array.from(bytes)));
  return `sha256:${[...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}

/** One digest for all files of an entry: the same for the same files. */
export function contentDigest({ files }: Pick<SkillEntry, "files">): Promise<string> {
  const lines = files.map(({ path, digest }) => `${path}\n${digest}\n`).join("");
  return digestOf(new TextEncoder().encode(lines));
}

/** UTF-8 text, if encoding it again gives the same bytes; else null. */
export function decodeText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

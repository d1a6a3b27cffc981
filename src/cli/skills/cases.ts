/** The recorded tests of a skill: `tests/<name>.json` in its folder, each an input, its requests, and what came of it. */
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isDeepStrictEqual } from "node:util";

import { SkillTest } from "../../contract/skills.ts";
import { decodeText } from "../../skills/format.ts";
import { UserError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import { parseJson } from "../json.ts";
import type { FolderSkill } from "./folder.ts";
import type { RemoteSkills } from "./remote.ts";

/** A test with the path of its file in the skill's folder. */
export interface Case {
  readonly path: string;
  readonly test: SkillTest;
}

/** The tests of a skill; a file that is none of them is an error. */
export function readCases({ entry, files }: FolderSkill): Case[] {
  return [...files]
    .filter(([path]) => /^tests\/[^/]+\.json$/.test(path))
    .map(([path, bytes]) => {
      const json = parseJson(decodeText(bytes) ?? "");
      const parsed = SkillTest.safeParse(json.ok ? json.value : undefined);
      if (parsed.success) return { path, test: parsed.data };
      const reason = json.ok ? toIssueText(parsed.error.issues) : json.message;
      throw new UserError(`${entry.name}/${path} is no recorded test: ${reason}`);
    });
}

/** Runs a test against its recording. Null when it passes, else what is different. */
export async function runCase(remote: RemoteSkills, name: string, { test }: Case): Promise<string | null> {
  const ran = await remote.run(name, { input: test.input, replay: test.exchanges, timeoutMs: 60_000 });
  if (!ran.ok) return ran.text;
  const output: unknown = JSON.parse(ran.json ?? "null");
  if (!isDeepStrictEqual(output, test.output))
    return `returned ${JSON.stringify(output)}\nexpected ${JSON.stringify(test.output)}`;
  const [left] = ran.exchanges;
  return left === undefined ? null : `did not send ${left.request.method} ${left.request.url}, which is recorded`;
}

/** Writes a test into the skill's folder. */
export function writeCase(dir: string, name: string, caseName: string, test: SkillTest): string {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(caseName))
    throw new UserError("name the case in lower-case letters, digits and dashes");
  const path = join(dir, name, "tests", `${caseName}.json`);
  mkdirSync(dirname(path), { recursive: true });
  replaceFile(path, `${JSON.stringify(test, null, 2)}\n`);
  return path;
}

function toIssueText(issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]): string {
  return issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": ")).join("; ");
}

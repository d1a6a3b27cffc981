/** What `import { skills } from "codeforge"` asks of the server. */
import { z } from "zod";

import { HostCallError, type CallingRun, type HostCalls } from "../code/host-calls.ts";
import { describeOutcome } from "../code/outcomes.ts";
import { MAX_TIMEOUT_MS } from "../contract/run.ts";
import type { Author, SkillChanges, SkillResult } from "./changes.ts";
import { withStore } from "./changes.ts";
import { describeFailure } from "./failures.ts";
import type { Skill, SkillLibrary } from "./library.ts";
import { provenanceText } from "./library.ts";
import { textOf } from "./text.ts";
import { writeManifest } from "./manifest.ts";
import { MAIN, MANIFEST } from "./names.ts";
import { packFiles, PackedFiles, unpackFiles } from "./packed.ts";
import type { SkillRunner } from "./runner.ts";

export interface SkillCallParts {
  readonly library: SkillLibrary;
  readonly changes: SkillChanges;
  readonly runner: SkillRunner;
}

const ReadCall = z.strictObject({ name: z.string(), path: z.string().optional() });
const RunCall = z.strictObject({ name: z.string(), input: z.unknown().optional() });
const RemoveCall = z.strictObject({ name: z.string() });
const ListCall = z.strictObject({ query: z.string().optional() });

const SaveCall = z
  .strictObject({
    name: z.string(),
    description: z.string().optional(),
    code: z.string().optional(),
    input: z.record(z.string(), z.unknown()).optional(),
    apis: z.array(z.string()).optional(),
    version: z.string().optional(),
    instructions: z.string().optional(),
    files: PackedFiles.optional(),
    replace: z.union([z.boolean(), z.string()]).default(false),
  })
  .refine(
    ({ description, files }) => description !== undefined || files?.[MANIFEST] !== undefined,
    "description: say when to use the skill",
  )
  .refine(
    ({ code, files }) => code !== undefined || files?.[MAIN] !== undefined,
    "code: give the text of main.ts, the block that runs",
  );

/** The handlers of `skills.list`, `read`, `save`, `remove` and `run`. */
export function skillCalls({ library, changes, runner }: SkillCallParts): HostCalls {
  return {
    "skills.list": async (argument) => {
      const { query = "" } = parse(ListCall, argument);
      const skills = await wait(
        "",
        withStore(library, "", async () => ({ ok: true, value: await library.list() })),
      );
      const words = query.toLowerCase().split(/\s+/);
      return skills.map(describe).filter((skill) => {
        const text = `${skill.name} ${skill.description}`.toLowerCase();
        return words.every((word) => text.includes(word));
      });
    },

    "skills.read": async (argument) => {
      const { name, path } = parse(ReadCall, argument);
      const skill = await library.find(name);
      const files = await wait(
        name,
        withStore(library, name, () => library.files(name)),
      );
      if (path === undefined) return { ...(skill === undefined ? {} : describe(skill)), files: packFiles(files) };
      const text = textOf(files, path);
      if (text !== null) return text;
      throw new HostCallError(describeFailure(name, { kind: "unknown_file", path, known: [...files.keys()] }));
    },

    "skills.save": async (argument, run) => {
      const { name, replace, files = {}, code, description = "", ...head } = parse(SaveCall, argument);
      const packed = {
        [MANIFEST]: writeManifest({ name, description, ...head }),
        ...(code === undefined ? {} : { [MAIN]: code }),
        ...files,
      };
      const saved = await wait(name, changes.save(authorOf(run), { name, files: unpackFiles(packed), replace }));
      return { name, version: saved.record.versions[0]?.id ?? "", action: saved.action };
    },

    "skills.remove": async (argument, run) => {
      const { name } = parse(RemoveCall, argument);
      await wait(name, changes.remove(authorOf(run), name));
      return { name, action: "remove" };
    },

    "skills.run": async (argument, run) => {
      const { name, input } = parse(RunCall, argument);
      // What the run may not do, and the time that it has left, hold for what it starts; see `Runs`.
      const request = { ...run.context, name, input, readOnly: false, timeoutMs: MAX_TIMEOUT_MS };
      const { outcome } = await wait(name, runner.run(run.auth, request, run));
      if (outcome.kind !== "completed") throw new HostCallError(`skill ${name}: ${describeOutcome(outcome)}`);
      const { value } = outcome;
      if (value === null) return null;
      return "json" in value ? JSON.parse(value.json) : value.text;
    },
  };
}

function authorOf(run: CallingRun): Author {
  return { auth: run.auth, run };
}

/** A skill as code sees it in a list. */
function describe(skill: Skill) {
  const { name, head } = skill.entry;
  const { description, apis, input, version } = head;
  return {
    name,
    description,
    ...(apis === undefined ? {} : { apis }),
    ...(input === undefined ? {} : { input }),
    ...(version === undefined ? {} : { version }),
    source: provenanceText(skill),
    id: skill.saved?.id ?? null,
  };
}

async function wait<T>(name: string, result: Promise<SkillResult<T>>): Promise<T> {
  const settled = await result;
  if (settled.ok) return settled.value;
  throw new HostCallError(describeFailure(name, settled.failure));
}

function parse<S extends z.ZodType>(schema: S, argument: unknown): z.output<S> {
  const parsed = schema.safeParse(argument);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => [path.join("."), message].filter(Boolean).join(": "));
  throw new HostCallError(issues.join("\n"));
}

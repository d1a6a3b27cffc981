/**
 * What the command line and the routes under `/admin/skills` say to each other, as JSON, and the form of a recorded
 * test. A recording holds what the code itself saw: names of credentials, never a value.
 */
import { z } from "zod";

/** A request as the code made it. Its headers are left out: only what decides the answer is compared. */
export const RecordedRequest = z.strictObject({ method: z.string(), url: z.string(), body: z.string().optional() });
export type RecordedRequest = z.infer<typeof RecordedRequest>;

/** An answer as the code saw it. What is no UTF-8 is base64. */
export const RecordedResponse = z.strictObject({
  status: z.number().int().min(200).max(599),
  headers: z.record(z.string(), z.string()),
  body: z.union([z.string(), z.strictObject({ base64: z.base64() })]),
});
export type RecordedResponse = z.infer<typeof RecordedResponse>;

export const Exchange = z.strictObject({ request: RecordedRequest, response: RecordedResponse });
export type Exchange = z.infer<typeof Exchange>;

/** A test of a skill, in `tests/<name>.json` of its folder. */
export const SkillTest = z.strictObject({
  input: z.record(z.string(), z.unknown()),
  output: z.unknown(),
  exchanges: z.array(Exchange),
});
export type SkillTest = z.infer<typeof SkillTest>;

const Content = z.union([z.string(), z.strictObject({ base64: z.base64() })]);

/** `PUT /admin/skills/<name>`. `replace` may be the id of the version that is to be replaced. */
export const PutSkill = z.strictObject({
  files: z.record(z.string(), Content),
  replace: z.union([z.boolean(), z.string()]).default(false),
});
export type PutSkill = z.input<typeof PutSkill>;

/** `POST /admin/skills/<name>/restore`. */
export const RestoreSkill = z.strictObject({ version: z.string().optional() });

/** `POST /admin/skills/<name>/run`. With `replay`, requests are answered from it and none leaves. */
export const RunSkill = z.strictObject({
  input: z.record(z.string(), z.unknown()).default({}),
  timeoutMs: z.number().int().min(1).max(300_000).optional(),
  record: z.boolean().default(false),
  replay: z.array(Exchange).optional(),
});
export type RunSkill = z.input<typeof RunSkill>;

/** One skill of `GET /admin/skills`. `version` is null for one that is built in. */
const ListedSkill = z.object({
  name: z.string(),
  description: z.string(),
  source: z.string(),
  version: z.string().nullable(),
});
export const ListedSkills = z.object({ skills: z.array(ListedSkill) });

/** `GET /admin/skills/<name>`. `versions` are those of a saved skill, newest first. */
export const ShownSkill = z.object({
  ...ListedSkill.shape,
  files: z.record(z.string(), Content),
  versions: z.array(z.object({ id: z.string(), by: z.string(), at: z.string(), run: z.string().nullable() })),
});
export type ShownSkill = z.infer<typeof ShownSkill>;

/** The answer to a change. */
export const ChangedSkill = z.object({ action: z.string(), version: z.string().nullable() });
export type ChangedSkill = z.infer<typeof ChangedSkill>;

/** The answer to a run: what a client would see, the value alone, and what was recorded. */
export const RanSkill = z.object({
  ok: z.boolean(),
  text: z.string(),
  /** JSON of the returned value; absent when it has none. */
  json: z.string().optional(),
  exchanges: z.array(Exchange),
});
export type RanSkill = z.infer<typeof RanSkill>;

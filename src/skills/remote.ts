/** What the routes under `/admin/skills` ask of the skills: one function each, plain data in and out. */
import type { Auth } from "../auth/auth.ts";
import { presentReport } from "../code/present.ts";
import type { RenderedValue } from "../contract/outcome.ts";
import { DEFAULT_TIMEOUT_MS } from "../contract/run.ts";
import { hasScope } from "../contract/scopes.ts";
import type { ChangedSkill, PutSkill, RanSkill, RunSkill, ShownSkill } from "../contract/skills.ts";
import { withStore } from "./changes.ts";
import { describeFailure, type SkillFailure } from "./failures.ts";
import { provenanceText, type Skill } from "./library.ts";
import { packFiles, PackedFiles, unpackFiles } from "./packed.ts";
import { Recorder, Replay } from "./recording.ts";
import type { Skills } from "./skills.ts";

/** One request of the command line. */
export type SkillsRequest =
  | { readonly op: "list" }
  | { readonly op: "show"; readonly name: string; readonly version?: string | undefined }
  | { readonly op: "put"; readonly name: string; readonly put: PutSkill }
  | { readonly op: "remove"; readonly name: string }
  | { readonly op: "restore"; readonly name: string; readonly version?: string | undefined }
  | { readonly op: "run"; readonly name: string; readonly run: RunSkill };

/** The answer as JSON, or a refusal in words. `kind` is a word of ours. */
export type SkillsAnswer =
  | { readonly ok: true; readonly json: string }
  | { readonly ok: false; readonly kind: SkillFailure["kind"]; readonly message: string };

/** Answers one request in the name of a caller. */
export async function answerSkills(skills: Skills, auth: Auth, request: SkillsRequest): Promise<SkillsAnswer> {
  const { library, changes } = skills;
  const author = { auth, run: null };
  const fail = (name: string, failure: SkillFailure): SkillsAnswer => ({
    ok: false,
    kind: failure.kind,
    message: describeFailure(name, failure),
  });
  switch (request.op) {
    case "list": {
      const listed = await withStore(library, "", async () => ({ ok: true, value: await library.list() }));
      return listed.ok ? answer({ skills: listed.value.map(toListed) }) : fail("", listed.failure);
    }
    case "show": {
      const { name, version } = request;
      const shown = await withStore(library, name, async () => {
        const files = await library.files(name, version);
        const skill = await library.find(name);
        const record = library.isBuiltIn(name) ? undefined : await library.record(name);
        return files.ok ? { ok: true, value: { files: files.value, skill, record } } : files;
      });
      if (!shown.ok) return fail(name, shown.failure);
      const { files, skill, record } = shown.value;
      const listed =
        skill === undefined ? { name, description: "", source: "removed", version: null } : toListed(skill);
      const versions = (record?.versions ?? []).map(({ id, by, at, run }) => ({ id, by, at, run }));
      return answer({ ...listed, files: packFiles(files), versions } satisfies ShownSkill);
    }
    case "put": {
      const { name, put } = request;
      const files = unpackFiles(PackedFiles.parse(put.files));
      const saved = await changes.save(author, { name, files, replace: put.replace ?? false });
      return saved.ok ? changed(saved.value.action, saved.value.record.versions[0]?.id) : fail(name, saved.failure);
    }
    case "remove": {
      const removed = await changes.remove(author, request.name);
      return removed.ok ? changed("remove", undefined) : fail(request.name, removed.failure);
    }
    case "restore": {
      const restored = await changes.restore(author, request.name, request.version);
      if (!restored.ok) return fail(request.name, restored.failure);
      return changed(restored.value.action, restored.value.record.versions[0]?.id);
    }
    case "run":
      return run(skills, auth, request, fail);
  }
}

async function run(
  { runner }: Skills,
  auth: Auth,
  { name, run: options }: Extract<SkillsRequest, { op: "run" }>,
  fail: (name: string, failure: SkillFailure) => SkillsAnswer,
): Promise<SkillsAnswer> {
  const recorder = options.record === true ? new Recorder() : undefined;
  const replay = options.replay === undefined ? undefined : new Replay(options.replay);
  const result = await runner.run(auth, {
    tool: "codeforge skills",
    client: { id: "codeforge", name: "codeforge", version: "" },
    signal: new AbortController().signal,
    onRequest: () => {},
    onProgress: () => {},
    name,
    input: options.input,
    http: replay ?? recorder,
    readOnly: !hasScope(auth.scopes, "run"),
    timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
  });
  if (!result.ok) return fail(name, result.failure);
  const { outcome } = result.value;
  const text = presentReport(result.value)
    .content.flatMap((block) => (block.type === "text" ? [block.text] : []))
    .join("\n");
  const json = outcome.kind === "completed" ? toJson(outcome.value) : undefined;
  return answer({
    ok: outcome.kind === "completed",
    text,
    ...(json === undefined ? {} : { json }),
    exchanges: [...(recorder?.exchanges ?? replay?.left ?? [])],
  } satisfies RanSkill);
}

/** A returned value that has no JSON of its own is compared as text, and nothing as null. */
function toJson(value: RenderedValue | null): string {
  if (value === null) return "null";
  return "json" in value ? value.json : JSON.stringify(value.text);
}

function toListed(skill: Skill) {
  const { name, head } = skill.entry;
  return { name, description: head.description, source: provenanceText(skill), version: skill.saved?.id ?? null };
}

function changed(action: string, version: string | undefined): SkillsAnswer {
  return answer({ action, version: version ?? null } satisfies ChangedSkill);
}

function answer(value: unknown): SkillsAnswer {
  return { ok: true, json: JSON.stringify(value) };
}

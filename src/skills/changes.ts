/**
 * Changes to the saved skills: who may make them, what is checked before one is made, and what is told of it. A change
 * is whole or did not happen.
 */
import { skillEntry, SkillCatalogError } from "@modelcontextprotocol/server/ext/skills";

import type { Auth } from "../auth/auth.ts";
import type { CallingRun } from "../code/host-calls.ts";
import { formatLog } from "../contract/log.ts";
import type { CompileIssue } from "../contract/modules.ts";
import { hasScope } from "../contract/scopes.ts";
import { isObject } from "../openapi/json.ts";
import type { SkillFailure } from "./failures.ts";
import { readSkill, type SkillEntry, type SkillFiles } from "./format.ts";
import type { SkillLibrary } from "./library.ts";
import { MANIFEST } from "./names.ts";
import type { Provenance, SkillRecord } from "./records.ts";
import type { Saved, StoreFailure, StoreResult } from "./store.ts";

/** Who changes something, and from where. */
export interface Author {
  readonly auth: Auth;
  /** The run whose code asks for it; null for the command line. */
  readonly run: Pick<CallingRun, "runId" | "readOnly" | "context"> | null;
}

export type SkillResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: SkillFailure };

export interface ChangeParts {
  readonly library: SkillLibrary;
  /** Whether saving is turned off on this server. */
  readonly isReadOnly: boolean;
  /** What does not compile of a skill's files; see `Sandbox.check`. */
  readonly compile: (entry: SkillEntry, files: SkillFiles) => Promise<readonly CompileIssue[]>;
  /** Called after each change, so that clients that listen are told. */
  readonly onChange: (change: SkillChange) => void;
}

/** A change that was made. */
export interface SkillChange {
  readonly action: "create" | "update" | "delete";
  readonly name: string;
  readonly auth: Auth;
  readonly runId: string | null;
  /** The id of the version that was written; null for a removal. */
  readonly version: string | null;
}

export interface NewSkill {
  readonly name: string;
  readonly files: SkillFiles;
  /** See `SaveOptions`. */
  readonly replace: boolean | string;
}

export class SkillChanges {
  readonly #parts: ChangeParts;

  constructor(parts: ChangeParts) {
    this.#parts = parts;
  }

  /** Saves a skill: checks the format, that other clients can read it, and that it compiles. */
  async save(author: Author, { name, files, replace }: NewSkill): Promise<SkillResult<Saved>> {
    const refusal = this.#refusal(author, name);
    if (refusal !== null) return { ok: false, failure: refusal };
    const read = await readSkill(name, files);
    if (!read.ok) return { ok: false, failure: { kind: "invalid", issues: read.issues } };
    const unreadable = await readByOthers(read.entry, files);
    if (unreadable !== null)
      return { ok: false, failure: { kind: "invalid", issues: [{ file: MANIFEST, message: unreadable }] } };
    const issues = await this.#parts.compile(read.entry, files);
    if (issues.length > 0) return { ok: false, failure: { kind: "not_compilable", issues } };
    const { library } = this.#parts;
    const saved = await withStore(library, name, () =>
      library.store.save(read.entry, files, { ...provenance(author), replace }),
    );
    if (saved.ok && saved.value.action !== "unchanged")
      this.#tell(author, saved.value.action, name, saved.value.record.versions[0]?.id ?? null);
    return saved;
  }

  /** Removes a skill. Its versions stay and can be restored. */
  async remove(author: Author, name: string): Promise<SkillResult<SkillRecord>> {
    const refusal = this.#refusal(author, name);
    if (refusal !== null) return { ok: false, failure: refusal };
    const { library } = this.#parts;
    const removed = await withStore(library, name, () => library.store.remove(name, provenance(author)));
    if (removed.ok) this.#tell(author, "delete", name, null);
    return removed;
  }

  /** Makes an older version the current one again: the one named, or the newest of a skill that was removed. */
  async restore(author: Author, name: string, version?: string): Promise<SkillResult<Saved>> {
    const refusal = this.#refusal(author, name);
    if (refusal !== null) return { ok: false, failure: refusal };
    const { library } = this.#parts;
    const files = await withStore(library, name, async () => {
      const record = await library.record(name);
      const isRemoved = record?.removed !== undefined;
      const read = await library.store.read(name, version ?? record?.versions[isRemoved ? 0 : 1]?.id ?? "");
      const replace = isRemoved ? true : (record?.versions[0]?.id ?? true);
      return read.ok ? { ok: true, value: { files: read.value, replace } } : read;
    });
    return files.ok ? this.save(author, { name, ...files.value }) : files;
  }

  #refusal({ auth, run }: Author, name: string): SkillFailure | null {
    if (run?.readOnly === true) return { kind: "read_only_run" };
    if (!hasScope(auth.scopes, "skills:write")) return { kind: "scope" };
    if (this.#parts.isReadOnly) return { kind: "saving_off" };
    return this.#parts.library.isBuiltIn(name) ? { kind: "built_in" } : null;
  }

  #tell({ auth, run }: Author, action: SkillChange["action"], name: string, version: string | null): void {
    const runId = run?.runId ?? null;
    const fields = { skill: name, by: auth.principal, run: runId, version };
    console.log(formatLog(Date.now(), "skill", action, fields));
    run?.context.onListChanged?.();
    this.#parts.onChange({ action, name, auth, runId, version });
  }
}

/** Does something with the store, and says in the library's words why it failed. */
export async function withStore<T>(
  library: SkillLibrary,
  name: string,
  work: () => Promise<StoreResult<T>>,
): Promise<SkillResult<T>> {
  try {
    const result = await work();
    return result.ok ? result : { ok: false, failure: await toFailure(library, result.failure, name) };
  } catch (error) {
    console.error(`unexpected: skills: ${error instanceof Error ? error.name : typeof error}`);
    return { ok: false, failure: { kind: "unavailable" } };
  }
}

async function toFailure(library: SkillLibrary, failure: StoreFailure, name: string): Promise<SkillFailure> {
  switch (failure.kind) {
    case "unknown_skill":
      return { kind: "unknown_skill", known: (await library.list()).map(({ entry }) => entry.name) };
    case "unknown_version":
      return { kind: "unknown_version", known: ((await library.record(name))?.versions ?? []).map(({ id }) => id) };
    default:
      return failure;
  }
}

function provenance({ auth, run }: Author): Provenance {
  return { by: auth.principal, at: new Date().toISOString(), run: run?.runId ?? null };
}

/**
 * Why other clients could not verify the skill, or null. They read the front matter with a reader of a smaller YAML, and
 * compare what they read with what the listing says.
 */
async function readByOthers({ name, head }: SkillEntry, files: SkillFiles): Promise<string | null> {
  const advice = "write the front matter in blocks, one key a line, and texts in quotes";
  try {
    const { frontmatter } = await skillEntry(name, Object.fromEntries(files));
    return toCanonical(frontmatter) === toCanonical(head) ? null : `other clients read it differently: ${advice}`;
  } catch (error) {
    if (!SkillCatalogError.isInstance(error)) throw error;
    const [problem] = error.problems;
    return `other clients cannot read it (${problem?.message.replace(/^SKILL\.md frontmatter: /, "") ?? ""}): ${advice}`;
  }
}

/** JSON with the keys of every object in one order. */
function toCanonical(json: unknown): string {
  return JSON.stringify(json, (_, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

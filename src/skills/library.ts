/**
 * Every skill of a deployment: those that came with it, from `skills/` of the repository, and those that were saved. A
 * built-in one cannot be changed here, and hides a saved one of its name.
 */
import type { SkillEntry, SkillFiles } from "./format.ts";
import { liveRecord, recordOf, type SkillIndex, type SkillRecord, type Version } from "./records.ts";
import type { SkillStore, StoreResult } from "./store.ts";

/** A skill as a listing has it. `saved` is its current version; null for one that is built in. */
export interface Skill {
  readonly entry: SkillEntry;
  readonly saved: Version | null;
}

/** A skill that came with the deployment. */
export interface BuiltIn {
  readonly entry: SkillEntry;
  readonly files: SkillFiles;
}

export class SkillLibrary {
  readonly store: SkillStore;
  readonly #builtIns: ReadonlyMap<string, BuiltIn>;
  /** The list made from an index, for as long as it is the index. */
  #listed: { readonly index: SkillIndex; readonly skills: readonly Skill[] } | null = null;

  constructor(store: SkillStore, builtIns: ReadonlyMap<string, BuiltIn>) {
    this.store = store;
    this.#builtIns = builtIns;
  }

  /** All skills in the order of their names. */
  async list(): Promise<readonly Skill[]> {
    const index = await this.store.index();
    if (this.#listed?.index === index) return this.#listed.skills;
    const saved = Object.keys(index.skills).flatMap((name) => {
      const record = liveRecord(index, name);
      return record === undefined || this.isBuiltIn(name) ? [] : [toSkill(record)];
    });
    const builtIn = [...this.#builtIns.values()].map(({ entry }): Skill => ({ entry, saved: null }));
    const skills = [...builtIn, ...saved].toSorted((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
    this.#listed = { index, skills };
    return skills;
  }

  /** A page of the list: what comes after the name `after`, at most `size`. */
  async page(
    after: string,
    size: number,
  ): Promise<{ readonly skills: readonly Skill[]; readonly next: string | null }> {
    const rest = (await this.list()).filter(({ entry }) => entry.name > after);
    const skills = rest.slice(0, size);
    return { skills, next: rest.length > size ? (skills.at(-1)?.entry.name ?? null) : null };
  }

  /** One skill; undefined when there is none of that name. */
  async find(name: string): Promise<Skill | undefined> {
    const builtIn = this.#builtIns.get(name);
    if (builtIn !== undefined) return { entry: builtIn.entry, saved: null };
    const record = liveRecord(await this.store.index(), name);
    return record === undefined ? undefined : toSkill(record);
  }

  /** What is kept of a saved skill, removed ones included. */
  async record(name: string): Promise<SkillRecord | undefined> {
    return recordOf(await this.store.index(), name);
  }

  /** The files of a skill: of the current version, or of another one that is kept. */
  async files(name: string, version?: string): Promise<StoreResult<SkillFiles>> {
    const builtIn = this.#builtIns.get(name);
    if (builtIn !== undefined && version === undefined) return { ok: true, value: builtIn.files };
    return this.store.read(name, version);
  }

  isBuiltIn(name: string): boolean {
    return this.#builtIns.has(name);
  }
}

function toSkill({ entry, versions }: SkillRecord): Skill {
  return { entry, saved: versions[0] ?? null };
}

/** Where a skill comes from, in words: it is shown wherever its description is. */
export function provenanceText({ saved }: Pick<Skill, "saved">): string {
  if (saved === null) return "built in";
  return `saved by ${saved.by} on ${saved.at.slice(0, 10)}`;
}

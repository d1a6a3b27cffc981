/**
 * The index of the saved skills: one object that lists every skill with its versions. It is the one head pointer of the
 * store, so that a change is one conditional write, all or nothing. These functions are pure: index in, index out.
 */
import { z } from "zod";

import { SkillEntry } from "./format.ts";

/** Versions kept of each skill, the current one included. */
export const MAX_VERSIONS = 20;

/** Saved skills of a deployment; beyond it the oldest of the removed ones go first. */
const MAX_SKILLS = 5_000;

/** Where a version comes from. `run` is null for what came from the command line. */
export const Provenance = z.object({
  /** The principal. */
  by: z.string(),
  /** ISO 8601. */
  at: z.string(),
  run: z.string().nullable(),
});
export type Provenance = z.infer<typeof Provenance>;

/** One version: `id` names its object in the store, `digest` stands for its content. */
const Version = z.object({ id: z.string(), digest: z.string(), ...Provenance.shape });
export type Version = z.infer<typeof Version>;

const SkillRecord = z.object({
  entry: SkillEntry,
  /** Newest first. */
  versions: z.array(Version).min(1),
  /** Set when the skill was removed; its versions can be restored. */
  removed: Provenance.optional(),
});
export type SkillRecord = z.infer<typeof SkillRecord>;

export const SkillIndex = z.object({ skills: z.record(z.string(), SkillRecord) });
export type SkillIndex = z.infer<typeof SkillIndex>;

export const EMPTY_INDEX: SkillIndex = { skills: {} };

/** The record of a skill that is there, not one that was removed. */
export function liveRecord(index: SkillIndex, name: string): SkillRecord | undefined {
  const record = recordOf(index, name);
  return record?.removed === undefined ? record : undefined;
}

/** The record of a skill, removed or not. */
export function recordOf({ skills }: SkillIndex, name: string): SkillRecord | undefined {
  return Object.hasOwn(skills, name) ? skills[name] : undefined;
}

/** A version's place in the store. */
export interface VersionRef {
  readonly name: string;
  readonly id: string;
}

/** What a change comes to: the next index, and the versions that it no longer names. */
export interface IndexChange {
  readonly index: SkillIndex;
  readonly dropped: readonly VersionRef[];
}

/** Adds a version in front, which makes it the current one. */
export function withVersion(index: SkillIndex, entry: SkillEntry, version: Version): IndexChange {
  const versions = [version, ...(recordOf(index, entry.name)?.versions ?? [])];
  const kept = versions.slice(0, MAX_VERSIONS);
  const dropped = versions.slice(MAX_VERSIONS).map(({ id }) => ({ name: entry.name, id }));
  return { index: withRecord(index, entry.name, { entry, versions: kept }), dropped };
}

/** Marks a skill as removed. Its versions stay. */
export function withRemoval(index: SkillIndex, name: string, removed: Provenance): IndexChange {
  const record = recordOf(index, name);
  return { index: record === undefined ? index : withRecord(index, name, { ...record, removed }), dropped: [] };
}

/** Makes room for one more skill, if there has to be: forgets the skill that was removed first. Null when all are live. */
export function withRoom(index: SkillIndex, max = MAX_SKILLS): IndexChange | null {
  const records = Object.entries(index.skills);
  if (records.length < max) return { index, dropped: [] };
  const [oldest] = records
    .flatMap(([name, { removed, versions }]) => (removed === undefined ? [] : [{ name, at: removed.at, versions }]))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1));
  if (oldest === undefined) return null;
  const skills = Object.fromEntries(records.filter(([name]) => name !== oldest.name));
  return { index: { skills }, dropped: oldest.versions.map(({ id }) => ({ name: oldest.name, id })) };
}

function withRecord({ skills }: SkillIndex, name: string, record: SkillRecord): SkillIndex {
  return { skills: { ...skills, [name]: record } };
}

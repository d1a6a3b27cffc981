/**
 * The saved skills of a deployment in R2. A version is an object of its own that never changes; the index names the
 * current one of each skill and is written under the condition that it is still the one that was read. So a write that is
 * interrupted leaves everything as it was, and of two writers of one skill the second is told.
 */
import { contentDigest, digestOf, type SkillEntry, type SkillFiles } from "./format.ts";
import { PackedFiles, packFiles, unpackFiles } from "./packed.ts";
import {
  EMPTY_INDEX,
  liveRecord,
  recordOf,
  SkillIndex,
  withRemoval,
  withRoom,
  withVersion,
  type IndexChange,
  type Provenance,
  type SkillRecord,
} from "./records.ts";

const INDEX_KEY = "skills/index.json";

/** How often a write is tried again because another skill was changed in between. */
const MAX_ATTEMPTS = 20;

/** R2 takes one write a second of one object, and refuses others in these words. */
const TOO_OFTEN = /\(10058\)|concurrent request rate/;
const RETRY_MS = 1_000;

/** An object that no index names is what an interrupted write left, once it is older than any write takes. */
const ABANDONED_MS = 60 * 60 * 1_000;

/** What a change did not come to, as data. */
export type StoreFailure =
  | { readonly kind: "exists"; readonly by: Provenance }
  | { readonly kind: "unknown_skill" }
  | { readonly kind: "unknown_version" }
  | { readonly kind: "conflict" }
  | { readonly kind: "full" }
  | { readonly kind: "damaged" };

export type StoreResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: StoreFailure };

/** What a change came to. `unchanged`: the same content was there already, and no version was added. */
export interface Saved {
  readonly record: SkillRecord;
  readonly action: "create" | "update" | "unchanged";
}

export interface SaveOptions {
  /** Whether a skill of that name may be there already; an id of a version: only as long as it is the current one. */
  readonly replace: boolean | string;
}

/** An object of the store, without its content where the condition of a reading says that it is known. */
interface StoredObject {
  readonly key: string;
  readonly etag: string;
  readonly uploaded: Date;
  json?(): Promise<unknown>;
}

/** What is used of an R2 bucket. */
export interface Bucket {
  get(key: string, options?: { onlyIf?: { etagDoesNotMatch: string } }): Promise<StoredObject | null>;
  /** Null when the condition does not hold. */
  put(key: string, value: string, options?: { onlyIf?: Record<string, string> }): Promise<StoredObject | null>;
  delete(keys: string[]): Promise<void>;
  list(options: { prefix: string }): Promise<{ readonly objects: readonly StoredObject[] }>;
}

interface ReadIndex {
  readonly index: SkillIndex;
  /** Null when there is no index yet. */
  readonly etag: string | null;
}

export class SkillStore {
  readonly #bucket: Bucket;
  readonly #onForeignChange: () => void;
  #last: ReadIndex = { index: EMPTY_INDEX, etag: null };

  /** `onForeignChange` is called when the index turns out to be another one than was last read or written here. */
  constructor(bucket: Bucket, onForeignChange: () => void = () => {}) {
    this.#bucket = bucket;
    this.#onForeignChange = onForeignChange;
  }

  /** The index as it is now. It is read again only when it has changed. */
  async index(): Promise<SkillIndex> {
    return (await this.#readIndex()).index;
  }

  /** The files of a version; the current one, unless another is named. */
  async read(name: string, id?: string): Promise<StoreResult<SkillFiles>> {
    const record = recordOf(await this.index(), name);
    if (record === undefined || (id === undefined && record.removed !== undefined)) return failed("unknown_skill");
    const version = id === undefined ? record.versions[0] : record.versions.find((each) => each.id === id);
    if (version === undefined) return failed("unknown_version");
    const object = await this.#bucket.get(versionKey(name, version.id));
    const packed = PackedFiles.safeParse(await object?.json?.());
    if (!packed.success) return failed("damaged");
    const files = unpackFiles(packed.data);
    const isWhole = (await filesDigest(files)) === version.digest;
    return isWhole ? { ok: true, value: files } : failed("damaged");
  }

  /** Saves a skill that was checked. `entry` says what `files` are. */
  async save(
    entry: SkillEntry,
    files: SkillFiles,
    { replace, ...provenance }: Provenance & SaveOptions,
  ): Promise<StoreResult<Saved>> {
    const { name } = entry;
    const digest = await contentDigest(entry);
    const first = await this.#readIndex();
    const base = recordOf(first.index, name);
    const live = liveRecord(first.index, name);
    if (live !== undefined) {
      const [current] = live.versions;
      if (current?.digest === digest) return { ok: true, value: { record: live, action: "unchanged" } };
      if (replace === false) return { ok: false, failure: { kind: "exists", by: current ?? provenance } };
    }
    if (typeof replace === "string" && live?.versions[0]?.id !== replace) return failed("conflict");
    const id = `${digest.slice("sha256:".length, 23)}-${crypto.randomUUID().slice(0, 8)}`;
    await this.#bucket.put(versionKey(name, id), JSON.stringify(packFiles(files)));
    const version = { id, digest, ...provenance };
    const result = await this.#change(first, name, base, (index) => {
      const room = base === undefined ? withRoom(index) : { index, dropped: [] };
      if (room === null) return null;
      const next = withVersion(room.index, entry, version);
      return { index: next.index, dropped: [...room.dropped, ...next.dropped] };
    });
    if (!result.ok) {
      await this.#discard([versionKey(name, id)]);
      return result;
    }
    await this.#sweep(name, result.value);
    return { ok: true, value: { record: result.value, action: live === undefined ? "create" : "update" } };
  }

  /** Removes a skill; its versions stay, and can be restored. */
  async remove(name: string, provenance: Provenance): Promise<StoreResult<SkillRecord>> {
    const first = await this.#readIndex();
    const base = liveRecord(first.index, name);
    if (base === undefined) return failed("unknown_skill");
    return this.#change(first, name, base, (index) => withRemoval(index, name, provenance));
  }

  /**
   * Applies a change to the index, as long as the record of `name` is the one it was decided on. A write by somebody
   * else to another skill is no reason to fail: the change is made again on what is there now.
   */
  async #change(
    first: ReadIndex,
    name: string,
    base: SkillRecord | undefined,
    change: (index: SkillIndex) => IndexChange | null,
  ): Promise<StoreResult<SkillRecord>> {
    let read = first;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      if (JSON.stringify(recordOf(read.index, name)) !== JSON.stringify(base)) return failed("conflict");
      const next = change(read.index);
      const record = next === null ? undefined : recordOf(next.index, name);
      if (next === null || record === undefined) return failed("full");
      const onlyIf = read.etag === null ? { etagDoesNotMatch: "*" } : { etagMatches: read.etag };
      const written = await this.#putIndex(JSON.stringify(next.index), onlyIf);
      if (written !== null) {
        this.#last = { index: next.index, etag: written.etag };
        // A version that nothing names can be read by nobody; what stays behind is swept with the next write.
        await this.#discard(next.dropped.map(({ name, id }) => versionKey(name, id)));
        return { ok: true, value: record };
      }
      read = await this.#readIndex();
    }
    return failed("conflict");
  }

  /** Null when the index is another one by now, or was written too often: then it is to be read again. */
  async #putIndex(text: string, onlyIf: Record<string, string>): Promise<StoredObject | null> {
    try {
      return await this.#bucket.put(INDEX_KEY, text, { onlyIf });
    } catch (error) {
      if (!(error instanceof Error && TOO_OFTEN.test(error.message))) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      return null;
    }
  }

  async #readIndex(): Promise<ReadIndex> {
    const { etag } = this.#last;
    const object = await this.#bucket.get(INDEX_KEY, etag === null ? {} : { onlyIf: { etagDoesNotMatch: etag } });
    if (object === null) this.#last = { index: EMPTY_INDEX, etag: null };
    // Without its content it is the one that was read before.
    else if (object.json !== undefined) {
      const isForeign = etag !== null && etag !== object.etag;
      this.#last = { index: SkillIndex.parse(await object.json()), etag: object.etag };
      if (isForeign) this.#onForeignChange();
    }
    return this.#last;
  }

  /** Deletes what interrupted writes of this skill left behind. */
  async #sweep(name: string, { versions }: SkillRecord): Promise<void> {
    const named = new Set(versions.map(({ id }) => versionKey(name, id)));
    const { objects } = await this.#bucket.list({ prefix: versionKey(name, "") });
    const abandoned = objects.filter(
      ({ key, uploaded }) => !named.has(key) && Date.now() - uploaded.getTime() > ABANDONED_MS,
    );
    await this.#discard(abandoned.map(({ key }) => key));
  }

  /** Deletes objects that nothing refers to; one that stays does no harm, so that a failure is none of the change. */
  async #discard(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return;
    try {
      await this.#bucket.delete([...keys]);
    } catch {
      // Swept with the next write of the skill.
    }
  }
}

function versionKey(name: string, id: string): string {
  return `skills/versions/${name}/${id}`;
}

async function filesDigest(files: SkillFiles): Promise<string> {
  const entries = await Promise.all(
    [...files].map(async ([path, bytes]) => ({ path, digest: await digestOf(bytes), size: bytes.byteLength })),
  );
  return contentDigest({ files: entries.toSorted((a, b) => (a.path < b.path ? -1 : 1)) });
}

function failed(kind: Exclude<StoreFailure["kind"], "exists">): { readonly ok: false; readonly failure: StoreFailure } {
  return { ok: false, failure: { kind } };
}

/** The store of skills on a real R2: whole versions or none, two writers, an interrupted write, restoring, room. */
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

import { readSkill, type SkillEntry, type SkillFiles } from "../../src/skills/format.ts";
import { writeManifest } from "../../src/skills/manifest.ts";
import { MAX_VERSIONS } from "../../src/skills/records.ts";
import { SkillStore, type Bucket, type StoreResult } from "../../src/skills/store.ts";

const WHO = { by: "ada", at: "2026-11-30T12:00:00.000Z", run: null };

let miniflare: Miniflare;
let bucket: Bucket;

beforeAll(async () => {
  miniflare = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default { fetch: () => new Response() }",
      compatibilityDate: "2026-11-01",
      r2Buckets: ["STORAGE"],
    }),
  );
  bucket = (await miniflare.getR2Bucket("STORAGE")) as unknown as Bucket;
});

afterAll(() => miniflare.dispose());

beforeEach(async () => {
  await bucket.delete((await keys()).concat("nothing"));
});

async function keys(): Promise<string[]> {
  return (await bucket.list({ prefix: "skills/" })).objects.map(({ key }) => key);
}

interface Skill {
  readonly entry: SkillEntry;
  readonly files: SkillFiles;
}

async function skill(name: string, code: string, extra: Record<string, Uint8Array> = {}): Promise<Skill> {
  const encoder = new TextEncoder();
  const files = new Map<string, Uint8Array>([
    ["SKILL.md", encoder.encode(writeManifest({ name, description: `What ${name} does` }))],
    ["main.ts", encoder.encode(code)],
    ...Object.entries(extra),
  ]);
  const read = await readSkill(name, files);
  if (!read.ok) throw new Error(JSON.stringify(read.issues));
  return { entry: read.entry, files };
}

async function save(store: SkillStore, { entry, files }: Skill, replace: boolean | string = false) {
  return store.save(entry, files, { ...WHO, replace });
}

function valueOf<T>(result: StoreResult<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.failure));
  return result.value;
}

function failureOf<T>(result: StoreResult<T>): unknown {
  return result.ok ? result.value : result.failure;
}

describe("the store of skills", () => {
  it("gives back every byte, of text and of what is none", async () => {
    const store = new SkillStore(bucket);
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const crlf = new TextEncoder().encode("\uFEFFone\r\ntwo\n");
    const saved = await skill("bytes", "return 1", { "data/all.bin": bytes, "references/crlf.md": crlf });
    expect(valueOf(await save(store, saved)).action).toBe("create");
    const read = valueOf(await new SkillStore(bucket).read("bytes"));
    expect([...read]).toEqual([...saved.files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });

  it("adds no version for the same content, and none over another without being told to replace", async () => {
    const store = new SkillStore(bucket);
    await save(store, await skill("one", "return 1"));
    expect(valueOf(await save(store, await skill("one", "return 1"))).action).toBe("unchanged");
    expect(failureOf(await save(store, await skill("one", "return 2")))).toMatchObject({
      kind: "exists",
      by: { by: "ada" },
    });
    const updated = valueOf(await save(store, await skill("one", "return 2"), true));
    expect([updated.action, updated.record.versions.length]).toEqual(["update", 2]);
  });

  it("keeps the last 20 versions, deletes older ones, and reads each that it keeps", async () => {
    const store = new SkillStore(bucket);
    for (let n = 0; n < MAX_VERSIONS + 3; n++) await save(store, await skill("many", `return ${n}`), true);
    const record = (await store.index()).skills["many"]!;
    expect(record.versions).toHaveLength(MAX_VERSIONS);
    expect((await keys()).filter((key) => key.startsWith("skills/versions/many/"))).toHaveLength(MAX_VERSIONS);
    const oldest = valueOf(await store.read("many", record.versions.at(-1)!.id));
    expect(new TextDecoder().decode(oldest.get("main.ts"))).toBe("return 3");
  });

  it("lets one of two writers of a skill win, and tells the other", async () => {
    const [a, b] = [new SkillStore(bucket), new SkillStore(bucket)];
    await save(a, await skill("shared", "return 0"));
    const results = await Promise.all([
      save(a, await skill("shared", "return 'a'"), true),
      save(b, await skill("shared", "return 'b'"), true),
    ]);
    expect(results.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    expect(results.map(failureOf)).toContainEqual({ kind: "conflict" });
    const winner = results[0]!.ok ? "a" : "b";
    const files = valueOf(await a.read("shared"));
    expect(new TextDecoder().decode(files.get("main.ts"))).toBe(`return '${winner}'`);
    expect((await keys()).filter((key) => key.startsWith("skills/versions/"))).toHaveLength(2);
  });

  it("lets two writers of two skills both win", async () => {
    const names = ["a", "b", "c", "d", "e"];
    const results = await Promise.all(
      names.map(async (name) => save(new SkillStore(bucket), await skill(name, "return 1"))),
    );
    expect(results.map(({ ok }) => ok)).toEqual(names.map(() => true));
    expect(Object.keys((await new SkillStore(bucket).index()).skills).toSorted()).toEqual(names);
  });

  it("replaces a version only as long as it is the current one, if asked so", async () => {
    const store = new SkillStore(bucket);
    const first = valueOf(await save(store, await skill("based", "return 1"))).record.versions[0]!.id;
    await save(store, await skill("based", "return 2"), first);
    expect(failureOf(await save(store, await skill("based", "return 3"), first))).toEqual({ kind: "conflict" });
  });

  it.each([
    { step: "the version", fails: (key: string) => key.startsWith("skills/versions/") },
    { step: "the index", fails: (key: string) => key === "skills/index.json" },
  ])("is as it was after a write that broke off at $step", async ({ fails }) => {
    const store = new SkillStore(bucket);
    await save(store, await skill("whole", "return 1"));
    const broken: Bucket = {
      get: bucket.get.bind(bucket),
      list: bucket.list.bind(bucket),
      delete: async () => {
        throw new Error("gone");
      },
      put: async (key, ...rest) => {
        if (fails(key)) throw new Error("the connection was lost");
        return bucket.put(key, ...rest);
      },
    };
    await expect(save(new SkillStore(broken), await skill("whole", "return 2"), true)).rejects.toThrow("lost");
    expect(new TextDecoder().decode(valueOf(await store.read("whole")).get("main.ts"))).toBe("return 1");
    expect(valueOf(await save(store, await skill("whole", "return 3"), true)).record.versions).toHaveLength(2);
  });

  it("waits and writes again where the bucket takes no more writes just now", async () => {
    let refusals = 1;
    const busy: Bucket = {
      get: bucket.get.bind(bucket),
      list: bucket.list.bind(bucket),
      delete: bucket.delete.bind(bucket),
      put: async (key, ...rest) => {
        if (key === "skills/index.json" && refusals-- > 0)
          throw new Error("put: Reduce your concurrent request rate for the same object. (10058)");
        return bucket.put(key, ...rest);
      },
    };
    expect(valueOf(await save(new SkillStore(busy), await skill("busy", "return 1"))).action).toBe("create");
  });

  it("notices that somebody else has changed the skills, once", async () => {
    let noticed = 0;
    const store = new SkillStore(bucket, () => void (noticed += 1));
    await save(store, await skill("own", "return 1"));
    await save(new SkillStore(bucket), await skill("foreign", "return 1"));
    await store.index();
    await store.index();
    expect(noticed).toBe(1);
  });

  it("serves nothing of a version that was damaged", async () => {
    const store = new SkillStore(bucket);
    await save(store, await skill("hurt", "return 1"));
    const key = (await keys()).find((name) => name.startsWith("skills/versions/"));
    await bucket.put(key!, JSON.stringify({ "SKILL.md": "x", "main.ts": "return 'evil'" }));
    expect(failureOf(await store.read("hurt"))).toEqual({ kind: "damaged" });
  });

  it("hides what was removed, keeps its versions, and takes it up again with the next save", async () => {
    const store = new SkillStore(bucket);
    const { record } = valueOf(await save(store, await skill("gone", "return 1")));
    expect((await store.remove("gone", WHO)).ok).toBe(true);
    expect(failureOf(await store.remove("gone", WHO))).toEqual({ kind: "unknown_skill" });
    expect(failureOf(await store.read("gone"))).toEqual({ kind: "unknown_skill" });
    expect((await store.read("gone", record.versions[0]!.id)).ok).toBe(true);
    const again = valueOf(await save(store, await skill("gone", "return 1")));
    expect([again.action, again.record.versions.length]).toEqual(["create", 2]);
  });

  it("reads the index again only when it has changed", async () => {
    let bodies = 0;
    const counted: Bucket = {
      put: bucket.put.bind(bucket),
      list: bucket.list.bind(bucket),
      delete: bucket.delete.bind(bucket),
      get: async (key, options) => {
        const object = await bucket.get(key, options);
        if (object?.json !== undefined) bodies += 1;
        return object;
      },
    };
    const store = new SkillStore(counted);
    await save(new SkillStore(bucket), await skill("first", "return 1"));
    for (let n = 0; n < 3; n++) expect(Object.keys((await store.index()).skills)).toEqual(["first"]);
    expect(bodies).toBe(1);
    await save(new SkillStore(bucket), await skill("second", "return 1"));
    expect(Object.keys((await store.index()).skills)).toEqual(["first", "second"]);
    expect(bodies).toBe(2);
  });
});

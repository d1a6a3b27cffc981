/** The format of a skill: what is read, and every way it can be wrong, each with its file and line. */
import { describe, expect, it } from "vitest";
import { skillEntry } from "@modelcontextprotocol/server/ext/skills";

import { readFolders } from "../../src/cli/skills/folder.ts";
import { issuesText, MAX_FILES, readSkill } from "../../src/skills/format.ts";
import { readFrontMatter } from "../../src/skills/front-matter.ts";
import { readInput } from "../../src/skills/input.ts";
import { writeManifest } from "../../src/skills/manifest.ts";
import { pathProblem, SkillName } from "../../src/skills/names.ts";
import { packFiles, unpackFiles } from "../../src/skills/packed.ts";

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

async function issuesOf(files: Record<string, string | Uint8Array>, name = "demo"): Promise<string> {
  const entries = Object.entries(files).map(([path, content]): [string, Uint8Array] => [
    path,
    typeof content === "string" ? bytes(content) : content,
  ]);
  const read = await readSkill(name, new Map(entries));
  return read.ok ? "" : issuesText(read.issues);
}

const HEAD = "---\nname: demo\ndescription: A demo\n---\n";

describe("the front matter", () => {
  it("is read with every key it has", () => {
    const text =
      '---\nname: demo\ndescription: "Joins: things"\napis: [a, b-c]\nversion: "1.0"\nlicense: MIT\ninput:\n  type: object\n  properties:\n    day:\n      type: string\n---\nText\n';
    expect(readFrontMatter(text)).toEqual({
      ok: true,
      head: {
        name: "demo",
        description: "Joins: things",
        apis: ["a", "b-c"],
        version: "1.0",
        license: "MIT",
        input: { type: "object", properties: { day: { type: "string" } } },
      },
    });
  });

  it.each([
    ["", 1, /begin with a "---" line/],
    ["---\nname: demo\n", 1, /no "---" line at its end/],
    ["---\nname: demo\n---\n", 2, /^description: say/],
    ["---\nname: demo\ndescription: x\nname: two\n---\n", 4, /unique/],
    ["---\nname: demo\ndescription: x\n\tbad: 1\n---\n", 4, /[Tt]abs/],
    ["---\nname: Demo_1\ndescription: x\n---\n", 2, /^name: use lower-case/],
    ["---\nname: ../up\ndescription: x\n---\n", 2, /^name: use lower-case/],
    ["---\nname: demo\ndescription: ''\n---\n", 3, /^description: say when/],
    [`---\nname: demo\ndescription: ${"x".repeat(1_025)}\n---\n`, 3, /1024 characters/],
    ["---\nname: demo\ndescription: x\nversion: 1.0\n---\n", 4, /^version: write the version in quotes/],
    ["---\nname: demo\ndescription: x\napis: github\n---\n", 4, /^apis: list the names/],
    ["---\nname: demo\ndescription: x\napis:\n  - ok\n  - Not_OK\n---\n", 6, /^apis\.1: use 1 to 32/],
    ["---\nname: demo\ndescription: x\ninput:\n  type: array\n---\n", 5, /^input\.type: an input is one JSON object/],
    [
      '---\nname: demo\ndescription: x\ninput:\n  type: object\n  properties:\n    a:\n      $ref: "#"\n---\n',
      8,
      /references are not read/,
    ],
    ["---\nname: demo\ndescription: x\na: &one [1]\n---\n", 4, /anchors are not read/],
    ["---\nname: demo\ndescription: x\na: !!js/function f\n---\n", 4, /tag/],
    [`---\nname: demo\ndescription: x\n${"a: b\n".repeat(2)}---\n`, 5, /unique/],
  ])("%j is refused at line %i", (text, line, message) => {
    const read = readFrontMatter(text);
    expect(read.ok).toBe(false);
    expect(read.ok ? [] : read.issues).toContainEqual({ line, message: expect.stringMatching(message) as string });
  });

  it("says all that is wrong at once", () => {
    const read = readFrontMatter("---\nname: X\ndescription: ''\nversion: 2\n---\n");
    expect(read.ok ? [] : read.issues.map(({ line }) => line)).toEqual([2, 3, 4]);
  });

  const LAUGHS = [..."bcdefghij"].map((key, n) => `${key}: &${key} [${`*${"abcdefghij"[n]}, `.repeat(9)}]\n`).join("");
  const NESTED = Array.from({ length: 100 }, (_, n) => `${" ".repeat(n)}a:\n`).join("");
  const KEYS = Array.from({ length: 10_000 }, (_, n) => `k${n}:\n`).join("");

  it.each([
    ["a billion laughs", `a: &a [x]\n${LAUGHS}`, /aliases are not read/],
    ["a merge of itself", "a: &a\n  <<: *a\n", /aliases are not read/],
    ["brackets within brackets", `a: ${"[".repeat(8_000)}${"]".repeat(8_000)}\n`, /nested too deeply/],
    ["maps within maps", NESTED, /nested too deeply/],
    ["megabytes", `b: "${"x".repeat(5_000_000)}"\n`, /longer than 16384 characters/],
    ["many keys", KEYS, /longer than 16384 characters/],
  ])("is refused at once when it is a bomb: %s", (_, yaml, message) => {
    const startedMs = performance.now();
    const read = readFrontMatter(`---\nname: demo\ndescription: x\n${yaml}---\n`);
    expect(read.ok ? [] : read.issues.map((issue) => issue.message)).toContainEqual(expect.stringMatching(message));
    // A bound on a hang, and no measure.
    expect(performance.now() - startedMs).toBeLessThan(5_000);
  });
});

describe("a skill's files", () => {
  it("are two at least", async () => {
    expect(await issuesOf({})).toMatch(/^SKILL.md: is missing/);
    expect(await issuesOf({ "SKILL.md": HEAD })).toMatch(/^main.ts: is missing/);
    expect(await issuesOf({ "SKILL.md": HEAD, "main.ts": "" })).toBe("");
  });

  it("belong to a folder of the skill's name", async () => {
    expect(await issuesOf({ "SKILL.md": HEAD, "main.ts": "" }, "other")).toMatch(/says "demo", the folder "other"/);
  });

  it.each([
    "../up.ts",
    "a/../../up.ts",
    "/etc/passwd",
    "a//b.ts",
    "a/",
    "a\\b.ts",
    "C:evil.ts",
    ".hidden",
    "a/.git/config",
    "nul.ts",
    "con",
    "end.",
    "a b.ts",
    "ü.ts",
    "%2e%2e/x",
    "a\u0000b",
    "x".repeat(201),
  ])("have no path such as %j", async (path) => {
    expect(await issuesOf({ "SKILL.md": HEAD, "main.ts": "", [path]: "" })).toContain(pathProblem(path)!);
  });

  it("do not differ by case only, and are not folders as well", async () => {
    expect(await issuesOf({ "SKILL.md": HEAD, "main.ts": "", "Main.ts": "" })).toMatch(/differs from main.ts by case/);
    expect(await issuesOf({ "SKILL.md": HEAD, "main.ts": "", lib: "", "lib/a.ts": "" })).toMatch(
      /lib: is a file and a/,
    );
  });

  it("have limits of size and number, told in numbers", async () => {
    const files = { "SKILL.md": HEAD, "main.ts": "" };
    expect(await issuesOf({ ...files, "big.bin": new Uint8Array(5_000_000) })).toMatch(
      /^big.bin: has 5000000 bytes; a file of a skill has 1048576 at most\n.*4194304 at most$/,
    );
    const many = Object.fromEntries(Array.from({ length: MAX_FILES }, (_, n) => [`f${n}.ts`, ""]));
    expect(await issuesOf({ ...files, ...many })).toBe("has 102 files; 100 are the most");
  });

  it("come back byte by byte from their JSON", () => {
    const files = new Map([
      ["a.txt", bytes("\uFEFFone\r\ntwo\u0000")],
      ["b.bin", Uint8Array.from({ length: 70_000 }, (_, n) => n % 256)],
      ["c.txt", Uint8Array.of(0xed, 0xa0, 0x80)],
    ]);
    expect([...unpackFiles(JSON.parse(JSON.stringify(packFiles(files))))]).toEqual([...files]);
  });
});

it.each(["a", "a-b", "a1-2-b", "x".repeat(64)])("%s is a name", (name) => {
  expect(SkillName.safeParse(name).success).toBe(true);
});

it.each(["", "A", "a_b", "-a", "a-", "a--b", "a/b", "..", "x".repeat(65), "con", "a.b"])("%j is no name", (name) => {
  expect(SkillName.safeParse(name).success).toBe(false);
});

describe("a SKILL.md that is written for code", () => {
  it.each([
    { name: "plain", description: "Plain" },
    { name: "odd", description: 'Says: "x" # not a comment\nsecond line\ttab — ünï 🦊 *a &b !c' },
    { name: "yes", description: "no", version: "1.0", apis: ["a", "b"] },
    {
      name: "deep",
      description: "x",
      input: {
        type: "object",
        required: [],
        properties: { "a b": { enum: [1, null, true, "x", {}, []] }, true: { items: [{ const: { k: [[1]] } }] } },
      },
    },
  ])("is read back as it was meant, by us and by other clients: $name", async (parts) => {
    const text = writeManifest(parts);
    const own = readFrontMatter(text);
    expect(own).toEqual({ ok: true, head: parts });
    const other = await skillEntry(parts.name, { "SKILL.md": text });
    expect(other.frontmatter).toEqual(parts);
  });
});

describe("an input", () => {
  const SCHEMA = {
    type: "object",
    required: ["day", "limit"],
    properties: {
      day: { type: "string" },
      limit: { type: "integer", minimum: 1 },
      tags: { items: { type: "string" } },
    },
    additionalProperties: false,
  };

  it("is taken when it fits", () => {
    expect(readInput(SCHEMA, { day: "x", limit: 1 })).toEqual({ ok: true, json: '{"day":"x","limit":1}' });
    expect(readInput(undefined, undefined)).toEqual({ ok: true, json: "{}" });
  });

  it("is refused with all that is wrong", () => {
    const read = readInput(SCHEMA, { limit: 0, tags: [1, "a"], other: 1 });
    expect(read.ok ? [] : read.problems.map(({ path }) => path).toSorted()).toEqual(["", "limit", "other", "tags[0]"]);
  });

  it.each([[1], ["text"], [[]]])("that is %j and no object is refused", (input) => {
    expect(readInput(undefined, input)).toMatchObject({ ok: false });
  });

  it("is not checked by a pattern, which could take for ever", () => {
    const schema = { type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } };
    expect(readInput(schema, { a: `${"a".repeat(40)}!` }).ok).toBe(true);
  });
});

it("the skills that come with the server are valid, and other clients read them alike", async () => {
  const skills = await readFolders("skills");
  expect(skills.map(({ entry }) => entry.name)).toEqual([
    "compare-two-collections",
    "paginate-everything",
    "retry-with-idempotency",
  ]);
  for (const { entry, files } of skills) {
    const other = await skillEntry(entry.name, Object.fromEntries(files));
    expect(other.frontmatter).toEqual(entry.head);
  }
});

/** Who may change skills: every refusal comes before anything is read or written. */
import { describe, expect, it, vi } from "vitest";

import type { CallingRun } from "../../src/code/host-calls.ts";
import type { Scope } from "../../src/contract/scopes.ts";
import { SkillChanges, type Author } from "../../src/skills/changes.ts";
import { describeFailure } from "../../src/skills/failures.ts";
import { SkillLibrary, type BuiltIn } from "../../src/skills/library.ts";
import { SkillStore, type Bucket } from "../../src/skills/store.ts";

const untouched = (): never => {
  throw new Error("the store was asked");
};
const BUCKET: Bucket = { get: untouched, put: untouched, delete: untouched, list: untouched };

function author(scopes: readonly Scope[], readOnly?: boolean): Author {
  const run = readOnly === undefined ? null : ({ runId: "r", readOnly, context: {} } as unknown as CallingRun);
  return { auth: { principal: "ada", scopes, apis: null }, run };
}

function changes(isReadOnly = false): SkillChanges {
  const entry = { name: "mine", head: { name: "mine", description: "x" }, files: [] };
  const builtIns = new Map<string, BuiltIn>([["mine", { entry, files: new Map() }]]);
  const library = new SkillLibrary(new SkillStore(BUCKET), builtIns);
  return new SkillChanges({ library, isReadOnly, compile: untouched, onChange: untouched });
}

const WRITER = ["run", "skills:write"] as const;

describe.each(["save", "remove", "restore"] as const)("%s", (action) => {
  const act = async (target: SkillChanges, by: Author, name = "other"): Promise<string> => {
    const result =
      action === "save"
        ? await target.save(by, { name, files: new Map(), replace: true })
        : await target[action](by, name);
    return result.ok ? "done" : result.failure.kind;
  };

  it.each([
    ["read_only_run", changes(), author(WRITER, true), "other"],
    ["scope", changes(), author(["run"], false), "other"],
    ["scope", changes(), author(["admin"]), "other"],
    ["saving_off", changes(true), author(WRITER, false), "other"],
    ["built_in", changes(), author(WRITER), "mine"],
  ] as const)("is refused: %s", async (kind, target, by, name) => {
    expect(await act(target, by, name)).toBe(kind);
  });
});

it("a store that does not answer is said to have changed nothing, and its words stay here", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const result = await changes().remove(author(WRITER), "other");
  expect(result.ok ? "" : describeFailure("other", result.failure)).toBe(
    "the store of skills did not answer; nothing was changed. Try again",
  );
  expect(log.mock.calls.flat().join()).not.toContain("was asked");
  log.mockRestore();
});

/** The skills of a deployment as one principal's object has them: everything that tools, code and routes need of them. */
import { RpcTarget } from "cloudflare:workers";

import type { LoadedCatalog } from "../catalog/load.ts";
import type { HostCalls } from "../code/host-calls.ts";
import { toPlain } from "../code/plain.ts";
import type { Runs } from "../code/runs.ts";
import type { CheckRequest, ModuleAnswer, ModuleRequest, ModuleSource } from "../contract/modules.ts";
import type { Env } from "../env.ts";
import { loadBuiltIns } from "./built-in.ts";
import { SkillChanges, type ChangeParts } from "./changes.ts";
import type { SkillEntry, SkillFiles } from "./format.ts";
import { skillCalls } from "./host-calls.ts";
import { SkillLibrary } from "./library.ts";
import { textOf } from "./text.ts";
import { MAIN } from "./names.ts";
import { readModules, toFileId } from "./resolve.ts";
import { SkillRunner } from "./runner.ts";
import { SkillStore } from "./store.ts";

export interface Skills {
  readonly library: SkillLibrary;
  readonly changes: SkillChanges;
  readonly runner: SkillRunner;
  /** What code may call. */
  readonly calls: HostCalls;
  /** The files that code imports. */
  readonly modules: ModuleSource["modules"];
}

export interface SkillsParts extends Pick<ChangeParts, "isReadOnly" | "onChange"> {
  readonly env: Pick<Env, "STORAGE" | "SANDBOX" | "OUTBOUND_PROXY">;
  readonly catalog: LoadedCatalog;
  /** Called when a skill is first run: the runs need what is made here. */
  readonly runs: () => Pick<Runs, "execute">;
  /** Called when somebody else has changed the skills, as soon as it is seen. */
  readonly onSeen: () => void;
}

/** Puts the parts together. */
export function createSkills({ env, catalog, runs, isReadOnly, onChange, onSeen }: SkillsParts): Skills {
  const library = new SkillLibrary(new SkillStore(env.STORAGE, onSeen), loadBuiltIns());
  const changes = new SkillChanges({
    library,
    isReadOnly,
    onChange,
    compile: (...skill) => check(env, library, ...skill),
  });
  const runner = new SkillRunner({
    library,
    catalog,
    runs,
    describeProxy: () => toPlain(env.OUTBOUND_PROXY.describe()),
  });
  return {
    library,
    changes,
    runner,
    calls: skillCalls({ library, changes, runner }),
    modules: (requests) => readModules(library, requests),
  };
}

/** Gives the sandbox, while it checks a skill, that skill's own files and the saved ones of others. */
class CheckSource extends RpcTarget implements ModuleSource {
  readonly #answer: (requests: readonly ModuleRequest[]) => Promise<ModuleAnswer[]>;
  constructor(answer: (requests: readonly ModuleRequest[]) => Promise<ModuleAnswer[]>) {
    super();
    this.#answer = answer;
  }
  modules(requests: readonly ModuleRequest[]): Promise<ModuleAnswer[]> {
    return this.#answer(requests);
  }
}

function check(env: SkillsParts["env"], library: SkillLibrary, { name }: SkillEntry, files: SkillFiles) {
  const scripts = [...files.keys()].filter((path) => /\.[jt]s$/.test(path));
  const request: CheckRequest = {
    main: toFileId({ name, path: MAIN }),
    files: Object.fromEntries(scripts.map((path) => [toFileId({ name, path }), textOf(files, path) ?? ""])),
  };
  const source = new CheckSource((requests) => readModules(library, requests, new Map([[name, files]])));
  return toPlain(env.SANDBOX.check(request, source));
}

/**
 * Runs a skill. Everything that can be known before is checked before: the input, that it does not run itself, its
 * APIs, their credentials. It reaches what both it and its caller may, and writes only if its caller may.
 */
import { narrowApis, type Auth } from "../auth/auth.ts";
import type { LoadedCatalog } from "../catalog/load.ts";
import type { RunReport } from "../code/report.ts";
import type { CallingRun } from "../code/host-calls.ts";
import type { RunContext } from "../code/run-context.ts";
import type { Runs } from "../code/runs.ts";
import { formatLog } from "../contract/log.ts";
import type { ProxyDescription } from "../contract/services.ts";
import { withStore, type SkillResult } from "./changes.ts";
import type { SkillFailure } from "./failures.ts";
import { readInput } from "./input.ts";
import type { Skill, SkillLibrary } from "./library.ts";
import { textOf } from "./text.ts";
import { MAIN } from "./names.ts";
import { toFileId } from "./resolve.ts";

export interface RunnerParts {
  readonly library: SkillLibrary;
  readonly catalog: LoadedCatalog;
  readonly runs: () => Pick<Runs, "execute">;
  /** What the proxy says of its credentials. */
  readonly describeProxy: () => Promise<Pick<ProxyDescription, "credentials">>;
}

export interface SkillRequest extends RunContext {
  readonly name: string;
  readonly input: unknown;
  readonly readOnly: boolean;
  readonly timeoutMs: number;
}

export class SkillRunner {
  readonly #parts: RunnerParts;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** Runs a skill for a caller, or for the run that calls. A report whatever its code does; a failure if it never began. */
  async run(auth: Auth, request: SkillRequest, parent?: CallingRun): Promise<SkillResult<RunReport>> {
    const { name, input, ...rest } = request;
    const { library, runs } = this.#parts;
    const chain = [...(parent?.context.skills ?? []), name];
    if (chain.indexOf(name) < chain.length - 1) return { ok: false, failure: { kind: "cycle", chain } };
    const found = await withStore(library, name, async () => {
      const skill = await library.find(name);
      const files = await library.files(name);
      if (!files.ok || skill === undefined) return files.ok ? { ok: false, failure: { kind: "unknown_skill" } } : files;
      return { ok: true, value: { skill, code: textOf(files.value, MAIN) ?? "" } };
    });
    if (!found.ok) return found;
    const { skill, code } = found.value;
    const checked = readInput(skill.entry.head.input, input);
    if (!checked.ok) return { ok: false, failure: { kind: "input", problems: checked.problems } };
    // What is answered from a recording needs no API, and reaches none.
    const isReplayed = request.http?.mode === "replay";
    const apis = isReplayed ? [] : (skill.entry.head.apis ?? null);
    const missing = await this.#missing(apis, narrowApis(auth.apis, parent?.apis ?? null));
    if (missing !== null) return { ok: false, failure: missing };

    const saved = { file: toFileId({ name, path: MAIN }), input: checked.json };
    const report = await runs().execute(auth, { ...rest, ...saved, code, apis, skills: chain }, parent);
    console.log(formatLog(Date.now(), "skill", "run", toLogFields(skill, auth, report)));
    return { ok: true, value: report };
  }

  /** What the skill needs and the server does not have; of APIs that the caller may not reach, the proxy tells. */
  async #missing(apis: readonly string[] | null, reachable: readonly string[] | null): Promise<SkillFailure | null> {
    if (apis === null || apis.length === 0) return null;
    const { catalog, describeProxy } = this.#parts;
    const inactive = apis.filter((api) => !catalog.apis.has(api));
    if (inactive.length > 0) return { kind: "inactive", apis: inactive };
    const needed = (narrowApis(apis, reachable) ?? []).flatMap((api) => catalog.apis.get(api)?.credentials ?? []);
    if (needed.length === 0) return null;
    const { credentials } = await describeProxy();
    const unset = needed.map(({ name }) => name).filter((name) => (credentials[name] ?? "missing") === "missing");
    return unset.length === 0 ? null : { kind: "no_credential", credentials: unset };
  }
}

function toLogFields({ entry, saved }: Skill, auth: Auth, { runId, outcome, ms }: RunReport) {
  return {
    skill: entry.name,
    version: saved?.id ?? "built-in",
    by: auth.principal,
    run: runId,
    kind: outcome.kind,
    ms,
  };
}

/**
 * Carries out a plan, one wrangler call a step. A step that fails ends it, and what was promoted goes back to what was
 * live before, the last one first; versions that were only uploaded get no traffic and are left.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import { z } from "zod";

import type { WorkerKey } from "../local/bundle.ts";
import type { CallWrangler, WranglerCall } from "../wrangler.ts";
import type { Packages } from "./package.ts";
import type { Plan, Step } from "./plan.ts";

export interface ApplyParts {
  readonly packages: Packages;
  readonly wrangler: CallWrangler;
  /** Told of each step when it begins. */
  readonly onStep: (step: Step) => void;
  /** A folder without a wrangler configuration of its own. */
  readonly dir: string;
  /** Said of each version and deployment. */
  readonly message: string;
  /** Aborted when the user wants to stop: no further step begins, and what can be is taken back. */
  readonly signal?: AbortSignal | undefined;
}

/** What became of a Worker that had been changed when a step failed. */
export interface Undone {
  readonly worker: WorkerKey;
  readonly result: "rolled_back" | "cannot_be" | "failed";
}

export type Applied =
  | { readonly ok: true; rollBack(): Promise<readonly Undone[]> }
  | { readonly ok: false; readonly step: Step; readonly detail: string; readonly undone: readonly Undone[] };

const Uploaded = z.object({ type: z.literal("version-upload"), version_id: z.string() });

/** Lines of wrangler's that help nobody here. */
const NOISE = /^(?:$|🪵|If you think this is a bug|Logs were written)/u;

/** Carries out all steps, or takes back those that can be. */
export async function apply(plan: Plan, parts: ApplyParts): Promise<Applied> {
  const uploaded = new Map<WorkerKey, string>();
  const changed: { worker: WorkerKey; kind: "deploy" | "promote" }[] = [];
  const rollBack = async (): Promise<Undone[]> => {
    const undone: Undone[] = [];
    for (const { worker, kind } of changed.toReversed()) {
      const before = plan.before[worker];
      const isFinal = kind === "deploy" && plan.steps.some((step) => isFinalDeploy(step, worker));
      if (isFinal || before.length === 0) undone.push({ worker, result: "cannot_be" });
      else {
        const specs = before.map(({ id, percentage }) => `${id}@${percentage}%`);
        const { code } = await parts.wrangler(promoteArgs(specs, worker, parts, "CodeForge: rolled back"));
        undone.push({ worker, result: code === 0 ? "rolled_back" : "failed" });
      }
    }
    return undone;
  };
  for (const step of plan.steps) {
    if (parts.signal?.aborted === true) return { ok: false, step, detail: "stopped", undone: await rollBack() };
    parts.onStep(step);
    // What ends in the middle may have been done all the same.
    if (step.kind === "promote" || step.kind === "deploy") changed.push({ worker: step.worker, kind: step.kind });
    const result = await carryOut(step, { plan, parts, uploaded });
    if (result !== null) return { ok: false, step, detail: result, undone: await rollBack() };
  }
  return { ok: true, rollBack };
}

function isFinalDeploy(step: Step, worker: WorkerKey): boolean {
  return step.kind === "deploy" && step.worker === worker && step.why !== "below_is_new";
}

interface StepContext {
  readonly plan: Plan;
  readonly parts: ApplyParts;
  readonly uploaded: Map<WorkerKey, string>;
}

/** Null if the step is done, or else what wrangler says. */
async function carryOut(step: Step, { plan, parts, uploaded }: StepContext): Promise<string | null> {
  const { packages, wrangler, dir, message } = parts;
  const call = async (args: readonly string[]): Promise<WranglerCall> => wrangler(args, { cwd: dir });
  switch (step.kind) {
    case "create_bucket":
      return failure(await call(["r2", "bucket", "create", step.name, "--update-config=false"]));
    case "upload":
    case "deploy": {
      const { configFile, fingerprint } = packages[step.worker];
      const command = step.kind === "deploy" ? ["deploy"] : ["versions", "upload"];
      const args = [...command, "--config", configFile, "--tag", fingerprint, "--message", message];
      const result = await withSecretsFile(plan.secrets[step.worker], (flags) => call([...args, ...flags]));
      const version = result.entries.map((entry) => Uploaded.safeParse(entry).data?.version_id).find(Boolean);
      if (version !== undefined) uploaded.set(step.worker, version);
      return failure(result);
    }
    case "promote": {
      const version = uploaded.get(step.worker);
      if (version === undefined) return "wrangler did not say which version it had uploaded";
      return failure(await call(promoteArgs([`${version}@100%`], step.worker, parts, message)));
    }
    case "apply_routes":
      return failure(await call(["triggers", "deploy", "--config", packages[step.worker].configFile]));
  }
}

function promoteArgs(specs: readonly string[], worker: WorkerKey, { packages }: ApplyParts, message: string): string[] {
  return ["versions", "deploy", ...specs, "--config", packages[worker].configFile, "--message", message, "--yes"];
}

/** What wrangler says of a failure, from its error mark on; null if there was none. */
export function failure({ code, output }: WranglerCall): string | null {
  if (code === 0) return null;
  const text = stripVTControlCharacters(output);
  const lines = text.slice(Math.max(0, text.lastIndexOf("✘"))).split("\n");
  const said = lines.map((line) => line.trim()).filter((line) => !NOISE.test(line));
  return said.slice(-12).join("\n") || `wrangler ended with exit code ${code}`;
}

/** Secrets travel in a file that its owner alone can read and that is gone afterwards, never as arguments. */
async function withSecretsFile<T>(
  secrets: Readonly<Record<string, string>>,
  use: (flags: readonly string[]) => Promise<T>,
): Promise<T> {
  if (Object.keys(secrets).length === 0) return use([]);
  const dir = mkdtempSync(join(tmpdir(), "codeforge-secrets-"));
  try {
    const file = join(dir, "secrets.json");
    writeFileSync(file, JSON.stringify(secrets), { mode: 0o600 });
    return await use(["--secrets-file", file]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** What a deployment says to its user. No text here holds a value. */
import { styleText } from "node:util";

import type { Undone } from "./apply.ts";
import { toFlags, type DeploymentId } from "./names.ts";
import { ORDER, type Packages } from "./package.ts";
import { describeStep, type Plan } from "./plan.ts";
import type { SmokeResult } from "./smoke.ts";

/** Everything that stands in the way, at once. */
export function obstaclesText(obstacles: readonly string[]): string {
  return ["Nothing is deployed. Put this right first:", ...obstacles.map((text) => `  - ${text}`)].join("\n");
}

/** What will be done, and why. */
export function planText(plan: Plan, packages: Packages): string {
  if (plan.steps.length === 0) return "No change: what is live is what is here.";
  const width = Math.max(...ORDER.map((key) => packages[key].name.length));
  const workers = ORDER.map((key) => `  ${packages[key].name.padEnd(width)}  ${plan.reasons[key] ?? "no change"}`);
  const steps = plan.steps.map((step, index) => `  ${index + 1}. ${describeStep(step, packages)}`);
  return [...workers, "Steps:", ...steps].join("\n");
}

/** The smoke test, a line for each check. */
export function smokeText(results: readonly SmokeResult[]): string {
  const marks = { passed: styleText("green", "ok  "), failed: styleText("red", "FAIL"), skipped: "skip" };
  return results
    .map(({ name, state, detail }) => `  ${marks[state]} ${name}${detail === undefined ? "" : `: ${detail}`}`)
    .join("\n");
}

export interface Failure {
  readonly what: string;
  readonly detail: string;
  readonly undone: readonly Undone[];
  readonly packages: Packages;
  readonly id: DeploymentId;
}

/** What failed, what state that leaves, and what to do next. */
export function failureText({ what, detail, undone, packages, id }: Failure): string {
  const states = undone.map(({ worker, result }) => {
    const { name } = packages[worker];
    switch (result) {
      case "rolled_back":
        return `  ${name}: rolled back to what was live before`;
      case "cannot_be":
        return `  ${name}: stays as it is; there is no version to go back to`;
      case "failed":
        return `  ${name}: could not be rolled back; \`npx wrangler rollback --name ${name}\` tries again`;
    }
  });
  const flags = toFlags(id);
  const again = flags === "" ? "npm run deploy" : `npx codeforge deploy${flags}`;
  const isPartial = undone.some(({ result }) => result === "cannot_be");
  return [
    `Failed to ${what}:`,
    detail.replace(/^/gm, "  "),
    "",
    ...(states.length === 0 ? ["Nothing that serves was changed."] : ["The Workers now:", ...states]),
    "",
    `Next: put right what is said above and run \`${again}\` again: it goes on from here.`,
    ...(isPartial ? [`Or remove what is there: npx codeforge teardown${flags}`] : []),
  ].join("\n");
}

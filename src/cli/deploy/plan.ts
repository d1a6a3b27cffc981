/**
 * What a deployment has to do, out of what there is and what is to be. Pure. A Worker that does not exist cannot have a
 * version uploaded, a binding to one that does not exist is refused (10143), and a Durable Object migration takes effect
 * at once: such Workers are deployed in their turn, from the bottom up. All others are uploaded first and promoted then.
 */
import type { WorkerKey } from "../local/bundle.ts";
import { ORDER, type Packages, type WorkerPackage } from "./package.ts";
import type { LiveVersion, PlatformState, WorkerState } from "./platform.ts";
import { customDomains, isOnWorkersDev } from "./worker-config.ts";

export type Step =
  | { readonly kind: "create_bucket"; readonly name: string }
  /** Uploads a version that gets no traffic yet. */
  | { readonly kind: "upload"; readonly worker: WorkerKey }
  /** Uploads and serves at once. */
  | { readonly kind: "deploy"; readonly worker: WorkerKey; readonly why: "new" | "migration" | "below_is_new" }
  /** Gives all traffic to what was uploaded. */
  | { readonly kind: "promote"; readonly worker: WorkerKey }
  /** Applies routes and the workers.dev address, which versions do not carry. */
  | { readonly kind: "apply_routes"; readonly worker: WorkerKey };

export interface Plan {
  readonly steps: readonly Step[];
  /** Secrets that go along with each Worker's upload. */
  readonly secrets: Readonly<Record<WorkerKey, Readonly<Record<string, string>>>>;
  /** What is live now, for the way back. */
  readonly before: Readonly<Record<WorkerKey, readonly LiveVersion[]>>;
  /** Why each Worker is touched; absent for one that stays as it is. */
  readonly reasons: Readonly<Partial<Record<WorkerKey, string>>>;
}

/** Plans a deployment. `secrets`: those that are not on the account yet. */
export function planDeployment(packages: Packages, state: PlatformState, secrets: Plan["secrets"]): Plan {
  const wanted = [...new Set(ORDER.flatMap((key) => packages[key].buckets))];
  const creating = wanted.filter((name) => !state.buckets.includes(name));
  const reasons: Partial<Record<WorkerKey, string>> = {};
  const uploads: Step[] = [];
  const turns: Step[] = [];
  let isBelowNew = false;
  for (const key of ORDER) {
    const current = state.workers[key];
    const reason = whyChange(packages[key], current, Object.keys(secrets[key]));
    if (current === null) isBelowNew = true;
    const isAddressed = current !== null && hasItsAddress(packages[key], current);
    if (reason === null) {
      if (!isAddressed) {
        reasons[key] = "address";
        turns.push({ kind: "apply_routes", worker: key });
      }
      continue;
    }
    reasons[key] = reason;
    if (current === null) turns.push({ kind: "deploy", worker: key, why: "new" });
    else if (current.migration !== packages[key].migration)
      turns.push({ kind: "deploy", worker: key, why: "migration" });
    else if (isBelowNew) turns.push({ kind: "deploy", worker: key, why: "below_is_new" });
    else {
      uploads.push({ kind: "upload", worker: key });
      turns.push({ kind: "promote", worker: key });
      if (key === "server" || !isAddressed) turns.push({ kind: "apply_routes", worker: key });
    }
  }
  const live = (key: WorkerKey): readonly LiveVersion[] => state.workers[key]?.live ?? [];
  return {
    steps: [...creating.map((name): Step => ({ kind: "create_bucket", name })), ...uploads, ...turns],
    secrets,
    before: { proxy: live("proxy"), sandbox: live("sandbox"), server: live("server") },
    reasons,
  };
}

function whyChange(wanted: WorkerPackage, current: WorkerState | null, secrets: readonly string[]): string | null {
  if (current === null) return "new";
  const vars = Object.entries(wanted.vars).filter(([name, value]) => current.vars[name] !== value);
  const reasons = [
    ...(current.migration === wanted.migration ? [] : ["Durable Object migration"]),
    ...(current.fingerprint === wanted.fingerprint ? [] : ["code or configuration"]),
    ...(secrets.length === 0 ? [] : [`secrets ${secrets.join(", ")}`]),
    ...(vars.length === 0 ? [] : [`variables ${vars.map(([name]) => name).join(", ")}`]),
  ];
  return reasons.length === 0 ? null : reasons.join("; ");
}

/** Versions do not carry it, so a deployment that broke off may have left a Worker without it. */
function hasItsAddress({ config }: WorkerPackage, current: WorkerState): boolean {
  return (
    current.isOnWorkersDev === isOnWorkersDev(config) &&
    customDomains(config).every((domain) => current.domains.includes(domain))
  );
}

/** What of the plan cannot be taken back if a later step fails; said before anything is done. */
export function irreversible(plan: Plan, packages: Packages): string[] {
  return plan.steps.flatMap((step): string[] => {
    if (step.kind !== "deploy") return [];
    const { name } = packages[step.worker];
    switch (step.why) {
      case "new":
        return [`${name} is deployed for the first time: there is no version to go back to`];
      case "migration":
        return [`${name} applies a Durable Object migration: versions from before it cannot be served again`];
      case "below_is_new":
        return [`${name} binds a Worker that is new, so it is served as soon as it is uploaded`];
    }
  });
}

/** A step in words. */
export function describeStep(step: Step, packages: Packages): string {
  switch (step.kind) {
    case "create_bucket":
      return `create the R2 bucket ${step.name}`;
    case "upload":
      return `upload ${packages[step.worker].name}`;
    case "deploy":
      return `deploy ${packages[step.worker].name}`;
    case "promote":
      return `promote ${packages[step.worker].name}`;
    case "apply_routes":
      return `apply the routes of ${packages[step.worker].name}`;
  }
}

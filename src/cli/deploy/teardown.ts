/** Removing a deployment: what there is of it, in the order in which it goes. */
import type { Project } from "../project.ts";
import type { CallWrangler } from "../wrangler.ts";
import type { Account } from "./account.ts";
import { failure } from "./apply.ts";
import type { DeploymentId } from "./names.ts";
import { ORDER, readConfigs } from "./package.ts";
import { readPlatform } from "./platform.ts";

export interface TeardownPlan {
  /** Names on the account, from the top down: no Worker goes before one that binds it. */
  readonly workers: readonly string[];
  readonly buckets: readonly string[];
  readonly isEmpty: boolean;
}

/** Finds what there is of a deployment. */
export async function planTeardown(project: Project, id: DeploymentId, account: Account): Promise<TeardownPlan> {
  const configs = readConfigs(project, { prefix: id.prefix, env: id.env });
  const names = { proxy: configs.proxy.name, sandbox: configs.sandbox.name, server: configs.server.name };
  const wanted = ORDER.flatMap((key) => (configs[key].r2_buckets ?? []).flatMap((bucket) => bucket.bucket_name ?? []));
  const { workers: found, buckets } = await readPlatform(account, { names, buckets: wanted });
  const workers = ORDER.toReversed()
    .filter((key) => found[key] !== null)
    .map((key) => names[key]);
  return { workers, buckets, isEmpty: workers.length === 0 && buckets.length === 0 };
}

/** What would go, and what would stay. */
export function teardownText({ workers, buckets, isEmpty }: TeardownPlan, deleteData: boolean): string {
  if (isEmpty) return "There is nothing of this deployment on the account.";
  return [
    ...workers.map((name) => `  remove ${name}, with its secrets and Durable Objects`),
    ...buckets.map((name) =>
      deleteData ? `  delete the R2 bucket ${name}` : `  keep the R2 bucket ${name}; --delete-data deletes it`,
    ),
  ].join("\n");
}

export interface TeardownParts {
  readonly wrangler: CallWrangler;
  readonly dir: string;
  readonly deleteData: boolean;
  readonly say: (text: string) => void;
}

/** Removes it all, or says where it stopped and why. */
export async function tearDown(plan: TeardownPlan, parts: TeardownParts): Promise<string | null> {
  const { wrangler, dir, deleteData, say } = parts;
  const calls = [
    ...plan.workers.map((name) => ({ what: `remove ${name}`, args: ["delete", "--name", name, "--force"] })),
    ...(deleteData ? plan.buckets : []).map((name) => ({
      what: `delete the R2 bucket ${name}`,
      args: ["r2", "bucket", "delete", name],
    })),
  ];
  for (const { what, args } of calls) {
    say(`${what} …`);
    const said = failure(await wrangler(args, { cwd: dir }));
    if (said === null) continue;
    const advice = args[0] === "r2" ? "\nA bucket must be empty: docs/deployment.md says how to empty it." : "";
    return `Could not ${what}:\n${said.replace(/^/gm, "  ")}${advice}`;
  }
  return null;
}

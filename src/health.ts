/**
 * `/health`: the versions of the three Workers and which checks pass, for whoever asks. Nothing in it is secret, and it is
 * looked at once in a few seconds however often it is asked for.
 */
import { toPlainOrNull } from "./code/plain.ts";
import { readSettings } from "./contract/settings.ts";
import { VERSION } from "./contract/version.ts";
import type { Env } from "./env.ts";
import { mayRunOpen } from "./auth/authenticate.ts";

const KEPT_MS = 5_000;

/** How long another Worker may take to answer: a sandbox that a block keeps busy does not answer at all. */
const PATIENCE_MS = 3_000;

type Check = "pass" | "fail";

export interface Health {
  /** `ok` when every check passes. */
  readonly status: "ok" | "failing";
  readonly version: string;
  readonly versions: Readonly<Record<"server" | "sandbox" | "proxy", string | null>>;
  readonly checks: Readonly<Record<"authentication" | "settings" | "sandbox" | "proxy" | "proxy_settings", Check>>;
}

const kept = new WeakMap<Env, { readonly health: Health; readonly atMs: number }>();

/** How the server is, a few seconds old at most. */
export async function readHealth(env: Env, nowMs: number): Promise<Health> {
  const known = kept.get(env);
  if (known !== undefined && nowMs - known.atMs < KEPT_MS) return known.health;
  // Null for one that does not answer, or is of a version that cannot.
  const [sandbox, proxy] = await Promise.all([
    toPlainOrNull(PATIENCE_MS, () => env.SANDBOX.describe()),
    toPlainOrNull(PATIENCE_MS, () => env.OUTBOUND_PROXY.describe()),
  ]);
  const checks = {
    authentication: toCheck(Boolean(env.ADMIN_TOKEN) || mayRunOpen(env)),
    settings: toCheck(readSettings({ ...env }).problems.length === 0),
    sandbox: toCheck(sandbox !== null),
    proxy: toCheck(proxy !== null),
    proxy_settings: toCheck(proxy !== null && proxy.problems.length === 0),
  };
  const status = Object.values(checks).every((check) => check === "pass") ? "ok" : "failing";
  const health = {
    status,
    version: VERSION,
    versions: { server: VERSION, sandbox: sandbox?.version ?? null, proxy: proxy?.version ?? null },
    checks,
  } as const;
  kept.set(env, { health, atMs: nowMs });
  return health;
}

function toCheck(passes: boolean): Check {
  return passes ? "pass" : "fail";
}

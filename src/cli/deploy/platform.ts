/**
 * What there is on the account, read through Cloudflare's API; nothing here changes anything. Everything that changes
 * something goes through wrangler.
 */
import { z } from "zod";

import { UserError } from "../errors.ts";
import type { WorkerKey } from "../local/bundle.ts";
import type { Account } from "./account.ts";
import { ORDER } from "./package.ts";

/** A version that gets traffic, and how much, in per cent. */
export interface LiveVersion {
  readonly id: string;
  readonly percentage: number;
}

/** A Worker as it is on the account. */
export interface WorkerState {
  readonly live: readonly LiveVersion[];
  /** Of what is live: what it was uploaded from, or null when that is not known, or when several versions are live. */
  readonly fingerprint: string | null;
  /** The last Durable Object migration that was applied. */
  readonly migration: string | null;
  /** Names of secrets. */
  readonly secrets: readonly string[];
  readonly vars: Readonly<Record<string, string>>;
  /** Whether it is served under the account's workers.dev subdomain. */
  readonly isOnWorkersDev: boolean;
  /** Custom domains that lead to it. */
  readonly domains: readonly string[];
}

export interface PlatformState {
  /** Null for a Worker that does not exist. */
  readonly workers: Readonly<Record<WorkerKey, WorkerState | null>>;
  /** Those of the wanted buckets that exist. */
  readonly buckets: readonly string[];
  /** The account's workers.dev subdomain; null if it has none yet. */
  readonly subdomain: string | null;
}

export interface Wanted {
  readonly names: Readonly<Record<WorkerKey, string>>;
  readonly buckets: readonly string[];
}

const Envelope = z.object({
  success: z.boolean(),
  result: z.unknown(),
  errors: z.array(z.object({ code: z.number(), message: z.string() })).default([]),
});
const Scripts = z.array(z.object({ id: z.string(), migration_tag: z.string().nullish() }));
const Deployments = z.object({
  deployments: z.array(z.object({ versions: z.array(z.object({ version_id: z.string(), percentage: z.number() })) })),
});
const Versions = z.object({
  items: z.array(z.object({ id: z.string(), annotations: z.record(z.string(), z.unknown()).nullish() })),
});
export type VersionItem = z.infer<typeof Versions>["items"][number];
const Version = z.object({
  resources: z.object({
    bindings: z.array(z.object({ type: z.string(), name: z.string(), text: z.string().optional() })).default([]),
  }),
});
const Subdomain = z.object({ subdomain: z.string().nullish() });
const WorkersDev = z.object({ enabled: z.boolean() });
const Domains = z.array(z.object({ hostname: z.string() }));

/** Reads everything a plan depends on. */
export async function readPlatform(account: Account, { names, buckets }: Wanted): Promise<PlatformState> {
  const api = createReader(account);
  const [scripts, subdomain, existing] = await Promise.all([
    api("/workers/scripts", Scripts),
    api("/workers/subdomain", Subdomain),
    Promise.all(buckets.map(async (name) => ((await api(`/r2/buckets/${name}`, z.unknown())) === null ? [] : [name]))),
  ]);
  const readWorker = async (key: WorkerKey): Promise<WorkerState | null> => {
    const script = scripts?.find(({ id }) => id === names[key]);
    if (script === undefined) return null;
    const path = `/workers/scripts/${names[key]}`;
    const [deployments, versions, workersDev, domains] = await Promise.all([
      api(`${path}/deployments`, Deployments),
      api(`${path}/versions`, Versions),
      api(`${path}/subdomain`, WorkersDev),
      api(`/workers/domains?service=${names[key]}`, Domains),
    ]);
    const live = deployments?.deployments[0]?.versions ?? [];
    // Of the version that serves: one that was only uploaded may have others.
    const version = live[0] === undefined ? null : await api(`${path}/versions/${live[0].version_id}`, Version);
    const bindings = version?.resources.bindings ?? [];
    return {
      live: live.map(({ version_id: id, percentage }) => ({ id, percentage })),
      fingerprint: live.length === 1 ? fingerprintOf(live[0]?.version_id, versions?.items ?? []) : null,
      migration: script.migration_tag ?? null,
      secrets: bindings.filter(({ type }) => type === "secret_text").map(({ name }) => name),
      vars: Object.fromEntries(
        bindings.flatMap(({ type, name, text }) => (type === "plain_text" && text !== undefined ? [[name, text]] : [])),
      ),
      isOnWorkersDev: workersDev?.enabled ?? false,
      domains: (domains ?? []).map(({ hostname }) => hostname),
    };
  };
  const [proxy, sandbox, server] = await Promise.all(ORDER.map(readWorker));
  return {
    workers: { proxy: proxy ?? null, sandbox: sandbox ?? null, server: server ?? null },
    buckets: existing.flat(),
    subdomain: subdomain?.subdomain ?? null,
  };
}

/**
 * What the live version was uploaded from: its tag, or that of the version before it if only a secret was changed since.
 * `versions` is the newest first.
 */
export function fingerprintOf(live: string | undefined, versions: readonly VersionItem[]): string | null {
  const start = versions.findIndex(({ id }) => id === live);
  if (start === -1) return null;
  for (const { annotations } of versions.slice(start)) {
    const tag = annotations?.["workers/tag"];
    if (typeof tag === "string" && tag !== "") return tag;
    if (annotations?.["workers/triggered_by"] !== "secret") return null;
  }
  return null;
}

type Reader = <T>(path: string, schema: z.ZodType<T>) => Promise<T | null>;

/** Reads by path below the account; null for what does not exist. */
function createReader({ id, token, baseUrl }: Account): Reader {
  return async (path, schema) => {
    let response: Response;
    try {
      response = await fetch(`${baseUrl}/accounts/${id}${path}`, { headers: { authorization: `Bearer ${token}` } });
    } catch {
      throw new UserError(`Cloudflare's API cannot be reached at ${new URL(baseUrl).host}`);
    }
    const envelope = Envelope.safeParse(await response.json().catch(() => null));
    if (envelope.success && envelope.data.success) {
      const parsed = schema.safeParse(envelope.data.result);
      if (parsed.success) return parsed.data;
      throw new UserError(`Cloudflare's API answers ${path} in a form that this version does not know`);
    }
    if (response.status === 404) return null;
    const errors = envelope.data?.errors.map(({ code, message }) => `${message} (${code})`).join("; ");
    throw new UserError(
      `Cloudflare refuses to show ${path}: ${errors || `HTTP ${response.status}`}${permission(response.status)}`,
    );
  };
}

function permission(status: number): string {
  if (status !== 401 && status !== 403) return "";
  return '\nA token needs the permissions "Workers Scripts: Edit", "Workers R2 Storage: Edit" and "Account Settings: Read"';
}

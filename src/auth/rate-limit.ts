/**
 * Rate limits, by the platform's own counters: per address before anything is read, per principal once it is known.
 * They are kept per location and hold no memory of ours. An open server on loopback has none.
 */
import type { Env } from "../env.ts";
import { mayRunOpen } from "./authenticate.ts";

/** The periods in `wrangler.toml`, in seconds: after one of them a refused client may try again. */
export const RETRY_AFTER_S = 10;

/** Whether a request of this key may pass. A limit that cannot be asked stops nothing. */
export async function isWithinRate(env: Env, limit: RateLimit | undefined, key: string | undefined): Promise<boolean> {
  if (limit === undefined || key === undefined || (mayRunOpen(env) && !env.ADMIN_TOKEN)) return true;
  try {
    return (await limit.limit({ key })).success;
  } catch {
    return true;
  }
}

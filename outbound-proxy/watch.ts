/**
 * The kill switch while an exchange lasts. What was allowed when it left is judged again every second, and cut when it
 * is no longer allowed, be it still waiting for its answer or in the middle of one.
 */
import type { Denial } from "./denial.ts";

/** How often it is judged, in milliseconds; most exchanges are over before. */
const EVERY_MS = 1_000;

export interface Watch {
  /** Aborted when the exchange has to end. */
  readonly signal: AbortSignal;
  /** Why it had to end; null as long as it need not. */
  denial(): Denial | null;
  /** To be called when the exchange is over. */
  end(): void;
}

/** Begins to judge. A judgement that fails is made again the next time. */
export function watchOver(judge: () => Promise<Denial | null>): Watch {
  const abort = new AbortController();
  let denial: Denial | null = null;
  const look = async (): Promise<void> => {
    denial ??= await judge().catch(() => null);
    if (denial !== null) abort.abort();
  };
  const timer = setInterval(() => void look(), EVERY_MS);
  return { signal: abort.signal, denial: () => denial, end: () => clearInterval(timer) };
}

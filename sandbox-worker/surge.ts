/**
 * Bounds how many requests of one run come without an answer within a second. The harness lets out fewer; code that gets
 * round it is stopped here, in its own process, before thousands of requests keep the server's process from all others.
 * A request that is aborted never tells, so what is counted is counted for a second only.
 */

/** Several times what the harness lets out at once: enough for code that aborts and goes on. */
export const MAX_UNANSWERED = 250;

const WINDOW_MS = 1_000;

/** Runs that are remembered; the oldest are forgotten, which costs nothing but a second's count. */
const MAX_RUNS = 1_000;

interface Window {
  readonly startedMs: number;
  unanswered: number;
}

export class SurgeGuard {
  readonly #windows = new Map<string, Window>();

  /** Lets a request out and answers what to call when it was answered; null when there are too many at the moment. */
  enter(runId: string, nowMs: number): (() => void) | null {
    const window = this.#windowOf(runId, nowMs);
    if (window.unanswered >= MAX_UNANSWERED) return null;
    window.unanswered += 1;
    return () => void (window.unanswered -= 1);
  }

  #windowOf(runId: string, nowMs: number): Window {
    const current = this.#windows.get(runId);
    if (current !== undefined && nowMs - current.startedMs < WINDOW_MS) return current;
    const window = { startedMs: nowMs, unanswered: 0 };
    this.#windows.delete(runId);
    this.#windows.set(runId, window);
    const [oldest = runId] = this.#windows.keys();
    if (this.#windows.size > MAX_RUNS) this.#windows.delete(oldest);
    return window;
  }
}

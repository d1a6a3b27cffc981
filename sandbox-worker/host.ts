/**
 * The one thing an isolate can call while it runs: it takes log lines and progress of this run, checks and counts them,
 * and hands them to the run's owner. It gives nothing back.
 */
import { RpcTarget } from "cloudflare:workers";
import { z } from "zod";

import type { LogLine, RunControl } from "../src/contract/run.ts";
import { parseLogs } from "./claim.ts";

const MAX_PROGRESS_CHARS = 1_000;
const MAX_PROGRESS_LINES = 1_000;

const ClaimedProgress = z.string().transform((text) => text.slice(0, MAX_PROGRESS_CHARS));

export interface HostParts {
  readonly control: Pick<RunControl, "onLogs" | "onProgress">;
  /** Lets through the lines that the run may still log. */
  readLogs(lines: readonly LogLine[]): LogLine[];
}

/** What `harness/host.js` calls. */
export class IsolateHost extends RpcTarget {
  #parts: HostParts;
  #deliveries: Promise<void> = Promise.resolve();
  #progressLines = 0;
  #isClosed = false;

  constructor(parts: HostParts) {
    super();
    this.#parts = parts;
  }

  /** Takes a batch of log lines, as JSON text. */
  logs(claimed: unknown): void {
    const lines = this.#parts.readLogs(parseLogs(claimed) ?? []);
    if (lines.length > 0) this.#deliver(() => this.#parts.control.onLogs(lines));
  }

  /** Takes a line of progress. */
  progress(claimed: unknown): void {
    const parsed = ClaimedProgress.safeParse(claimed);
    if (!parsed.success || ++this.#progressLines > MAX_PROGRESS_LINES) return;
    this.#deliver(() => this.#parts.control.onProgress(parsed.data));
  }

  /** An owner that is gone is no reason for the run to fail: its deadline or its own end will tell. */
  #deliver(call: () => unknown): void {
    if (this.#isClosed) return;
    const earlier = this.#deliveries;
    const delivery = (async () => {
      try {
        await call();
      } catch {
        // Nobody listens.
      }
    })();
    this.#deliveries = Promise.all([earlier, delivery]).then(() => undefined);
  }

  /**
   * Takes nothing more, and settles when the owner has everything that came before. Static, so that it is no method
   * that the isolate could call.
   */
  static close(host: IsolateHost): Promise<void> {
    host.#isClosed = true;
    return host.#deliveries;
  }
}

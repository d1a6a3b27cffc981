/**
 * The one thing an isolate can call while it runs: it takes log lines and progress of this run, checks and counts them,
 * and hands them to the run's owner. What it gives back is what the owner answers to a call by name, and nothing else.
 */
import { RpcTarget } from "cloudflare:workers";
import { z } from "zod";

import type { HostAnswer, LogLine, RunControl } from "../src/contract/run.ts";
import { parseLogs } from "./claim.ts";

const MAX_PROGRESS_CHARS = 1_000;
const MAX_PROGRESS_LINES = 1_000;

/** Most calls of one run to its owner, and the longest argument of one, in characters. */
const MAX_CALLS = 1_000;
const MAX_CALL_CHARS = 8 * 1024 * 1024;

const ClaimedCall = z.tuple([z.string().max(100), z.string().max(MAX_CALL_CHARS)]);

const ClaimedProgress = z.string().transform((text) => text.slice(0, MAX_PROGRESS_CHARS));

export interface HostParts {
  readonly control: Pick<RunControl, "onLogs" | "onProgress" | "call">;
  /** Lets through the lines that the run may still log. */
  readLogs(lines: readonly LogLine[]): LogLine[];
}

/** What `harness/host.js` calls. */
export class IsolateHost extends RpcTarget {
  #parts: HostParts;
  #deliveries: Promise<void> = Promise.resolve();
  #progressLines = 0;
  #calls = 0;
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

  /** Passes a call on to the owner. Answers a JSON text, a `HostAnswer`, whatever happens. */
  async call(...claimed: unknown[]): Promise<string> {
    const parsed = ClaimedCall.safeParse(claimed);
    if (!parsed.success) return refuse(`a call takes a name and at most ${MAX_CALL_CHARS} characters`);
    if (this.#isClosed || ++this.#calls > MAX_CALLS) return refuse(`a run may make ${MAX_CALLS} such calls`);
    try {
      return await this.#parts.control.call(...parsed.data);
    } catch {
      return refuse("the server did not answer this call; try again");
    }
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

function refuse(message: string): string {
  return JSON.stringify({ ok: false, message } satisfies HostAnswer);
}

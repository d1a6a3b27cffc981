/**
 * The one thing an isolate can call while it runs: it takes log lines and progress of this run, checks and counts them,
 * and hands them to the run's owner. It gives nothing back.
 */
import { RpcTarget } from "cloudflare:workers";
import { z } from "zod";

import type { LogLine, RunControl } from "../src/contract/run.ts";
import { MAX_LOG_CHARS, MAX_LOG_LINES, parseLogs } from "./claim.ts";

const MAX_PROGRESS_CHARS = 1_000;
const MAX_PROGRESS_LINES = 1_000;

const ClaimedProgress = z.string().transform((text) => text.slice(0, MAX_PROGRESS_CHARS));

export interface HostParts {
  readonly control: Pick<RunControl, "onLogs" | "onProgress">;
  /** Makes a line readable to the user, whose places it may name. */
  translate(line: LogLine): LogLine;
}

export class IsolateHost extends RpcTarget {
  #parts: HostParts;
  #delivered: Promise<unknown> = Promise.resolve();
  #characters = 0;
  #lines = 0;
  #progressLines = 0;

  constructor(parts: HostParts) {
    super();
    this.#parts = parts;
  }

  logs(claimed: unknown): void {
    const accepted = parseLogs(claimed)?.filter((line) => this.#accept(line)) ?? [];
    const lines = accepted.map((line) => this.#parts.translate(line));
    if (lines.length > 0) this.#deliver(() => this.#parts.control.onLogs(lines));
  }

  progress(claimed: unknown): void {
    const parsed = ClaimedProgress.safeParse(claimed);
    if (!parsed.success || ++this.#progressLines > MAX_PROGRESS_LINES) return;
    this.#deliver(() => this.#parts.control.onProgress(parsed.data));
  }

  #accept(line: LogLine): boolean {
    this.#characters += line.text.length;
    this.#lines += 1;
    return this.#characters <= MAX_LOG_CHARS && this.#lines <= MAX_LOG_LINES;
  }

  /** An owner that is gone is no reason for the run to fail: its deadline or its own end will tell. */
  #deliver(call: () => unknown): void {
    const delivery = Promise.resolve(call()).catch(() => undefined);
    this.#delivered = Promise.all([this.#delivered, delivery]);
  }

  /** Settles when the owner has everything that arrived so far. Not for the isolate: private to the run. */
  static delivered(host: IsolateHost): Promise<unknown> {
    return host.#delivered;
  }
}

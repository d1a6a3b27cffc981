/**
 * A workerd that is watched: one that gives no sign of life for longer than the CPU limit, or takes too much memory, is
 * ended and replaced. `workerd` by itself enforces neither, so one block that never yields would keep its process for
 * good, and one that fills bytes take what the machine has. One that has crashed is started again by Miniflare, under
 * the same eyes.
 */
import { Miniflare, type MiniflareOptions } from "miniflare";

import { residentBytes, tellingPid } from "./runtime-memory.ts";

/** How often a sign of life is asked for, in milliseconds. */
const INTERVAL_MS = 500;

/** How often its memory is looked at: bytes are filled at a gigabyte a second. */
const MEMORY_INTERVAL_MS = 250;

/** How long a process has, at most, when a run in it is past its deadline. */
const OVERDUE_LIMIT_MS = 800;

/** Between two attempts at a process that is on its way up. */
const RETRY_MS = 20;

export interface SupervisedOptions {
  readonly runtime: MiniflareOptions;
  /** A process that is silent for this long is replaced, in milliseconds: the longest a block may compute in one go. */
  readonly cpuLimitMs: number;
  /** A process that takes more is replaced, in bytes, where the system says what it takes. */
  readonly memoryLimitBytes: number;
}

/** Why a process was replaced. */
export type ReplacementReason = "no sign of life" | "memory" | "crashed";

export class SupervisedProcess {
  #current: Miniflare;
  #options: SupervisedOptions;
  #pid: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  readonly #memoryTimer: NodeJS.Timeout;
  #replacement: Promise<void> | undefined;
  #isStopped = false;
  readonly #onReplaced: (reason: ReplacementReason) => void;

  /** Starts the process. `onReplaced` is called after each replacement. */
  constructor(options: SupervisedOptions, onReplaced: (reason: ReplacementReason) => void) {
    this.#options = options;
    this.#onReplaced = onReplaced;
    this.#current = this.#start();
    this.#memoryTimer = setInterval(() => this.#watchMemory(), MEMORY_INTERVAL_MS).unref();
    // One that is still starting is not silent: on a busy machine that may take longer than the limit.
    void this.#current.ready.then(
      () => this.#schedule(),
      () => {},
    );
  }

  /** Resolves when the process serves. */
  get ready(): Promise<URL> {
    return this.#current.ready;
  }

  /** Restarts the process with other options. */
  async setOptions(options: SupervisedOptions): Promise<void> {
    this.#options = options;
    await this.#replacement;
    await this.#current.setOptions(this.#runtimeOptions());
  }

  /** Asks for a sign of life at once. Answers whether the process had to be replaced, when the new one serves. */
  async check(): Promise<boolean> {
    const limitMs = Math.min(OVERDUE_LIMIT_MS, this.#options.cpuLimitMs);
    const asked = this.#current;
    if (this.#replacement === undefined && (await this.#isAlive(asked, limitMs))) return false;
    await this.#replace(asked, "no sign of life");
    return true;
  }

  /** Ends the process for good. */
  async dispose(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    clearInterval(this.#memoryTimer);
    await this.#replacement;
    await this.#current.dispose();
  }

  #start(): Miniflare {
    const takePid = (pid: number): void => void (this.#pid = pid);
    return tellingPid(takePid, () => new Miniflare(this.#runtimeOptions()));
  }

  #runtimeOptions(): MiniflareOptions {
    return { ...this.#options.runtime, unsafeHandleRuntimeRestart: () => this.#onReplaced("crashed") };
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#watch(), INTERVAL_MS);
    // The watch alone is no reason to keep a program running.
    this.#timer.unref();
  }

  async #watch(): Promise<void> {
    const asked = this.#current;
    if (!(await this.#isAlive(asked, this.#options.cpuLimitMs))) await this.#replace(asked, "no sign of life");
    this.#schedule();
  }

  #watchMemory(): void {
    const bytes = this.#pid === undefined ? null : residentBytes(this.#pid);
    if (bytes !== null && bytes > this.#options.memoryLimitBytes) void this.#replace(this.#current, "memory");
  }

  /** Whether the process answers in time. One that cannot be reached may be on its way up again. */
  async #isAlive(asked: Miniflare, limitMs: number): Promise<boolean> {
    const dueMs = Date.now() + limitMs;
    while (!this.#isStopped) {
      const leftMs = dueMs - Date.now();
      if (leftMs <= 0 || asked !== this.#current) return false;
      if (await this.#answers(asked, leftMs)) return true;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return true;
  }

  async #answers(asked: Miniflare, limitMs: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), limitMs);
    const answer = asked.dispatchFetch("http://heartbeat/").then(
      () => true,
      () => false,
    );
    const isAnswered = await Promise.race([answer, late]);
    clearTimeout(timer);
    return isAnswered;
  }

  /** Several who find a process dead wait for one replacement; who comes late leaves the new one alone. */
  async #replace(dead: Miniflare, reason: ReplacementReason): Promise<void> {
    if (dead === this.#current)
      this.#replacement ??= this.#renew(reason).finally(() => (this.#replacement = undefined));
    await this.#replacement;
  }

  async #renew(reason: ReplacementReason): Promise<void> {
    if (this.#isStopped) return;
    this.#pid = undefined;
    await this.#current.dispose().catch(() => {});
    this.#current = this.#start();
    // One that does not come up has no sign of life either: the watch replaces it in its turn.
    await this.#current.ready.catch(() => {});
    this.#onReplaced(reason);
  }
}

/**
 * A workerd that is watched: one that gives no sign of life for too long, or is gone, is ended and replaced. `workerd`
 * by itself enforces no CPU limit, so one block that never yields would keep its process for good.
 */
import { Miniflare, type MiniflareOptions } from "miniflare";

/** How often a sign of life is asked for, in milliseconds. */
const INTERVAL_MS = 1_000;

/** A process that gives none for this long is replaced: the longest that a block may compute without a pause. */
const CPU_LIMIT_MS = 10_000;

/** How long a process has when somebody has already waited for it in vain. */
const URGENT_LIMIT_MS = 1_000;

export class SupervisedProcess {
  #current: Miniflare;
  #options: MiniflareOptions;
  #timer: NodeJS.Timeout | undefined;
  #replacement: Promise<void> | undefined;
  #isStopped = false;
  readonly #onReplaced: () => void;

  /** Starts the process. `onReplaced` is called after each replacement. */
  constructor(options: MiniflareOptions, onReplaced: () => void) {
    this.#options = options;
    this.#onReplaced = onReplaced;
    this.#current = new Miniflare(options);
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
  async setOptions(options: MiniflareOptions): Promise<void> {
    this.#options = options;
    await this.#replacement;
    await this.#current.setOptions(options);
  }

  /** Asks for a sign of life at once. Answers whether the process had to be replaced, when the new one serves. */
  async check(): Promise<boolean> {
    if (this.#replacement === undefined && (await this.#isAlive(URGENT_LIMIT_MS))) return false;
    await this.#replace();
    return true;
  }

  /** Ends the process for good. */
  async dispose(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#replacement;
    await this.#current.dispose();
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#watch(), INTERVAL_MS);
    // The watch alone is no reason to keep a program running.
    this.#timer.unref();
  }

  async #watch(): Promise<void> {
    if (!(await this.#isAlive(CPU_LIMIT_MS))) await this.#replace();
    this.#schedule();
  }

  async #isAlive(limitMs: number): Promise<boolean> {
    const { promise: late, resolve } = Promise.withResolvers<false>();
    const timer = setTimeout(() => resolve(false), limitMs);
    const answer = this.#current.dispatchFetch("http://heartbeat/").then(
      () => true,
      () => false,
    );
    const isAlive = await Promise.race([answer, late]);
    clearTimeout(timer);
    return isAlive;
  }

  /** Several who find the process dead wait for one replacement. */
  #replace(): Promise<void> {
    this.#replacement ??= this.#renew().finally(() => (this.#replacement = undefined));
    return this.#replacement;
  }

  async #renew(): Promise<void> {
    if (this.#isStopped) return;
    await this.#current.dispose().catch(() => {});
    this.#current = new Miniflare(this.#options);
    await this.#current.ready;
    this.#onReplaced();
  }
}

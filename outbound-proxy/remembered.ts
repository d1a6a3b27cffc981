/**
 * The answer to a question, remembered for a moment. It keeps the value and never a promise: who asks while there is
 * none asks for itself, and hangs on nobody.
 */
export class Remembered<T> {
  readonly #ask: () => Promise<T>;
  readonly #keptMs: number;
  #known: { readonly value: T; readonly askedMs: number } | undefined;

  constructor(ask: () => Promise<T>, keptMs: number) {
    this.#ask = ask;
    this.#keptMs = keptMs;
  }

  /** The answer, as it was less than `keptMs` before `nowMs`. Rejects when it cannot be had. */
  async get(nowMs: number): Promise<T> {
    if (this.#known !== undefined && nowMs - this.#known.askedMs < this.#keptMs) return this.#known.value;
    const value = await this.#ask();
    this.#known = { value, askedMs: nowMs };
    return value;
  }

  /** Asks anew the next time. */
  forget(): void {
    this.#known = undefined;
  }
}

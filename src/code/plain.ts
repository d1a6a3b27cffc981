/** Results of RPC calls as plain data. One that is not disposed of keeps its caller, a Durable Object, in memory. */

/** Awaits a call, copies what it answers, and lets go of it. */
export async function toPlain<T extends object>(call: Promise<T>): Promise<T> {
  const result: T & Partial<Disposable> = await call;
  try {
    return structuredClone(result);
  } finally {
    result[Symbol.dispose]?.();
  }
}

/**
 * The same, or null when the call fails or has no answer after `ms` milliseconds: a call of another Worker may never
 * return, and what it says of a failure is for that Worker's own log.
 */
export async function toPlainOrNull<T extends object>(ms: number, call: () => Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, ms, null);
  try {
    return await Promise.race([toPlain(call()), late]);
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

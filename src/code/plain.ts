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

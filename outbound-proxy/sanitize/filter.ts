/** What changes a body on its way, piece by piece and without waiting for anything. */
import { concat } from "./bytes.ts";

/**
 * Takes a body in pieces and gives what may leave of it. What a call gives is good until the next call: it may lie in a
 * buffer that is used again, so that a long body needs no more memory than a short one.
 */
export interface Filter {
  push(bytes: Uint8Array): Uint8Array;
  /** The body has ended: gives all that was held back. */
  end(): Uint8Array;
}

/** Filters one after another; null when there are none. */
export function chain(filters: readonly Filter[]): Filter | null {
  const [first, ...rest] = filters;
  if (first === undefined) return null;
  const next = chain(rest);
  if (next === null) return first;
  return {
    push: (bytes) => next.push(first.push(bytes)),
    end: () => concat([next.push(first.end()), next.end()]),
  };
}

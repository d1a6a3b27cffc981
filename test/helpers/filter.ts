/** Filters as streams, for tests in plain Node; the product pumps them (`outbound-proxy/pump.ts`). */
import type { Filter } from "../../outbound-proxy/sanitize/filter.ts";
import type { Pass } from "../../outbound-proxy/sanitize/sanitize.ts";

/** A filter as a stream of its own. What leaves is copied, for a filter uses its buffers again. */
export function toTransform(filter: Filter): TransformStream<Uint8Array, Uint8Array> {
  const send = (bytes: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>): void => {
    if (bytes.length > 0) controller.enqueue(bytes.slice());
  };
  return new TransformStream({
    transform: (chunk, controller) => send(filter.push(chunk), controller),
    flush: (controller) => send(filter.end(), controller),
  });
}

/** Passes a body through its filter, if it has one. */
export const passInNode: Pass = (body, filter) => (filter === null ? body : body.pipeThrough(toTransform(filter)));

/** The body of a request on its way out: bounded, counted, and never taken for whole when it is not. */
import type { RequestBody } from "./body.ts";
import type { Limits } from "./limits.ts";
import { createPump } from "./pump.ts";

/** A body on its way out, and what is known of it by now. */
export interface OutgoingBody {
  readonly body: BodyInit | null;
  /** Aborted when the body did not come to its end: the runtime would end the request as if it were whole. */
  readonly signal: AbortSignal | null;
  bytes(): number;
  isCut(): boolean;
}

/** A stream of known length keeps its `Content-Length`: some upstreams refuse chunked uploads. Any other is counted. */
export function toOutgoing(body: RequestBody, contentLength: number | null, { requestBytes }: Limits): OutgoingBody {
  const whole = { signal: null, isCut: () => false };
  if (body === null) return { ...whole, body, bytes: () => 0 };
  if (body instanceof Uint8Array) return { ...whole, body, bytes: () => body.byteLength };
  if (contentLength !== null) {
    return { ...whole, body: body.pipeThrough(new FixedLengthStream(contentLength)), bytes: () => contentLength };
  }
  const abort = new AbortController();
  let bytes = 0;
  let isCut = false;
  const { readable, start } = createPump(body, { filter: null, length: null, maxBytes: requestBytes });
  start((how, passed) => {
    bytes = passed;
    isCut = how === "too_long";
    if (how !== "whole") abort.abort();
  });
  return { body: readable, signal: abort.signal, bytes: () => bytes, isCut: () => isCut };
}

/**
 * How much may pass through the proxy. A body is counted as it streams, never gathered; what goes over a limit is cut
 * off, and the ledger says so.
 */

/** Longest body of one request; services behind Cloudflare take no more either. */
export const MAX_REQUEST_BYTES = 100 * 1024 * 1024;

/** Longest body of one response, as the code would read it: decompressed. */
export const MAX_RESPONSE_BYTES = 2 * 1024 * 1024 * 1024;

/** What all requests and responses of one run may come to. A request that begins when this is reached is refused. */
export const MAX_RUN_BYTES = 4 * 1024 * 1024 * 1024;

/**
 * Passes a stream on and counts it. `onEnd` hears the bytes that passed, and whether the stream was cut off because
 * more than `maxBytes` came; its reader then sees an error that says so.
 */
export function countUpTo(
  body: ReadableStream<Uint8Array>,
  maxBytes: number,
  onEnd: (bytes: number, isCut: boolean) => void,
): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        if (bytes + chunk.byteLength > maxBytes) {
          onEnd(bytes, true);
          controller.error(new RangeError(`The body is longer than ${maxBytes} bytes; it was cut off.`));
          return;
        }
        bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
      flush: () => onEnd(bytes, false),
    }),
  );
}

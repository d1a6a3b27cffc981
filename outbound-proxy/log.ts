/** Writes the proxy's log lines. Everything that is logged, payloads included, goes through here and one formatter. */
import { formatLog, type LogFields, type LogTag } from "../src/contract/log.ts";
import type { RequestBody } from "./body.ts";

/** Writes one line about a run. */
export type Logger = (tag: LogTag, event: string, fields: LogFields) => void;

/** How much of a body a debug line shows, in bytes, and of all headers, in characters. */
const SHOWN_BYTES = 800;
const SHOWN_HEADERS = 600;

/** Most query keys that a line names. */
const SHOWN_KEYS = 20;

/** A logger whose lines all name the run. */
export function createLogger(runId: string): Logger {
  return (tag, event, fields) => console.log(formatLog(Date.now(), tag, event, { run: runId, ...fields }));
}

/** The keys of a query, never their values. */
export function queryKeys(url: URL): string[] | undefined {
  const keys = [...new Set(url.searchParams.keys())].slice(0, SHOWN_KEYS);
  return keys.length === 0 ? undefined : keys;
}

/**
 * Writes one `[debug]` line about a message once its body has passed, and returns the body to be used in its place.
 * Callers pass only what may be seen: requests before injection, responses after sanitizing.
 */
export function logPayload<B extends RequestBody>(
  log: Logger,
  event: ">>>" | "<<<",
  fields: LogFields,
  headers: Headers,
  body: B,
): B | ReadableStream<Uint8Array> {
  const write = (shown: Uint8Array, total: number): void => {
    const text = new TextDecoder().decode(shown);
    log("debug", event, {
      ...fields,
      headers: JSON.stringify([...headers]).slice(0, SHOWN_HEADERS),
      body: total > shown.byteLength ? `${text}… (${total} bytes)` : text,
    });
  };
  if (body === null || body instanceof Uint8Array) {
    write(body === null ? new Uint8Array() : body.subarray(0, SHOWN_BYTES), body?.byteLength ?? 0);
    return body;
  }
  const head = new Uint8Array(SHOWN_BYTES);
  let shown = 0;
  let total = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const part = chunk.subarray(0, SHOWN_BYTES - shown);
        head.set(part, shown);
        shown += part.byteLength;
        total += chunk.byteLength;
        controller.enqueue(chunk);
      },
      flush: () => write(head.subarray(0, shown), total),
    }),
  );
}

/**
 * Takes a body from one side to the other: reads, filters and counts it in one go, out of one buffer, so that a body of
 * any length passes in constant memory. It reads no more than is taken, ends the upstream as soon as nobody reads on,
 * and ends itself with either side. No text of an upstream's failure passes.
 */
import type { Filter } from "./sanitize/filter.ts";

/** How a body ended: whole; longer than it may be; broken off by who sends it; left by who reads it. */
export type How = "whole" | "too_long" | "broken" | "left";

/** Hears how the body ended and how much was read of it, before its reader can know. */
export type OnEnd = (how: How, bytes: number) => void;

export interface PumpOptions {
  /** Null passes the bytes as they are. */
  readonly filter: Filter | null;
  readonly maxBytes: number;
  /** Set when exactly so many bytes must come out: the other side then sees a `Content-Length`. */
  readonly length: number | null;
}

export interface Pump {
  readonly readable: ReadableStream<Uint8Array>;
  /**
   * To be called once. It goes on by itself for as long as there is a reader; when the whole exchange is given up, it
   * ends with it and `onEnd` is not called. So do not have the runtime wait for it: an upstream that says nothing would
   * be kept open for nobody.
   */
  start(onEnd: OnEnd): void;
}

/** Bytes that are read at a time. */
const CHUNK_BYTES = 64 * 1024;

/** A pump from `body` to its `readable`. */
export function createPump(body: ReadableStream<Uint8Array>, options: PumpOptions): Pump {
  const { length } = options;
  const { readable, writable } = length === null ? new IdentityTransformStream() : new FixedLengthStream(length);
  return { readable, start: (onEnd) => void carry(body, writable, options, onEnd) };
}

/** Never rejects. */
async function carry(
  body: ReadableStream<Uint8Array>,
  writable: WritableStream<Uint8Array>,
  { filter, maxBytes }: PumpOptions,
  onEnd: OnEnd,
): Promise<void> {
  const reader = openReader(body);
  const writer = writable.getWriter();
  let bytes = 0;
  const end = (how: How, message?: string): void => {
    onEnd(how, bytes);
    if (how !== "whole") reader.cancel(how).catch(() => {});
    if (message !== undefined) writer.abort(new Error(message)).catch(() => {});
  };

  // What is made for each piece stays until it is collected, which in a long body is late: so little is made.
  let buffer = new ArrayBuffer(CHUNK_BYTES);
  for (;;) {
    let next: ReadableStreamReadResult<Uint8Array>;
    try {
      next = await reader.read(new Uint8Array(buffer));
    } catch {
      return end("broken", "The upstream broke off in the middle of the body.");
    }
    const { done, value } = next;
    if (!done) {
      if (bytes + value.length > maxBytes) {
        return end("too_long", `The body is longer than ${maxBytes} bytes; it was cut off.`);
      }
      bytes += value.length;
      buffer = value.buffer as ArrayBuffer;
    }
    const leaving = done ? filter?.end() : (filter?.push(value) ?? value);
    try {
      if (leaving !== undefined && leaving.length > 0) await writer.write(leaving);
    } catch {
      return end("left");
    }
    if (!done) continue;
    // The last byte has been taken. Whether its reader waits for the end as well is the reader's business.
    end("whole");
    writer.close().catch(() => {});
    return;
  }
}

/** What reads into one buffer again and again, where the stream can do so. */
interface Reader {
  read(into: Uint8Array<ArrayBuffer>): Promise<ReadableStreamReadResult<Uint8Array>>;
  cancel(reason: string): Promise<void>;
}

function openReader(body: ReadableStream<Uint8Array>): Reader {
  try {
    return body.getReader({ mode: "byob" });
  } catch {
    const reader = body.getReader();
    return { read: () => reader.read(), cancel: (reason) => reader.cancel(reason) };
  }
}

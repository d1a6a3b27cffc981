/**
 * Reads an upstream answer within its bounds (rule M12): so many bytes, and of a stream of events so much and so long,
 * because it may never end. What was not read is said. The one part of this folder that waits for somebody.
 */
import { essence } from "./media.ts";
import type { UpstreamAnswer } from "./result.ts";

/** How much of an answer is read, in bytes, and of a stream of events or lines, in bytes and milliseconds. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;
export const MAX_STREAM_BYTES = 1024 * 1024;
const MAX_STREAM_MS = 10_000;

const STREAMS: ReadonlySet<string> = new Set(["text/event-stream", "application/x-ndjson", "application/jsonl"]);

/** Reads the whole answer, or as much as is allowed; rejects when the connection breaks before anything is cut. */
export async function readAnswer(response: Response, url: string): Promise<UpstreamAnswer> {
  const isStream = STREAMS.has(essence(response.headers.get("content-type") ?? ""));
  const maxBytes = isStream ? MAX_STREAM_BYTES : MAX_ANSWER_BYTES;
  const { body, rest } = await readBytes(response, maxBytes, isStream ? MAX_STREAM_MS : undefined);
  const { status, statusText } = response;
  const answer = { status, statusText, headers: [...response.headers], body, url };
  return rest === undefined ? answer : { ...answer, rest };
}

interface Bytes {
  readonly body: Uint8Array;
  readonly rest?: string;
}

async function readBytes(response: Response, maxBytes: number, maxMs: number | undefined): Promise<Bytes> {
  if (response.body === null) return { body: new Uint8Array() };
  const reader = response.body.getReader();
  let stopClock = (): void => {};
  const expired = new Promise<"expired">((resolve) => {
    if (maxMs === undefined) return;
    const timer = setTimeout(resolve, maxMs, "expired");
    stopClock = () => clearTimeout(timer);
  });
  const chunks: Uint8Array[] = [];
  let size = 0;
  let rest: string | undefined;
  for (;;) {
    const next = await Promise.race([reader.read(), expired]).catch((error: unknown) => {
      stopClock();
      throw error;
    });
    if (next === "expired") rest = `The answer went on after ${(maxMs ?? 0) / 1000} seconds; it is read up to there.`;
    if (next === "expired" || next.done) break;
    const room = maxBytes - size;
    chunks.push(next.value.byteLength > room ? next.value.subarray(0, room) : next.value);
    size += Math.min(next.value.byteLength, room);
    if (next.value.byteLength > room) rest = `The answer is longer than ${maxBytes} bytes; it is read up to there.`;
    if (rest !== undefined) break;
  }
  stopClock();
  const body = concat(chunks, size);
  if (rest === undefined) return { body };
  await reader.cancel().catch(() => {});
  return { body: withoutSplitEnd(body), rest };
}

/** Without the beginning of a UTF-8 character whose rest is missing: a text that is cut is still text. */
function withoutSplitEnd(bytes: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function concat(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

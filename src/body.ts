/**
 * Reads a request's body under a bound in size and in time. It is counted while it streams: what `Content-Length` says is
 * not believed, and a client that sends a byte a second is not waited for.
 */

export type BodyResult =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> | null }
  | { readonly ok: false; readonly reason: "too_large" | "too_slow" };

/** Longest that a body may take to arrive, in milliseconds. */
const BODY_PATIENCE_MS = 30_000;

/** The whole body as bytes, null when there is none; not ok as soon as it exceeds `maxBytes` or `patienceMs`. */
export async function readBody(
  request: Request,
  maxBytes: number,
  patienceMs: number = BODY_PATIENCE_MS,
): Promise<BodyResult> {
  if (request.body === null) return { ok: true, bytes: null };
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const { promise: late, resolve } = Promise.withResolvers<"late">();
  const timer = setTimeout(() => resolve("late"), patienceMs);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late]);
      if (next === "late") return giveUp(reader, "too_slow");
      if (next.done) break;
      size += next.value.byteLength;
      if (size > maxBytes) return giveUp(reader, "too_large");
      chunks.push(next.value);
    }
  } finally {
    clearTimeout(timer);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return { ok: true, bytes };
}

function giveUp(reader: ReadableStreamDefaultReader<Uint8Array>, reason: "too_large" | "too_slow"): BodyResult {
  // The rest is of no interest, and neither is how its sender takes that.
  reader.cancel().catch(() => {});
  return { ok: false, reason };
}

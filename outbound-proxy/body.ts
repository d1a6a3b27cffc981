/** A request's body, read as far as it has to be and no further. */

/** A stream, or bytes once it has been read. */
export type RequestBody = ReadableStream<Uint8Array> | Uint8Array | null;

/** Reads up to `limit` bytes. A longer body comes back as a stream that begins with what was read. */
export async function bufferUpTo(
  body: ReadableStream<Uint8Array> | Uint8Array,
  limit: number,
): Promise<ReadableStream<Uint8Array> | Uint8Array> {
  if (body instanceof Uint8Array) return body;
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  while (size <= limit) {
    const { done, value } = await reader.read();
    if (done) return concatenate(chunks, size);
    chunks.push(value);
    size += value.byteLength;
  }
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const chunk = chunks.shift();
      if (chunk !== undefined) return controller.enqueue(chunk);
      const { done, value } = await reader.read();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Exactly the text of these bytes, a byte order mark included; null when they are not UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Whether a media type (in lower case) is JSON, by name or by suffix (RFC 6839). */
export function isJson(mediaType: string): boolean {
  return mediaType === "application/json" || mediaType.endsWith("+json");
}

/** Bytes as a string of one character per byte. */
export function toBinary(bytes: Uint8Array): string {
  const SLICE = 8_192;
  let binary = "";
  for (let at = 0; at < bytes.length; at += SLICE) {
    // Spreading the bytes would be 8 times as slow.
    binary += Reflect.apply(String.fromCharCode, null, bytes.subarray(at, at + SLICE));
  }
  return binary;
}

/** The bytes of such a string. */
export function fromBinary(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** One array of `size` bytes from several. */
function concatenate(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

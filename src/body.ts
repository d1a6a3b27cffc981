/** Reads a request's body under a bound, counted while it streams: what `Content-Length` says is not believed. */

export type BodyResult = { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> | null } | { readonly ok: false };

/** The whole body as bytes, null when there is none, or not ok as soon as it exceeds `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<BodyResult> {
  if (request.body === null) return { ok: true, bytes: null };
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.byteLength;
    if (size > maxBytes) return { ok: false };
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return { ok: true, bytes };
}

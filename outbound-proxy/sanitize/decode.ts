/**
 * Content encodings. What cannot be decoded cannot be scrubbed, while the sandbox could decode it; so it is refused.
 * workerd itself decodes a body that JavaScript reads when `content-encoding` is exactly `gzip` or `br`, and only then.
 */

/** Who decodes a body: nobody, the platform, a stream of ours; or nobody can. */
export type Decoding = "none" | "platform" | "gzip" | "deflate" | "unknown";

/** How the body with this `content-encoding` becomes plain bytes. */
export function decodingOf(contentEncoding: string | null): Decoding {
  if (contentEncoding === null) return "none";
  if (contentEncoding === "gzip" || contentEncoding === "br") return "platform";
  const codings = contentEncoding
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity");
  const [coding] = codings;
  if (coding === undefined) return "none";
  if (codings.length > 1) return "unknown";
  if (coding === "gzip" || coding === "x-gzip") return "gzip";
  return coding === "deflate" ? "deflate" : "unknown";
}

/** The body as plain bytes. A body that is not what it says ends in an error, never in undecoded bytes. */
export function decodeBody(body: ReadableStream<Uint8Array>, decoding: Decoding): ReadableStream<Uint8Array> {
  return decoding === "gzip" || decoding === "deflate" ? body.pipeThrough(new DecompressionStream(decoding)) : body;
}

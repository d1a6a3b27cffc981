/**
 * Names in a body. A body is read only when a credential of this request is open in one of its fields, or when it is so
 * small that a look for names left behind costs nothing; otherwise its stream passes as it is. Fields are edited in the
 * raw text, so that everything round them stays byte for byte.
 */
import { readMediaType } from "../target.ts";
import { bufferUpTo, decodeUtf8, isJson, type RequestBody } from "../body.ts";
import { injectMultipart } from "./multipart.ts";
import { readJson, readPlain } from "./readings.ts";
import { scanJson } from "../json.ts";
import type { Substitution } from "./substitution.ts";
import { injectParameters } from "./url.ts";
import { encodeJson } from "./values.ts";

/** What of a request `injectBody` looks at. */
export interface BodyRequest {
  readonly headers: Headers;
  readonly body: RequestBody;
  /** The code's `Content-Length`, when it gave one: small bodies are looked through for names that stay behind. */
  readonly contentLength: number | null;
}

const FORM = "application/x-www-form-urlencoded";

/** Largest JSON or form body in which fields are edited. */
export const MAX_EDITED_BYTES = 1024 * 1024;

/** Largest multipart body in which fields are edited; it may hold files. */
export const MAX_MULTIPART_BYTES = 10 * 1024 * 1024;

/** Largest body that is read only to say which names are left in it. */
const MAX_SCANNED_BYTES = 64 * 1024;

/** Returns the body with names replaced where they may be. */
export async function injectBody(request: BodyRequest, substitution: Substitution): Promise<RequestBody> {
  const { body, headers, contentLength } = request;
  if (body === null || headers.has("content-encoding")) return body;
  const mediaType = readMediaType(headers);
  const limit = substitution.hasPlaces("body:") ? editLimit(mediaType) : 0;
  const isSmall = contentLength !== null && contentLength <= MAX_SCANNED_BYTES;
  if (limit === 0 && !isSmall) return body;
  if (limit > 0 && contentLength !== null && contentLength > limit) return body;

  const read = await bufferUpTo(body, Math.max(limit, MAX_SCANNED_BYTES));
  if (!(read instanceof Uint8Array)) return read;
  if (mediaType === "multipart/form-data") {
    return injectMultipart(read, headers.get("content-type") ?? "", substitution);
  }
  const text = decodeUtf8(read);
  if (text === null) return read;
  const replaced = injectText(text, mediaType, substitution);
  return replaced === text ? read : new TextEncoder().encode(replaced);
}

function injectText(text: string, mediaType: string, substitution: Substitution): string {
  if (mediaType === FORM) return injectParameters(text, "body", substitution);
  // Most bodies hold no name at all, and then there is no need to know where their strings are.
  if (!text.includes("\\u") && !substitution.mayMention(text)) return text;
  const scan = isJson(mediaType) ? scanJson(text) : null;
  if (scan === null) return substitution.replace(readPlain(text), { place: "body", encode: (value) => value });
  let result = "";
  let done = 0;
  for (const { path, start, end } of scan.strings) {
    const reading = readJson(text.slice(start, end));
    result += text.slice(done, start) + substitution.replace(reading, { place: `body:${path}`, encode: encodeJson });
    done = end;
  }
  return result + text.slice(done);
}

function editLimit(mediaType: string): number {
  if (mediaType === "multipart/form-data") return MAX_MULTIPART_BYTES;
  return isJson(mediaType) || mediaType === FORM ? MAX_EDITED_BYTES : 0;
}

/**
 * The last step of a request: an upstream's answer becomes one that holds names where it held values, in the status
 * text, in every header and in the body. An answer that cannot be read is refused, not passed on. With nothing to look
 * for, the body passes as it is.
 */
import { decodeBody, decodingOf } from "./decode.ts";
import { chain, type Filter } from "./filter.ts";
import { framingOf } from "./framing.ts";
import { dropByteHeaders, toSandboxHeaders } from "./headers.ts";
import { createMasker, maskBytes, maskText } from "./mask.ts";
import type { Scrubber } from "./scrubber.ts";

/** What an answer is sanitized with. */
export interface SanitizeContext {
  /** The request's method. */
  readonly method: string;
  /** For the values of all APIs; `null` when there are none. */
  readonly scrubber: Scrubber | null;
  /** Names of the credentials that were put into this request. */
  readonly sent: ReadonlySet<string>;
  /** Hears each name that was put back once, some of them only while the body streams. */
  readonly onNames: (names: readonly string[]) => void;
  /** Whether new secrets of well-known formats become `[SECRET:kind]`. Off by default. */
  readonly maskNewSecrets?: boolean;
  /** Takes a body that streams to its reader, through a filter. */
  readonly pass: Pass;
}

/** `length`: how many bytes there will be, if that is known; only without a filter. */
export type Pass = (
  body: ReadableStream<Uint8Array>,
  filter: Filter | null,
  length: number | null,
) => ReadableStream<Uint8Array>;

/**
 * The answer for the sandbox, or why there is none. The caller words the refusal. `bytes`: the length of a body that is
 * all there, null for one that streams.
 */
export type Sanitized =
  | { readonly ok: true; readonly response: Response; readonly bytes: number | null }
  | { readonly ok: false; readonly reason: "undecodable"; readonly encoding: string };

/** Bodies up to this length are scrubbed in one pass and keep an exact `content-length`. */
export const MAX_SMALL_BODY_BYTES = 256 * 1024;

const NULL_BODY_STATUS = new Set([101, 204, 205, 304]);

/**
 * Sanitizes one answer. The `Response` given must come from `fetch`, with its body unread, and must not be used
 * afterwards. Rejects only when the upstream fails while a small body is read.
 */
export function sanitize(response: Response, context: SanitizeContext): Sanitized | Promise<Sanitized> {
  const { scrubber, sent, maskNewSecrets = false } = context;
  const isSearched = scrubber !== null || maskNewSecrets;
  const onNames = eachOnce(context.onNames);
  const scrubText = (text: string): string => {
    if (scrubber === null) return maskNewSecrets ? maskText(text) : text;
    const scrubbed = scrubber.text(text, sent);
    onNames(scrubbed.names);
    return maskNewSecrets ? maskText(scrubbed.text) : scrubbed.text;
  };
  const headers = toSandboxHeaders(response.headers, (name, value) =>
    scrubber?.isInHeaderName(name) === true ? null : scrubText(value),
  );
  const statusText = scrubText(response.statusText);
  const { body } = response;
  if (body === null || context.method === "HEAD" || NULL_BODY_STATUS.has(response.status)) {
    return answer(null, response, headers, statusText);
  }

  const encoding = response.headers.get("content-encoding");
  const decoding = decodingOf(encoding);
  if (isSearched && decoding === "unknown") {
    body.cancel().catch(() => {});
    return { ok: false, reason: "undecodable", encoding: scrubText(encoding ?? "") };
  }

  const framing = framingOf(response.headers.get("content-type"));
  const length = readLength(response.headers);
  if (decoding === "none" && framing === "bytes" && length !== null && length <= MAX_SMALL_BODY_BYTES) {
    return response.arrayBuffer().then((buffer) => {
      const body = new Uint8Array(buffer);
      const scrubbed = scrubber?.bytes(body, sent) ?? { bytes: body, names: [] };
      onNames(scrubbed.names);
      const bytes = maskNewSecrets ? maskBytes(scrubbed.bytes) : scrubbed.bytes;
      // Untouched bytes keep their headers: code needs an `etag` to write back what it has read.
      if (bytes !== body) {
        dropByteHeaders(headers);
        headers.delete("etag");
        headers.set("content-length", String(bytes.length));
      }
      return answer(bytes, response, headers, statusText);
    });
  }

  // The platform decodes what is read here, searched or not.
  const isRewritten = isSearched || decoding === "platform";
  if (isRewritten) dropByteHeaders(headers);
  const filters = scrubber === null ? [] : [scrubber.filter(framing, sent, onNames)];
  if (maskNewSecrets) filters.push(createMasker());
  const decoded = isSearched ? decodeBody(body, decoding) : body;
  return answer(context.pass(decoded, chain(filters), isRewritten ? null : length), response, headers, statusText);
}

type Body = Uint8Array | ReadableStream<Uint8Array> | null;

function answer(body: Body, { status }: Response, headers: Headers, statusText: string): Sanitized {
  const bytes = body instanceof ReadableStream ? null : (body?.length ?? 0);
  return { ok: true, response: new Response(body, { status, statusText, headers }), bytes };
}

function readLength(headers: Headers): number | null {
  const length = headers.get("content-length") ?? "";
  return /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function eachOnce(onNames: (names: readonly string[]) => void): (names: readonly string[]) => void {
  const told = new Set<string>();
  return (names) => {
    const fresh = names.filter((name) => !told.has(name));
    for (const name of fresh) told.add(name);
    if (fresh.length > 0) onNames(fresh);
  };
}

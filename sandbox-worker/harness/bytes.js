// Bytes: what they are when they are an image or a sound, and how they read when they are not.
import {
  classes,
  decodeUtf8,
  exec,
  getPrototypeOf,
  isView,
  join,
  push,
  startsWith,
  stringify,
  subarray,
  toBase64,
} from "./primordials.js";

const SHOWN_BYTES = 64;
const MAX_SHOWN_TEXT = 4096;
// oxlint-disable-next-line no-control-regex -- what makes bytes unreadable as text
const UNREADABLE = /[\u0000-\u0008\u000e-\u001f\u007f]/;
const MEDIA_TYPE = /^(image\/(?:png|jpeg|gif|webp|avif|bmp)|audio\/(?:mpeg|wav|x-wav|ogg|flac|aac|mp4|webm))(?:;|$)/;

/** The first bytes of the formats, as text with one character a byte; `at` is where they begin. */
const SIGNATURES = [
  { mimeType: "image/png", at: 0, bytes: "\x89PNG\r\n\x1a\n" },
  { mimeType: "image/jpeg", at: 0, bytes: "\xff\xd8\xff" },
  { mimeType: "image/gif", at: 0, bytes: "GIF87a" },
  { mimeType: "image/gif", at: 0, bytes: "GIF89a" },
  { mimeType: "image/webp", at: 8, bytes: "WEBP" },
  { mimeType: "audio/wav", at: 8, bytes: "WAVE" },
  { mimeType: "image/avif", at: 4, bytes: "ftypavif" },
  { mimeType: "audio/mpeg", at: 0, bytes: "ID3" },
  { mimeType: "audio/ogg", at: 0, bytes: "OggS" },
  { mimeType: "audio/flac", at: 0, bytes: "fLaC" },
];

/** The bytes of a buffer or a view of one, or null for anything else. */
export function toBytes(value) {
  if (isView(value)) return new classes.Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  return value instanceof classes.ArrayBuffer ? new classes.Uint8Array(value) : null;
}

/** The type of an image or a sound by its first bytes, or null. */
export function sniff(bytes) {
  for (let index = 0; index < SIGNATURES.length; index++) {
    const { mimeType, at, bytes: wanted } = SIGNATURES[index];
    let equal = bytes.length >= at + wanted.length;
    for (let offset = 0; equal && offset < wanted.length; offset++) {
      equal = bytes[at + offset] === wanted.charCodeAt(offset);
    }
    if (equal) return mimeType;
  }
  return null;
}

/** The image or sound type that a declared content type names, or null. */
export function mediaTypeOf(contentType) {
  return typeof contentType === "string" ? (exec(MEDIA_TYPE, contentType)?.[1] ?? null) : null;
}

/** An MCP-ready block of an image or a sound. */
export function toMedia(mimeType, bytes) {
  return { __proto__: null, type: startsWith(mimeType, "image/") ? "image" : "audio", mimeType, data: toBase64(bytes) };
}

/** A buffer or view for a reader: as text when it is text, else its first bytes. Null for anything else. */
export function bytesToText(value) {
  const bytes = toBytes(value);
  if (bytes === null) return null;
  const name = `${getPrototypeOf(value)?.constructor?.name}(${bytes.length})`;
  if (bytes.length === 0) return `${name} []`;
  if (bytes.length <= MAX_SHOWN_TEXT) {
    try {
      const text = decodeUtf8(bytes);
      if (exec(UNREADABLE, text) === null) return `${name} ${stringify(text)}`;
    } catch {
      // Not UTF-8: shown as numbers.
    }
  }
  const shown = [];
  const head = subarray(bytes, 0, SHOWN_BYTES);
  for (let index = 0; index < head.length; index++) push(shown, head[index]);
  const more = bytes.length > SHOWN_BYTES ? `, … ${bytes.length - SHOWN_BYTES} more` : "";
  return `${name} [${join(shown, ",")}${more}]`;
}

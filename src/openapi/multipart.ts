/**
 * `multipart/form-data` (RFC 7578) as bytes. Written by hand because `FormData` gives every part with a media type a
 * file name, and servers take a part with a file name for a file. The boundary is derived from the content: pure, and
 * certain not to occur in it.
 */
import { sha256 } from "./sha256.ts";

/** One part of a form. Without a media type it is plain text. */
export interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string;
  readonly content: string | Uint8Array;
}

/** A form as it is sent. */
export interface Multipart {
  readonly contentType: string;
  readonly body: Uint8Array<ArrayBuffer>;
}

/** Writes the parts in order. */
export function writeMultipart(parts: readonly Part[]): Multipart {
  const encoder = new TextEncoder();
  const contents = parts.map(({ content }) => (typeof content === "string" ? encoder.encode(content) : content));
  const boundary = chooseBoundary(contents);
  const chunks = parts.flatMap((part, i) => [
    encoder.encode(`--${boundary}\r\n${headersOf(part)}\r\n`),
    contents[i] ?? new Uint8Array(),
    encoder.encode("\r\n"),
  ]);
  chunks.push(encoder.encode(`--${boundary}--\r\n`));
  const body = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    body.set(chunk, offset);
    offset += chunk.length;
  }
  return { contentType: `multipart/form-data; boundary=${boundary}`, body };
}

function headersOf({ name, filename, contentType }: Part): string {
  const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
  const type = contentType === undefined ? "" : `Content-Type: ${contentType.replace(/[\r\n]/g, "")}\r\n`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}\r\n${type}`;
}

/** HTML's escapes for names and file names: a quote or a line break would start a header of its own. */
function quoted(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n|\r|\n/g, "%0D%0A")
    .replaceAll('"', "%22");
}

function chooseBoundary(contents: readonly Uint8Array[]): string {
  const latin = new TextDecoder("latin1");
  const texts = contents.map((content) => latin.decode(content));
  for (let n = 0; ; n++) {
    const lengths = contents.map((content) => content.length).join(",");
    const boundary = `codeforge-${sha256(`${n} ${lengths}`).slice(0, 32)}`;
    if (!texts.some((text) => text.includes(boundary))) return boundary;
  }
}

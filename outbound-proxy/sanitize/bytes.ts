/** Small helpers for byte arrays. */

/** The parts one after another, as a copy. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const output = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    output.set(part, offset);
    offset += part.length;
  }
  return output;
}

/** The text in UTF-8. */
export function encodeUtf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** One byte per character; `null` when the text has characters beyond Latin-1. */
export function encodeLatin1(text: string): Uint8Array<ArrayBuffer> | null {
  // oxlint-disable-next-line no-control-regex -- Latin-1 includes the control characters
  return /^[\0-\xff]*$/.test(text) ? Uint8Array.from(text, (char) => char.charCodeAt(0)) : null;
}

/** One character per byte. `TextDecoder` cannot: it takes "latin1" for windows-1252. */
export function decodeLatin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

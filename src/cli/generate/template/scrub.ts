/**
 * Takes the values of credentials out of what an API sends back: some echo the headers of a request, and a model is to see
 * no value. Plain replacement, in the forms that servers echo values in; each becomes the name of its variable.
 */
import { encode } from "../../../openapi/encode.ts";

/** Shorter values are found everywhere. */
const MIN_LENGTH = 8;

export interface Scrubber {
  text(text: string): string;
  bytes(bytes: Uint8Array): Uint8Array;
}

/** A scrubber for these values by variable. */
export function createScrubber(values: ReadonlyMap<string, string>): Scrubber {
  const forms = new Map<string, string>();
  for (const [name, value] of values) {
    if (value.length < MIN_LENGTH) continue;
    for (const form of formsOf(value.toWellFormed())) forms.set(form, name);
  }
  for (const [name, user] of values) {
    const password = values.get(name.replace(/_USERNAME$/, "_PASSWORD"));
    if (name.endsWith("_USERNAME") && password !== undefined) forms.set(toBase64(`${user}:${password}`), name);
  }
  // Longest first: a value may be the beginning of another.
  const ordered = [...forms]
    .map(([form, name]) => [toLatin(form), name] as const)
    .toSorted(([a], [b]) => b.length - a.length);
  const latin = (text: string): string =>
    ordered.reduce((rest, [form, name]) => rest.replaceAll(form, () => name), text);

  return {
    text: latin,
    bytes: (bytes) => {
      const before = fromBytes(bytes);
      const after = latin(before);
      return after === before ? bytes : Uint8Array.from(after, (character) => character.charCodeAt(0));
    },
  };
}

function formsOf(value: string): string[] {
  return [value, JSON.stringify(value).slice(1, -1), encode(value), encodeURIComponent(value), toBase64(value)];
}

/** The text whose characters are the UTF-8 bytes of `text`. */
function toLatin(text: string): string {
  return fromBytes(new TextEncoder().encode(text));
}

function toBase64(text: string): string {
  return btoa(toLatin(text));
}

function fromBytes(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8_192) text += String.fromCharCode(...bytes.subarray(i, i + 8_192));
  return text;
}

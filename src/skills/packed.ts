/**
 * The files of a skill as JSON: in the store, in the build, between the command line and the server. Text stays text;
 * what is no UTF-8 is base64. Reading gives back every byte.
 */
import { z } from "zod";

import { decodeText, type SkillFiles } from "./format.ts";

/** A file's content. */
const PackedFile = z.union([z.string(), z.strictObject({ base64: z.base64() })]);

/** Files by path. */
export const PackedFiles = z.record(z.string(), PackedFile);
export type PackedFiles = z.infer<typeof PackedFiles>;

/** Packs files, sorted by path, so that the same files give the same text. */
export function packFiles(files: SkillFiles): PackedFiles {
  return Object.fromEntries(
    [...files]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([path, bytes]) => [path, decodeText(bytes) ?? { base64: toBase64(bytes) }]),
  );
}

/** Unpacks files. */
export function unpackFiles(packed: PackedFiles): SkillFiles {
  const encoder = new TextEncoder();
  return new Map(
    Object.entries(packed).map(([path, content]) => [
      path,
      typeof content === "string" ? encoder.encode(content) : fromBase64(content.base64),
    ]),
  );
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let offset = 0; offset < bytes.length; offset += 32_768)
    binary += String.fromCharCode(...bytes.subarray(offset, offset + 32_768));
  return btoa(binary);
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

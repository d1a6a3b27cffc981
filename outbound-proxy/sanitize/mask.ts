/**
 * Masks secrets that are new to us because the upstream has just made them (a created API key, a token endpoint's
 * answer), by the public shape of well-known formats. Off unless asked for: code that must use such a token cannot.
 * It knows shapes, not values, and catches what a well-meaning host sends; it is no defence against a hostile one.
 */

import { concat, encodeUtf8 } from "./bytes.ts";
import type { Filter } from "./filter.ts";

/** Formats by kind. Every format is made of `A-Z a-z 0-9 _ . -` only, which the streaming below relies on. */
const FORMATS: readonly (readonly [kind: string, format: string])[] = [
  ["anthropic", String.raw`sk-ant-[\w-]{20,}`],
  ["aws", String.raw`(?:AKIA|ASIA)[A-Z2-7]{16}(?![\w-])`],
  ["github", String.raw`gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_\w{22,}`],
  ["gitlab", String.raw`glpat-[\w-]{20,}`],
  ["google", String.raw`AIza[\w-]{35}|ya29\.[\w-]{20,}`],
  ["huggingface", String.raw`hf_[A-Za-z0-9]{30,}`],
  ["jwt", String.raw`eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*`],
  ["npm", String.raw`npm_[A-Za-z0-9]{36,}`],
  ["openai", String.raw`sk-(?:proj-|svcacct-|admin-)?[\w-]{32,}`],
  ["sendgrid", String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`],
  ["slack", String.raw`xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{10,}`],
  ["stripe", String.raw`(?:sk|rk)_live_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9]{24,}`],
];
const SHORTEST = 20;
const KNOWN = new RegExp(
  String.raw`(?<![A-Za-z0-9_])(?:${FORMATS.map(([kind, format]) => `(?<${kind}>${format})`).join("|")})`,
  "g",
);

/** Longest word that is looked at in one piece; the pieces of a longer one are looked at on their own. */
const MAX_WORD_BYTES = 16 * 1024;

/** 1 for the bytes that formats are made of. */
const IS_WORD = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w.-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/** `text` with every known format replaced by `[SECRET:kind]`. */
export function maskText(text: string): string {
  return text.replace(KNOWN, (...match) => {
    const groups: unknown = match.at(-1);
    const kinds = typeof groups === "object" && groups !== null ? Object.entries(groups) : [];
    return `[SECRET:${kinds.find(([, found]) => found !== undefined)?.[0] ?? "unknown"}]`;
  });
}

/** Masks a body that is at hand. Gives what the stream would give. */
export function maskBytes(bytes: Uint8Array): Uint8Array {
  const masker = createMasker();
  return concat([masker.push(bytes), masker.end()]);
}

/** Masks a body that streams. It holds back a word that has not ended, 16 KiB at most; events and lines pass at once. */
export function createMasker(): Filter {
  let open: Uint8Array = new Uint8Array(0);
  return {
    push(bytes) {
      let closedLength = bytes.length;
      while (closedLength > 0 && IS_WORD[bytes[closedLength - 1] ?? 0] === 1) closedLength--;
      const all = open.length === 0 ? bytes : concat([open, bytes]);
      let closedEnd = closedLength === 0 ? 0 : open.length + closedLength;
      while (all.length - closedEnd >= MAX_WORD_BYTES) closedEnd += MAX_WORD_BYTES;
      open = all.slice(closedEnd);
      return maskClosed(all.subarray(0, closedEnd));
    },
    end() {
      const rest = open;
      open = new Uint8Array(0);
      return maskClosed(rest);
    },
  };
}

/** Masks bytes that neither begin nor end inside a word, or do so where a long word is cut. */
function maskClosed(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  let kept = 0;
  for (let at = 0; at < bytes.length;) {
    let end = at;
    while (end < bytes.length && end - at < MAX_WORD_BYTES && IS_WORD[bytes[end] ?? 0] === 1) end++;
    if (end - at >= SHORTEST) {
      const word = new TextDecoder().decode(bytes.subarray(at, end));
      const masked = maskText(word);
      if (masked !== word) {
        parts.push(bytes.subarray(kept, at), encodeUtf8(masked));
        kept = end;
      }
    }
    at = Math.max(end, at + 1);
  }
  return parts.length === 0 ? bytes : concat([...parts, bytes.subarray(kept)]);
}

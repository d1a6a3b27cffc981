/** Secrets that an upstream has just made, by the shape of well-known formats. */
import { describe, expect, test } from "vitest";

import { createMasker, maskBytes, maskText } from "../../outbound-proxy/sanitize/mask.ts";
import { sanitize } from "../../outbound-proxy/sanitize/sanitize.ts";
import { passInNode } from "../helpers/filter.ts";
import { createRandom } from "../helpers/random.ts";

const letters = (length: number): string => createRandom(length).text("ABCDEFabcdef0123456789", length);
const capitals = (length: number): string => createRandom(length).text("ABCDEFGHIJ234567", length);
const jwt = `eyJ${letters(30)}.eyJ${letters(200)}.${letters(43)}`;

/** Built at run time, so that no scanner takes this file for a leak. */
const KNOWN: readonly [string, string][] = [
  ["github", `ghp_${letters(36)}`],
  ["github", `gho_${letters(36)}`],
  ["github", `ghs_${letters(36)}`],
  ["github", `github_pat_${letters(22)}_${letters(59)}`],
  ["gitlab", `glpat-${letters(20)}`],
  ["stripe", `sk_live_${letters(24)}`],
  ["stripe", `rk_live_${letters(24)}`],
  ["stripe", `whsec_${letters(32)}`],
  ["slack", `xoxb-123456789012-${letters(24)}`],
  ["slack", `xoxp-123456789012-${letters(24)}`],
  ["slack", `xapp-1-${letters(24)}`],
  ["aws", `AKIA${capitals(16)}`],
  ["aws", `ASIA${capitals(16)}`],
  ["google", `AIza${letters(35)}`],
  ["google", `ya29.${letters(60)}`],
  ["openai", `sk-proj-${letters(48)}`],
  ["anthropic", `sk-ant-api03-${letters(60)}`],
  ["npm", `npm_${letters(36)}`],
  ["huggingface", `hf_${letters(34)}`],
  ["sendgrid", `SG.${letters(22)}.${letters(43)}`],
  ["jwt", jwt],
];

function stream(pieces: readonly string[]): string {
  const masker = createMasker();
  const parts = pieces.map((piece) => masker.push(new TextEncoder().encode(piece)));
  return Buffer.concat([...parts, masker.end()]).toString();
}

const mask = (text: string): string => new TextDecoder().decode(maskBytes(new TextEncoder().encode(text)));

describe("T14: new secrets", () => {
  test.each(KNOWN)("%s: %s", async (kind, secret) => {
    const text = `{"token":"${secret}","next":"${secret}."}`;
    const expected = `{"token":"[SECRET:${kind}]","next":"[SECRET:${kind}].`;
    expect(maskText(text)).toContain(expected.slice(0, 20));
    expect(mask(text)).toMatch(/^\{"token":"\[SECRET:\w+\]","next":"\[SECRET:\w+\]\.?"\}$/);
    for (let cut = 0; cut < text.length; cut++) {
      expect(stream([text.slice(0, cut), text.slice(cut)])).toBe(mask(text));
    }
  });

  test.each([
    ["the prefix alone", "ghp_ sk_live_ AKIA eyJ"],
    ["too short", `ghp_${letters(10)}`],
    ["the end of a longer word", `Xghp_${letters(36)} my_AKIA${capitals(16)}`],
    ["too long for its format", `AKIA${capitals(40)}`],
    ["the credentials' names", "GITHUB_TOKEN STRIPE_AUTH_TOKEN SLACK_BOT_TOKEN"],
    ["ordinary identifiers", `${crypto.randomUUID()} sha256-${letters(64)} task-force-of-several-words-in-a-row`],
  ])("%s is left alone", (_, text) => {
    expect(mask(text)).toBe(text);
  });

  test("cuts change nothing, in words of any length", async () => {
    const random = createRandom(41);
    for (let round = 0; round < 60; round++) {
      const parts = Array.from({ length: 12 }, () =>
        random.pick([random.pick(KNOWN)[1], " ", ".", "-", "é", letters(random.below(200)), letters(9_000)]),
      );
      const text = parts.join("");
      const pieces: string[] = [];
      for (let at = 0; at < text.length;) {
        const length = 1 + random.below(random.pick([8, 3_000]));
        pieces.push(text.slice(at, at + length));
        at += length;
      }
      if (pieces.length > 4_000) continue;
      expect(stream(pieces)).toBe(mask(text));
    }
  });

  test("a word without end is let go in pieces, so memory stays bounded, and events leave at once", async () => {
    const masker = createMasker();
    expect(new TextDecoder().decode(masker.push(new TextEncoder().encode("data: 1\n\n")))).toBe("data: 1\n\n");
    expect(masker.push(new Uint8Array(40_000).fill(97)).length).toBe(32_768);
  });

  test("bytes that are no text pass as they are", () => {
    const bytes = Uint8Array.from({ length: 1_024 }, (_, index) => index & 255);
    expect(maskBytes(bytes)).toEqual(bytes);
  });

  test.each([
    ["off unless asked for", "at once", undefined, jwt],
    ["off unless asked for", "as a stream", undefined, jwt],
    ["on when asked for, without any value to look for", "at once", true, "[SECRET:jwt]"],
    ["on when asked for, without any value to look for", "as a stream", true, "[SECRET:jwt]"],
  ])("masking is %s, in a body that comes %s", async (_, how, maskNewSecrets, expected) => {
    const body = JSON.stringify({ access_token: jwt });
    const length: Record<string, string> = how === "at once" ? { "content-length": String(body.length) } : {};
    const outcome = await sanitize(new Response(body, { headers: { "x-token": jwt, ...length } }), {
      method: "POST",
      scrubber: null,
      sent: new Set(),
      onNames: () => {},
      pass: passInNode,
      ...(maskNewSecrets === undefined ? {} : { maskNewSecrets }),
    });
    if (!outcome.ok) throw new Error(outcome.reason);
    expect(outcome.response.headers.get("x-token")).toBe(expected);
    expect(await outcome.response.json()).toEqual({ access_token: expected });
  });
});

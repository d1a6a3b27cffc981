/**
 * A token as its holder has it: `codeforge_<id>_<secret>`. The id finds its row and is no secret; the secret is 256
 * random bits, so a plain SHA-256 of the whole is all that has to be stored. The prefix lets scanners of leaked secrets
 * recognise it.
 */

const FORM = /^codeforge_([0-9a-f]{16})_[0-9a-f]{64}$/;

/** What of a token is looked up and compared. */
export interface TokenKey {
  readonly id: string;
  readonly hash: ArrayBuffer;
}

/** A token, before it is forgotten. */
export interface IssuedToken extends TokenKey {
  readonly text: string;
}

/** Makes a token from fresh randomness. */
export async function issueToken(): Promise<IssuedToken> {
  const id = randomHex(8);
  const text = `codeforge_${id}_${randomHex(32)}`;
  return { id, text, hash: await digest(text) };
}

/** What a shown token is looked up by; null when it is none of ours, whatever its length. */
export async function readToken(text: string): Promise<TokenKey | null> {
  const [, id] = FORM.exec(text) ?? [];
  return id === undefined ? null : { id, hash: await digest(text) };
}

/** Whether two texts are the same. Digests are compared, so that neither length nor content shows in the time taken. */
export async function isSameText(a: string, b: string): Promise<boolean> {
  return isSameHash(await digest(a), await digest(b));
}

/** Whether two SHA-256 digests are the same, in constant time. */
export function isSameHash(a: ArrayBuffer, b: ArrayBuffer): boolean {
  return a.byteLength === b.byteLength && crypto.subtle.timingSafeEqual(a, b);
}

function randomHex(bytes: number): string {
  const random = crypto.getRandomValues(new Uint8Array(bytes));
  return Array.from(random, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function digest(text: string): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
}

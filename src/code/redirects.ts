/**
 * Redirects, followed as `fetch` follows them, one request at a time: each hop is a request of its own to whoever sends
 * it, which decides anew. What is carried along are names of credentials, and none of them to another origin.
 */

/** Most redirects of one call. */
export const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = ["content-encoding", "content-language", "content-location", "content-type", "content-length"];
const ORIGIN_HEADERS = ["authorization", "cookie", "proxy-authorization"];

/** A request whose body can be sent again. */
export interface Hop {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string | Uint8Array<ArrayBuffer> | null;
}

/**
 * The request that an answer redirects to, or null when it redirects nowhere: its status is another, or it has no
 * `Location` that is an http URL.
 */
export function nextHop({ method, url, headers, body }: Hop, status: number, location: string | null): Hop | null {
  if (!REDIRECTS.has(status) || location === null || !URL.canParse(location, url.href)) return null;
  const next = new URL(location, url);
  if (next.protocol !== "https:" && next.protocol !== "http:") return null;
  const becomesGet = status === 303 ? method !== "HEAD" : status < 303 && method === "POST";
  const dropped = [...(becomesGet ? BODY_HEADERS : []), ...(next.origin === url.origin ? [] : ORIGIN_HEADERS)];
  const kept = new Headers([...headers].filter(([name]) => !dropped.includes(name)));
  return becomesGet
    ? { method: "GET", url: next, headers: kept, body: null }
    : { method, url: next, headers: kept, body };
}

/**
 * What a redirect asks for next (the fetch standard, "HTTP-redirect fetch"): the request that would follow, built from
 * the one that was redirected. Whether it may be sent is decided where requests leave.
 */
import type { BuiltRequest } from "./request.ts";

/** How many redirects are followed one after the other. */
export const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Headers of a body, and those that belong to one origin: a download behind a signed URL refuses a second proof. */
const OF_BODY: ReadonlySet<string> = new Set(["content-type", "content-encoding", "content-language"]);
const OF_ORIGIN: ReadonlySet<string> = new Set(["authorization", "cookie"]);

/** The next request, or undefined when the answer is no redirect or leads to no http URL. */
export function nextRequest(
  request: BuiltRequest,
  { status, location }: { readonly status: number; readonly location: string | null | undefined },
): BuiltRequest | undefined {
  if (!REDIRECTS.has(status) || location === null || location === undefined) return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const url = new URL(location, request.url);
  if (url.protocol !== "https:" && url.protocol !== "http:") return undefined;
  const { method } = request;
  const becomesGet = status === 303 ? method !== "HEAD" && method !== "GET" : status < 303 && method === "POST";
  const isElsewhere = url.origin !== new URL(request.url).origin;
  const headers = request.headers.filter(([name]) => {
    const key = name.toLowerCase();
    return !(becomesGet && OF_BODY.has(key)) && !(isElsewhere && OF_ORIGIN.has(key));
  });
  const { body } = request;
  return becomesGet
    ? { method: "GET", url: url.href, headers }
    : { method, url: url.href, headers, ...(body === undefined ? {} : { body }) };
}

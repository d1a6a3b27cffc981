/**
 * What a redirect asks for next (RFC 9110 §15.4, as browsers do it): the request that would follow, built from the one
 * that was redirected. Whether it may be sent, and with which headers, is decided where requests leave.
 */
import type { BuiltRequest } from "./request.ts";

/** How many redirects are followed one after the other. */
export const MAX_REDIRECTS = 5;

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** The next request, or undefined when the answer is no redirect or leads to no URL. */
export function nextRequest(
  request: BuiltRequest,
  { status, location }: { readonly status: number; readonly location: string | null | undefined },
): BuiltRequest | undefined {
  if (!REDIRECTS.has(status) || location === null || location === undefined) return undefined;
  if (!URL.canParse(location, request.url)) return undefined;
  const url = new URL(location, request.url).href;
  const { method } = request;
  const becomesGet = status === 303 ? method !== "HEAD" : status < 303 && method === "POST";
  if (!becomesGet) return { ...request, url };
  const headers = request.headers.filter(([name]) => name.toLowerCase() !== "content-type");
  return { method: "GET", url, headers };
}

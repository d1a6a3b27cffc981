/**
 * The one place that requests leave from: bounded in time, redirected within the API's own origin only, so that no
 * credential is sent elsewhere. What comes back has the credentials' values taken out before anybody reads it.
 */
import { readAnswer } from "../../../openapi/answer.ts";
import { MAX_REDIRECTS, nextRequest } from "../../../openapi/redirect.ts";
import type { BuiltRequest } from "../../../openapi/request.ts";
import type { UpstreamAnswer } from "../../../openapi/result.ts";
import { createScrubber } from "./scrub.ts";
import { SERVER } from "./tools.ts";

/** How long one call may take, in milliseconds: less than the minute for which clients wait. */
const TIMEOUT_MS = 50_000;

export interface SendOptions {
  /** Aborts when the client gives up. */
  readonly signal: AbortSignal;
  /** Values of credentials by variable. */
  readonly values: ReadonlyMap<string, string>;
}

export type Sent =
  | { readonly ok: true; readonly answer: UpstreamAnswer }
  | { readonly ok: false; readonly message: string };

/** Sends a request and reads its answer. Never rejects, except when the client gave up. */
export async function send(request: BuiltRequest, { signal, values }: SendOptions): Promise<Sent> {
  const { host } = new URL(request.url);
  try {
    const answer = await exchange(request, AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]));
    return { ok: true, answer: scrub(answer, values) };
  } catch (error) {
    signal.throwIfAborted();
    return { ok: false, message: explain(error, host) };
  }
}

async function exchange(first: BuiltRequest, signal: AbortSignal): Promise<UpstreamAnswer> {
  const { origin } = new URL(first.url);
  let request = first;
  for (let hops = 0; ; hops++) {
    const { method, url, headers, body } = request;
    const response = await fetch(url, {
      method,
      headers: withUserAgent(headers),
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
    const next = nextRequest(request, { status: response.status, location: response.headers.get("location") });
    if (next === undefined || hops === MAX_REDIRECTS || new URL(next.url).origin !== origin) {
      return await readAnswer(response, url);
    }
    await response.body?.cancel();
    request = next;
  }
}

function withUserAgent(headers: BuiltRequest["headers"]): [string, string][] {
  const all = headers.map(([name, value]): [string, string] => [name, value]);
  const has = all.some(([name]) => name.toLowerCase() === "user-agent");
  return has ? all : [...all, ["User-Agent", `${SERVER.name.replace(/^@[^/]*\//, "")}/${SERVER.version}`]];
}

function scrub(answer: UpstreamAnswer, values: ReadonlyMap<string, string>): UpstreamAnswer {
  const { text, bytes } = createScrubber(values);
  return {
    ...answer,
    statusText: text(answer.statusText),
    headers: answer.headers.map(([name, value]) => [name, text(value)] as const),
    body: bytes(answer.body),
    url: text(answer.url),
  };
}

/** Codes of failures before anything was sent. */
const UNSENT: Readonly<Record<string, string>> = {
  ENOTFOUND: "its name was not found",
  EAI_AGAIN: "its name could not be looked up",
  ECONNREFUSED: "it refuses connections",
  EHOSTUNREACH: "it cannot be reached",
  ENETUNREACH: "it cannot be reached",
};

/** Words for a failure, chosen by its code: the texts of such errors may hold a header's value. */
function explain(error: unknown, host: string): string {
  if (error instanceof Error && error.name === "TimeoutError") {
    return `${host} did not answer within ${TIMEOUT_MS / 1000} seconds. Whether it did what was asked is not known.`;
  }
  const cause: unknown = error instanceof Error ? error.cause : undefined;
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
  const unsent = UNSENT[code];
  if (unsent !== undefined) return `${host}: ${unsent} (${code}). Nothing was sent.`;
  const known = /^[A-Z][A-Z0-9_]{2,60}$/.test(code) ? ` (${code})` : "";
  return `No answer from ${host}: the connection failed${known}. Whether it did what was asked is not known.`;
}

/**
 * Sends one request of a run and reads its answer whole, redirects included. An entrypoint of its own, because only the
 * end of its call ends what it waits for: a Durable Object that merely stops waiting leaves the upstream at work.
 */
import { WorkerEntrypoint } from "cloudflare:workers";

import type { Env } from "../env.ts";
import type { BuiltRequest } from "../openapi/request.ts";
import type { UpstreamAnswer } from "../openapi/result.ts";
import { MAX_REDIRECTS, nextHop, type Hop } from "./redirects.ts";

/** Most bytes of an answer; more than a model could be shown by far, and little beside what RPC carries. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024;

/** How a request ended. */
export type SendOutcome =
  | { readonly kind: "answered"; readonly answer: UpstreamAnswer }
  | { readonly kind: "too_large"; readonly status: number; readonly maxBytes: number }
  | { readonly kind: "too_many_redirects"; readonly host: string }
  | { readonly kind: "broken"; readonly status: number }
  | { readonly kind: "timed_out"; readonly timeoutMs: number }
  | { readonly kind: "cancelled" };

/** What to send, in the name of which run, and for how long (milliseconds, redirects and answer included). */
export interface SendRequest {
  readonly runId: string;
  readonly request: BuiltRequest;
  readonly timeoutMs: number;
}

/** The caller's side: settles when nobody waits for the answer any more. */
export interface SendControl {
  ended(): Promise<void>;
}

export class Sender extends WorkerEntrypoint<Env> {
  /** Sends a request. Never rejects for what the upstream does. */
  async send({ runId, request, timeoutMs }: SendRequest, control: SendControl): Promise<SendOutcome> {
    const cancelled = (): SendOutcome => ({ kind: "cancelled" });
    const ended = Promise.resolve(control.ended()).then(cancelled, cancelled);
    const { promise: late, resolve } = Promise.withResolvers<SendOutcome>();
    const timer = setTimeout(() => resolve({ kind: "timed_out", timeoutMs }), timeoutMs);
    try {
      return await Promise.race([this.#follow(runId, request), ended, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async #follow(runId: string, { method, url, headers, body }: BuiltRequest): Promise<SendOutcome> {
    let hop: Hop = {
      method,
      url: new URL(url),
      headers: new Headers(headers.map(([name, value]): [string, string] => [name, value])),
      body: body ?? null,
    };
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const { url: at, ...init } = hop;
      const response = await this.env.FORWARDER.forward(new Request(at, { ...init, redirect: "manual" }), runId);
      const next = nextHop(hop, response.status, response.headers.get("location"));
      if (next === null) return readAnswer(response, at.href);
      await response.body?.cancel();
      hop = next;
    }
    return { kind: "too_many_redirects", host: hop.url.host };
  }
}

async function readAnswer(response: Response, url: string): Promise<SendOutcome> {
  const { status, statusText } = response;
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of response.body ?? []) {
      size += chunk.byteLength;
      // Leaving the loop cancels the body.
      if (size > MAX_ANSWER_BYTES) return { kind: "too_large", status, maxBytes: MAX_ANSWER_BYTES };
      chunks.push(chunk);
    }
  } catch {
    return { kind: "broken", status };
  }
  const body = new Uint8Array(await new Blob(chunks).arrayBuffer());
  return { kind: "answered", answer: { status, statusText, headers: [...response.headers], body, url } };
}

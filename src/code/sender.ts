/**
 * Sends one request of a run and reads its answer whole, redirects included. An entrypoint of its own, because only the
 * end of its call ends what it waits for: a Durable Object that merely stops waiting leaves the upstream at work.
 */
import { WorkerEntrypoint } from "cloudflare:workers";

import type { Env } from "../env.ts";
import { readAnswer } from "../openapi/answer.ts";
import { MAX_REDIRECTS, nextRequest } from "../openapi/redirect.ts";
import type { BuiltRequest } from "../openapi/request.ts";
import type { UpstreamAnswer } from "../openapi/result.ts";

/** How a request ended. */
export type SendOutcome =
  | { readonly kind: "answered"; readonly answer: UpstreamAnswer }
  | { readonly kind: "too_many_redirects"; readonly host: string }
  | { readonly kind: "broken" }
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

  async #follow(runId: string, first: BuiltRequest): Promise<SendOutcome> {
    let request = first;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await this.env.FORWARDER.forward(toRequest(request), runId);
      const next = nextRequest(request, { status: response.status, location: response.headers.get("location") });
      if (next === undefined) return answered(response, request.url);
      await response.body?.cancel();
      request = next;
    }
    return { kind: "too_many_redirects", host: new URL(request.url).host };
  }
}

function toRequest({ method, url, headers, body }: BuiltRequest): Request {
  const pairs = headers.map(([name, value]): [string, string] => [name, value]);
  return new Request(url, { method, headers: pairs, body: body ?? null, redirect: "manual" });
}

async function answered(response: Response, url: string): Promise<SendOutcome> {
  try {
    return { kind: "answered", answer: await readAnswer(response, url) };
  } catch {
    return { kind: "broken" };
  }
}

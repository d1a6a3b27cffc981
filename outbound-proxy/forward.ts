/**
 * One request on its way out and its response on the way back: policy → redact → inject → fetch → sanitize, with a
 * ledger entry and log lines beside. Whatever goes wrong becomes a response with a code of a closed set; no exception,
 * and no text of one, ever reaches the isolate.
 */
import type { RunPolicy } from "../src/contract/run.ts";
import type { RequestBody } from "./body.ts";
import { toDenialResponse, type Denial, type RedirectOrigin } from "./denial.ts";
import { buildHeaders } from "./headers.ts";
import { inject, type Injection } from "./inject.ts";
import { admit } from "./inspect.ts";
import { createLogger, type Logger } from "./log.ts";
import type { Decision } from "./policy.ts";
import type { Learnt, Run } from "./run.ts";
import { sanitize } from "./sanitize/sanitize.ts";
import { createScrubber } from "./sanitize/scrubber.ts";
import type { ProxyState } from "./state.ts";
import { readRedirect, readTarget, type Target } from "./target.ts";
import { classifyFailure } from "./upstream.ts";

export interface ForwardContext {
  readonly state: ProxyState;
  readonly run: DurableObjectStub<Run>;
  readonly runId: string;
  readonly ctx: ExecutionContext;
}

/** Forwards one request of a run. Never rejects. */
export async function forward(request: Request, context: ForwardContext): Promise<Response> {
  const { state, run } = context;
  const target = readTarget(request);
  const path = state.redactor?.text(target.url.pathname) ?? target.url.pathname;
  try {
    const begun = await run.begin({ method: target.method, host: target.url.host, path, url: target.url.href });
    if (!begun.ok) return toDenialResponse(begun.denial);
    return await new Exchange(context, target, path, begun.seq).send(request, begun.policy, begun.redirectedFrom);
  } catch {
    // What went wrong may have been said with a value in it.
    return toDenialResponse({ code: "internal" });
  }
}

/** One request and its response. */
class Exchange {
  readonly #context: ForwardContext;
  readonly #target: Target;
  readonly #seq: number;
  readonly #log: Logger;
  readonly #startedMs = Date.now();
  readonly #request: { readonly method: string; readonly host: string; readonly path: string };

  constructor(context: ForwardContext, target: Target, path: string, seq: number) {
    this.#context = context;
    this.#target = target;
    this.#seq = seq;
    this.#log = createLogger(context.runId);
    this.#request = { method: target.method, host: target.url.host, path };
  }

  async send(request: Request, policy: RunPolicy, redirectedFrom: RedirectOrigin | null): Promise<Response> {
    const { state } = this.#context;
    const { settings, catalog } = state;
    if (settings.blocked !== null) return this.#refuse({ code: "misconfigured", problem: settings.blocked });

    const { decision, body } = await admit(
      { catalog, yolo: settings.yolo, ownPorts: settings.ownPorts },
      policy,
      this.#target,
      request,
      redirectedFrom,
    );
    if (!decision.allowed) return this.#refuse(decision.denial);

    const scrubber = decision.via === "yolo" ? null : createScrubber(state.scrubbed(policy));
    const headers = buildHeaders(request.headers, settings.userAgent, { dropRanges: scrubber !== null });
    const redacted = this.#redact(this.#target.url, headers, body);
    const injection = await inject(
      { ...redacted, method: this.#target.method, contentLength: readLength(request.headers) },
      decision.grants.flatMap((api) =>
        api.credentials.map((credential) => ({ credential, value: state.valueOf(credential.name) })),
      ),
      state.reachableNames(policy),
    );
    if (!injection.ok) return this.#refuse(injection.denial);
  }
}

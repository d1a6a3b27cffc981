/**
 * One request on its way out and its response on the way back: policy → redact → inject → fetch → sanitize, with a
 * ledger entry and log lines beside. Whatever goes wrong becomes a response with a code of a closed set; no exception,
 * and no text of one, ever reaches the isolate.
 */
import type { Api } from "../src/contract/catalog.ts";
import type { RunPolicy } from "../src/contract/run.ts";
import { toDenialResponse, type Denial } from "./denial.ts";
import { buildHeaders } from "./headers.ts";
import { inject, type Body } from "./inject.ts";
import { createLogger, type Logger } from "./log.ts";
import { decide } from "./policy.ts";
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
  const startedMs = Date.now();
  const target = readTarget(request);
  const begun = await context.run.begin({
    method: target.method,
    host: target.url.host,
    path: context.state.redactor?.text(target.url.pathname) ?? target.url.pathname,
    url: target.url.href,
  });
  if (!begun.ok) return toDenialResponse(begun.denial);
}

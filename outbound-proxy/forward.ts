/**
 * One request on its way out and its response on the way back: redact → policy → inject → fetch → sanitize, with a
 * ledger entry and log lines beside. Whatever goes wrong becomes a response with a code of a closed set; no exception,
 * and no text of one, ever reaches the isolate.
 */
import type { RunPolicy } from "../src/contract/run.ts";
import { annotate } from "./answer.ts";
import type { RequestBody } from "./body.ts";
import { toDenialResponse, type Denial } from "./denial.ts";
import { buildHeaders } from "./headers.ts";
import { inject, type InjectableCredential, type LeftName } from "./inject.ts";
import { admit } from "./inspect.ts";
import { MAX_URL_LENGTH, type Limits } from "./limits.ts";
import { createLogger, logPayload, queryKeys, type Logger } from "./log.ts";
import { chooseNetwork, type Network } from "./network.ts";
import { toOutgoing } from "./outgoing.ts";
import { decide, isHostOfRun, isStopped } from "./policy.ts";
import { createPump, type Pump } from "./pump.ts";
import { forgetPolicy } from "./policies.ts";
import { wordEnd, type EnteredRequest, type Learnt } from "./record.ts";
import type { PolicyResult, Run } from "./run.ts";
import { sanitize, type Pass, type Sanitized } from "./sanitize/sanitize.ts";
import { createScrubber } from "./sanitize/scrubber.ts";
import type { ProxyState } from "./state.ts";
import type { SwitchedOff } from "./switches.ts";
import { readRedirect, readTarget, type Target } from "./target.ts";
import { classifyFailure } from "./upstream.ts";
import { watchOver, type Watch } from "./watch.ts";

export interface ForwardContext {
  readonly state: ProxyState;
  readonly run: DurableObjectStub<Run>;
  readonly runId: string;
  /** What the run may do, or why it may make no further request. */
  readonly readPolicy: () => Promise<PolicyResult>;
  readonly ctx: ExecutionContext;
  /** What is switched off at this moment. */
  readonly readSwitches: () => Promise<SwitchedOff>;
  /** Connects to public addresses only; absent on the platform. */
  readonly publicNetwork: Network | undefined;
  readonly limits: Limits;
}

/** Forwards one request of a run. Never rejects. */
export async function forward(request: Request, context: ForwardContext): Promise<Response> {
  let exchange: Exchange | undefined;
  try {
    exchange = new Exchange(context, readTarget(request));
    const [found, off] = await Promise.all([context.readPolicy(), context.readSwitches()]);
    if (!found.ok) return toDenialResponse(found.denial);
    return await exchange.send(request, found.policy, off);
  } catch {
    // What went wrong may have been said with a value in it.
    return (await exchange?.giveUp()) ?? toDenialResponse({ code: "internal" });
  }
}

/** A request as it goes through the steps. */
interface Outgoing {
  readonly url: URL;
  readonly headers: Headers;
  readonly body: RequestBody;
}

/** What kept an answer from being passed on; `cause` says more of it. */
type Failure = Denial & { readonly cause?: string };

/** One request and its response. */
class Exchange {
  readonly #context: ForwardContext;
  readonly #target: Target;
  readonly #log: Logger;
  readonly #shown: { readonly method: string; readonly host: string; readonly path: string };
  /** Its place in the ledger, and when it was entered there. */
  #seq = 0;
  #startedMs = Date.now();

  constructor(context: ForwardContext, target: Target) {
    const { method, url } = target;
    const { redactor } = context.state;
    this.#context = context;
    this.#target = target;
    this.#log = createLogger(context.runId);
    this.#shown = { method, host: url.host, path: (redactor?.url(url).value ?? url).pathname };
  }

  async send(request: Request, policy: RunPolicy, off: SwitchedOff): Promise<Response> {
    const { state, run, limits } = this.#context;
    const { settings, catalog } = state;
    const { method, host } = this.#target;
    if (settings.blocked !== null) return this.#refuse({ code: "misconfigured", problem: settings.blocked });
    if (this.#target.url.href.length > MAX_URL_LENGTH)
      return this.#refuse({ code: "url_too_long", maxLength: MAX_URL_LENGTH });

    // 1. redact, so that what is judged is what leaves
    const asked = this.#redact({ url: this.#target.url, headers: request.headers, body: request.body });
    const { url } = asked;
    const target =
      state.redactor === null ? this.#target : readTarget({ url: url.href, method, headers: asked.headers });

    // 2. policy
    const { yolo, ownPorts, userAgent, debug } = settings;
    if (isStopped(policy, off)) return this.#refuse({ code: "token_disabled" });
    const rules = { catalog, yolo, ownPorts, disabled: off.api };
    const redirectedFrom = isHostOfRun(rules, policy, target) ? null : await run.redirectedFrom(this.#target.url.href);
    const { decision, body } = await admit(rules, policy, target, asked, redirectedFrom);
    if (!decision.allowed) return this.#refuse(decision.denial);
    const { contentLength } = target;
    if (contentLength !== null && contentLength > limits.requestBytes) {
      return this.#refuse({ code: "request_too_large", maxBytes: limits.requestBytes });
    }
    const scrubber = decision.via === "yolo" ? null : createScrubber(state.scrubbed);
    const headers = buildHeaders(asked.headers, userAgent, { dropRanges: scrubber !== null });
    const shown = debug ? this.#debug(">>>", { url, headers, body }) : { url, headers, body };

    // 3. inject
    const own = decision.grants.flatMap((api) => api.credentials.map((credential) => withValue(credential, state)));
    const injection = await inject({ ...shown, method, contentLength }, own, state.reachableNames(policy));
    if (!injection.ok) return this.#refuse(injection.denial);
    // The body may have kept us waiting for as long as the code liked.
    const judge = async (): Promise<Denial | null> => {
      const now = await this.#context.readSwitches();
      if (isStopped(policy, now)) return { code: "token_disabled" };
      const again = decide({ ...rules, disabled: now.api }, policy, target, redirectedFrom);
      return again.allowed ? null : again.denial;
    };
    const changed = await judge();
    if (changed !== null) return this.#refuse(changed);
    const api = decision.api?.name ?? null;
    const stopped = await this.#enter({ api, credentials: [...injection.injected], state: "sent" });
    if (stopped !== null) return toDenialResponse(stopped);
    this.#logInjection(injection.injected, injection.left);

    // 4. fetch
    const sent = new Set(injection.injected);
    const found = new Set<string>();
    // What was redacted on its way has another length than the code has said.
    const outgoing = toOutgoing(injection.body, state.redactor === null ? contentLength : null, limits);
    const network = chooseNetwork(this.#context.publicNetwork, host);
    let sanitized: Sanitized;
    let pump: Pump | null = null;
    const watch = watchOver(judge);
    const fail = (denial: Failure, learnt?: Learnt): Response => {
      watch.end();
      return this.#fail(watch.denial() ?? denial, learnt);
    };
    const pass: Pass = (body, filter, length) => {
      pump = createPump(body, { filter, length, maxBytes: limits.responseBytes });
      return pump.readable;
    };
    try {
      const response = await network.fetch(injection.url, {
        method,
        headers: injection.headers,
        body: outgoing.body,
        redirect: "manual",
        signal: outgoing.signal === null ? watch.signal : AbortSignal.any([outgoing.signal, watch.signal]),
        ...(sent.size > 0 ? { cache: "no-store" } : {}),
      });
      if (method !== "HEAD" && Number(response.headers.get("content-length")) > limits.responseBytes) {
        response.body?.cancel().catch(() => {});
        return fail({ code: "response_too_large", host, maxBytes: limits.responseBytes });
      }

      // 5. sanitize
      const maskNewSecrets = decision.grants.some((grant) => grant.mask_new_secrets);
      const onNames = (names: readonly string[]): void => names.forEach((name) => found.add(name));
      sanitized = await sanitize(response, { method, scrubber, sent, onNames, maskNewSecrets, pass });
    } catch (error) {
      if (outgoing.isCut()) return fail({ code: "request_too_large", maxBytes: limits.requestBytes });
      return fail({ code: "upstream_failed", host, cause: await classifyFailure(error, url, network) });
    }
    const requestBytes = outgoing.bytes();
    if (!sanitized.ok) {
      return fail({ code: "response_undecodable", host, encoding: sanitized.encoding }, { requestBytes });
    }
    annotate(sanitized.response, injection.injected, injection.left);
    return this.#answer(sanitized, { pump, watch }, { api, requestBytes }, found);
  }

  /** Nothing has left. */
  async #refuse(denial: Denial): Promise<Response> {
    const { code } = denial;
    const stopped = await this.#enter({ api: null, credentials: [], state: "refused", error: code, ms: 0 });
    if (stopped !== null) return toDenialResponse(stopped);
    this.#log("restrict", "", { ...this.#shown, code });
    return toDenialResponse(denial);
  }

  /** Something went wrong that has no name. Never rejects. */
  async giveUp(): Promise<Response> {
    const denial = { code: "internal" } as const;
    if (this.#seq > 0) return this.#fail(denial);
    return this.#refuse(denial).catch(() => toDenialResponse(denial));
  }

  /** Enters the request into the ledger. The answer says why it may not be made, if the run as such forbids it. */
  async #enter(known: Omit<EnteredRequest, "method" | "host" | "path">): Promise<Denial | null> {
    this.#startedMs = Date.now();
    const entered = await this.#context.run.enter({ ...this.#shown, ...known });
    if (entered.ok) {
      this.#seq = entered.seq;
      return null;
    }
    forgetPolicy(this.#context.runId);
    return entered.denial;
  }

  /** It has left, and no answer can be passed on. */
  #fail(denial: Failure, learnt: Learnt = {}): Response {
    const error = denial.cause ?? denial.code;
    this.#log("req", "", { ...this.#shown, error, ms: this.#elapsedMs() });
    this.#learn({ ...learnt, state: "failed", error, ms: this.#elapsedMs() });
    return toDenialResponse(denial);
  }

  #redact(outgoing: Outgoing): Outgoing {
    const { redactor } = this.#context.state;
    if (redactor === null) return outgoing;
    const log = (place: string, count: number): void => {
      if (count > 0) this.#log("redact", "", { ...this.#shown, place, count });
    };
    const url = redactor.url(outgoing.url);
    const headers = redactor.headers(outgoing.headers);
    log("url", url.count);
    log("headers", headers.count);
    const body = redactor.body(outgoing.body, (count) => log("body", count));
    return { url: url.value, headers: headers.value, body };
  }

  #logInjection(injected: readonly string[], left: readonly LeftName[]): void {
    if (injected.length > 0) this.#log("inject", "", { ...this.#shown, credentials: injected });
    for (const { name, place, reason } of left) this.#log("inject", "left", { ...this.#shown, name, place, reason });
  }

  #answer(
    sanitized: Extract<Sanitized, { ok: true }>,
    { pump, watch }: { readonly pump: Pump | null; readonly watch: Watch },
    { api, requestBytes }: { readonly api: string | null; readonly requestBytes: number },
    found: ReadonlySet<string>,
  ): Response {
    const { response } = sanitized;
    const { status } = response;
    const { url } = this.#target;
    const query = queryKeys(this.#context.state.redactor?.url(url).value ?? url);
    this.#log("req", "", { ...this.#shown, query, api, status, ms: this.#elapsedMs() });
    const next = readRedirect(url, status >= 300 && status < 400 ? response.headers.get("location") : null);
    const redirect = next === null ? {} : { redirect: { url: next.href, from: { host: url.host, api } } };
    const answered: Learnt = { state: "answered", status, requestBytes, ...redirect };
    const logFound = (): void => {
      if (found.size > 0) this.#log("sanitize", "", { ...this.#shown, names: [...found] });
    };
    if (pump === null) {
      watch.end();
      logFound();
      this.#learn({ ...answered, responseBytes: sanitized.bytes ?? 0, ms: this.#elapsedMs() });
    } else {
      this.#learn(answered);
      // Never given to `waitUntil`: that would keep an upstream that says nothing open after the code has gone away.
      pump.start((how, responseBytes) => {
        watch.end();
        logFound();
        const denial = how === "whole" ? null : watch.denial();
        const end: Learnt = denial === null ? wordEnd(how) : { state: "cut_off", error: denial.code };
        this.#learn({ ...end, responseBytes, ms: this.#elapsedMs() });
      });
    }
    return this.#context.state.settings.debug ? this.#debugAnswer(response) : response;
  }

  #debug(event: ">>>", outgoing: Outgoing): Outgoing {
    const { url, headers } = outgoing;
    const fields = { method: this.#target.method, url: url.href };
    return { url, headers, body: logPayload(this.#log, event, fields, headers, outgoing.body) };
  }

  #debugAnswer(answer: Response): Response {
    const { status, headers } = answer;
    const body = logPayload(this.#log, "<<<", { status, url: this.#shown.path }, headers, answer.body);
    return new Response(body, answer);
  }

  /** Tells the ledger. The call is on its way before the answer is, so that a run's end does not overtake it. */
  #learn(learnt: Learnt): void {
    this.#context.ctx.waitUntil(Promise.resolve(this.#context.run.learn(this.#seq, learnt)).catch(() => {}));
  }

  #elapsedMs(): number {
    return Date.now() - this.#startedMs;
  }
}

function withValue(credential: InjectableCredential["credential"], state: ProxyState): InjectableCredential {
  return { credential, value: state.valueOf(credential.name) };
}

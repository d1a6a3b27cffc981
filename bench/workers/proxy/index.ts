/**
 * The proxy's Worker with a front door, for measurements only: it times the pure steps of one request in workerd, each
 * by itself, with the catalog and the values that the proxy really has.
 */
import { WorkerEntrypoint } from "cloudflare:workers";

import type { RunPolicy } from "../../../src/contract/run.ts";
import { annotate } from "../../../outbound-proxy/answer.ts";
import type { Env } from "../../../outbound-proxy/env.ts";
import { buildHeaders } from "../../../outbound-proxy/headers.ts";
import { inject } from "../../../outbound-proxy/inject.ts";
import { admit } from "../../../outbound-proxy/inspect.ts";
import { sanitize } from "../../../outbound-proxy/sanitize/sanitize.ts";
import { createScrubber } from "../../../outbound-proxy/sanitize/scrubber.ts";
import { loadState } from "../../../outbound-proxy/state.ts";
import { readTarget } from "../../../outbound-proxy/target.ts";

export { Forwarder, OutboundProxy, Run, SelfTest, Switches } from "../../../outbound-proxy/index.ts";

/** What to time: requests of a run that may reach `api`, sent `calls` times after as many to warm up. */
interface Task {
  readonly api: string;
  readonly url: string;
  readonly authorization: string | null;
  readonly body: string;
  readonly calls: number;
}

type Step = () => unknown;

/** In the proxy's place, with nothing of the proxy in it: what the way there and back costs by itself. */
export class Passing extends WorkerEntrypoint<Env> {
  forward(request: Request): Promise<Response> {
    return fetch(request);
  }
}

const BATCHES = 15;

function policyFor(api: string): RunPolicy {
  return { principal: "bench", apis: [api], readOnly: false, limits: { maxRequests: 1_000 } };
}

export default {
  /**
   * `PUT /<id>?<api>` opens a run that may reach the API. `POST` with a task answers the milliseconds of each step, by
   * name.
   */
  async fetch(message, env) {
    if (message.method === "PUT") {
      const { pathname, search } = new URL(message.url);
      await env.RUNS.getByName(pathname.slice(1)).open(policyFor(search.slice(1)), null);
      return new Response();
    }
    const task = await message.json<Task>();
    const times: Record<string, number> = {};
    for (const [name, step] of Object.entries(await createSteps(env, task))) {
      await time(step, task.calls);
      times[name] = await time(step, task.calls);
    }
    return Response.json(times);
  },
} satisfies ExportedHandler<Env>;

/**
 * Milliseconds of one call: the median of many batches, which other processes disturb less than the mean. The clock
 * here has whole milliseconds, so it is read once for each batch.
 */
async function time(step: Step, calls: number): Promise<number> {
  const samples: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const begun = performance.now();
    for (let call = 0; call < calls / BATCHES; call++) {
      const result = step();
      if (result instanceof Promise) await result;
    }
    samples.push((performance.now() - begun) / (calls / BATCHES));
  }
  return samples.toSorted((a, b) => a - b)[BATCHES >> 1] ?? Number.NaN;
}

async function createSteps(env: Env, { api, url, authorization, body }: Task): Promise<Record<string, Step>> {
  const state = loadState(env);
  const { catalog, settings } = state;
  const policy = policyFor(api);
  const request = new Request(url, authorization === null ? {} : { headers: { authorization } });
  const { yolo, ownPorts, userAgent } = settings;
  const context = { catalog, yolo, ownPorts, disabled: new Set<string>() };

  const target = readTarget(request);
  const { decision } = await admit(context, policy, target, request);
  if (!decision.allowed) throw new Error(decision.denial.code);
  const scrubber = createScrubber(state.scrubbed);
  const headers = buildHeaders(request.headers, userAgent, { dropRanges: scrubber !== null });
  const own = decision.grants.flatMap(({ credentials }) =>
    credentials.map((credential) => ({ credential, value: state.valueOf(credential.name) })),
  );
  const bytes = new TextEncoder().encode(body);
  const sent = new Set<string>();
  const respond = (): Response =>
    new Response(bytes, { headers: { "content-type": "application/json", "content-length": String(bytes.length) } });

  return {
    "policy: read the target": () => readTarget(request),
    "policy: decide": () => admit(context, policy, target, request),
    "policy: find the scrubber": () => createScrubber(state.scrubbed),
    "redact (nothing to redact), headers": () =>
      buildHeaders(request.headers, userAgent, { dropRanges: scrubber !== null }),
    inject: () =>
      inject(
        { url: target.url, headers, body: null, method: target.method, contentLength: null },
        own,
        state.reachableNames(policy),
      ),
    sanitize: async () => {
      const sanitized = await sanitize(respond(), {
        method: "GET",
        scrubber,
        sent,
        onNames: () => {},
        pass: (all) => all,
      });
      if (!sanitized.ok) throw new Error(sanitized.reason);
      await annotate(sanitized.response, [], []).arrayBuffer();
    },
    "(of it: the test's own response)": () => respond().arrayBuffer(),
  };
}

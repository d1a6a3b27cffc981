/**
 * The Worker `codeforge-outbound-proxy`: the only holder of secrets, without a public route. Every request of a run goes
 * through five steps: redact → policy → inject → fetch → sanitize. The pure ones live in files of their own; this one
 * is the shell that touches `fetch`, the bindings and the clock.
 */
import { WorkerEntrypoint } from "cloudflare:workers";

import { RunId, RunPolicy, type ClosedRun, type OpenedRun, type RunObserver } from "../src/contract/run.ts";
import type { ForwarderService, OutboundProxyService, ProxyDescription, SwitchKind } from "../src/contract/services.ts";
import { VERSION } from "../src/contract/version.ts";
import { toDenialResponse } from "./denial.ts";
import type { Env } from "./env.ts";
import { forward } from "./forward.ts";
import { LIMITS, type Limits } from "./limits.ts";
import { readPolicy } from "./policies.ts";
import { loadState } from "./state.ts";
import { readSwitches, setSwitch } from "./switches.ts";

export { Run } from "./run.ts";
export { SelfTest } from "./self-test.ts";
export { Switches } from "./switches.ts";

/** What the server calls: runs are opened and closed above the sandbox. */
export class OutboundProxy extends WorkerEntrypoint<Env> implements OutboundProxyService {
  async open(runId: string, policy: RunPolicy, observer: RunObserver | null): Promise<OpenedRun> {
    const state = loadState(this.env);
    const parsed = RunPolicy.parse(policy);
    await this.env.RUNS.getByName(RunId.parse(runId)).open(parsed, observer);
    return { credentials: state.reachableNames(parsed), debug: state.settings.debug };
  }

  hold(runId: string): Promise<void> {
    return this.env.RUNS.getByName(RunId.parse(runId)).hold();
  }

  close(runId: string): Promise<ClosedRun> {
    return this.env.RUNS.getByName(RunId.parse(runId)).close();
  }

  async describe(): Promise<ProxyDescription> {
    const { api } = await readSwitches(this.env);
    return { ...loadState(this.env).description, disabled: [...api].sort(), version: VERSION };
  }

  setSwitch(kind: SwitchKind, id: string, isOff: boolean): Promise<void> {
    return setSwitch(this.env, kind, id, isOff);
  }
}

/**
 * What the sandbox Worker calls, and all that it can: a request, in the name of a run. Were it taken over, it could not
 * open a run with rights of its own choice.
 */
export class Forwarder extends WorkerEntrypoint<Env> implements ForwarderService {
  protected readonly limits: Limits = LIMITS;

  async forward(request: Request, runId: string): Promise<Response> {
    if (!RunId.safeParse(runId).success) return toDenialResponse({ code: "run_closed" });
    const { RUNS, PUBLIC_NETWORK: publicNetwork } = this.env;
    const state = loadState(this.env);
    const { ctx, limits } = this;
    const run = RUNS.getByName(runId);
    const context = { state, run, runId, ctx, publicNetwork, limits };
    return forward(request, {
      ...context,
      readPolicy: () => readPolicy(runId, run),
      readSwitches: () => readSwitches(this.env),
    });
  }
}

/** Nothing is served over HTTP. */
export default {
  fetch: (): Response => new Response("Not found", { status: 404 }),
};

/**
 * The self-test of the proxy where it really runs: two requests go through the five steps, with a catalog and a value
 * made up for the occasion and an upstream that is a function of this file. Nothing leaves, and no real value is read.
 * Bound to the server alone; the sandbox has no way here.
 */
import { WorkerEntrypoint } from "cloudflare:workers";

import { buildCatalog } from "../src/contract/catalog.ts";
import type { SelfTestReport, SelfTestService } from "../src/contract/self-test.ts";
import type { Env } from "./env.ts";
import { forward } from "./forward.ts";
import { LIMITS } from "./limits.ts";
import type { Network } from "./network.ts";
import { createState } from "./state.ts";

const HOST = "self-test.codeforge.invalid";
const NAME = "SELF_TEST_CANARY";
const CONFIG = { description: "Answered by the proxy itself", domains: [HOST], credentials: [NAME] };

export class SelfTest extends WorkerEntrypoint<Env> implements SelfTestService {
  async check(): Promise<SelfTestReport> {
    const canary = `canary-${crypto.randomUUID()}`;
    const built = buildCatalog([{ name: "self-test", config: CONFIG }]);
    if (!built.ok) throw new Error("the self-test's own catalog is not valid");
    const state = createState(built.catalog, { [NAME]: canary });
    const received: string[] = [];
    // Says back what it was sent, as a careless upstream would.
    const echo: Network = {
      fetch: async (_, init) => {
        const authorization = new Headers(init.headers).get("authorization") ?? "";
        received.push(authorization);
        return Response.json({ authorization }, { headers: { "x-echo": authorization } });
      },
      connect: () => {
        throw new Error("the self-test connects to nothing");
      },
    };
    const runId = crypto.randomUUID();
    const run = this.env.RUNS.getByName(runId);
    const policy = { principal: "self-test", apis: null, readOnly: true, limits: { maxRequests: 2 } };
    await run.open(policy, { onRequest: () => {} });
    try {
      const send = (url: string): Promise<Response> => {
        const request = new Request(url, { headers: { authorization: `Bearer ${NAME}` } });
        const readSwitches = async () => ({ api: new Set<string>(), token: new Set<string>() });
        const context = { state, run, runId, ctx: this.ctx, publicNetwork: echo, limits: LIMITS };
        return forward(request, { ...context, readPolicy: async () => ({ ok: true, policy }), readSwitches });
      };
      const refused = await send("https://denied.codeforge.invalid/");
      await refused.body?.cancel();
      const denied = refused.status === 403 && received.length === 0;

      const answer = await send(`https://${HOST}/`);
      const shown = `${answer.headers.get("x-echo")} ${await answer.text()}`;
      return {
        denied,
        injected: received.length === 1 && received[0] === `Bearer ${canary}`,
        hidden: answer.status === 200 && !shown.includes(canary) && shown.split(NAME).length === 3,
      };
    } finally {
      await run.close();
    }
  }
}

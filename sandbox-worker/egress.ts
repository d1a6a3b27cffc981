/** The only way out of an isolate: adds the run's id, which the code can neither see nor change. */
import { WorkerEntrypoint } from "cloudflare:workers";

import type { ForwarderService } from "../src/contract/services.ts";
import { MAX_UNANSWERED, SurgeGuard } from "./surge.ts";

export interface EgressEnv {
  readonly OUTBOUND_PROXY: ForwarderService;
}

export interface EgressProps {
  readonly runId: string;
}

/** Counts, and nothing that could be waited for. */
const surge = new SurgeGuard();

export class Egress extends WorkerEntrypoint<EgressEnv, EgressProps> {
  override async fetch(request: Request): Promise<Response> {
    const { runId } = this.ctx.props;
    const answered = surge.enter(runId, Date.now());
    if (answered === null) return tooMany();
    try {
      return await this.env.OUTBOUND_PROXY.forward(request, runId);
    } finally {
      answered();
    }
  }
}

function tooMany(): Response {
  const message = `more than ${MAX_UNANSWERED} requests at once: await some of them before the next`;
  return Response.json({ error: { code: "too_many_at_once", message } }, { status: 429 });
}

/**
 * The sandbox's Worker with a front door, for measurements only. Behind it the product's own `runBlock` runs without
 * the server and the proxy, and the executor of `@cloudflare/codemode` runs beside it, in the same process.
 */
import { DynamicWorkerExecutor } from "@cloudflare/codemode";
import { WorkerEntrypoint } from "cloudflare:workers";

import { runBlock } from "../../../sandbox-worker/run.ts";

export { Egress, Sandbox } from "../../../sandbox-worker/index.ts";

interface Env {
  readonly LOADER: WorkerLoader;
  /** `Passing` of the proxy's measured Worker. */
  readonly PASSING: { forward(request: Request): Promise<Response> };
}

interface Exports {
  readonly Open: Fetcher;
  readonly Passage: Fetcher;
  Egress(options: { readonly props: { readonly runId: string } }): Fetcher;
}

const TIMEOUT_MS = 300_000;

/** A way out that does nothing but fetch. */
export class Open extends WorkerEntrypoint {
  override fetch(request: Request): Promise<Response> {
    return fetch(request);
  }
}

/** The way out that the product takes, to a proxy that does nothing but fetch. */
export class Passage extends WorkerEntrypoint<Env> {
  override fetch(request: Request): Promise<Response> {
    return this.env.PASSING.forward(request);
  }
}

export default {
  /**
   * `POST /<executor>` with a block as the body answers what came of it. `codemode` and `service` send through `Open`,
   * `guarded` does and has the loop guard that `wrangler dev` has; `proxied?<id>` sends through the product's `Egress`, as
   * the run of that id; in `inherit` the isolate has the network of this Worker, so that nothing stands between it and
   * the upstream.
   */
  async fetch(request, { LOADER: loader }, ctx) {
    const code = await request.text();
    const { Open: open, Passage: passing, Egress: egress } = ctx.exports as unknown as Exports;
    const { pathname, search } = new URL(request.url);
    switch (pathname) {
      case "/codemode": {
        const executor = new DynamicWorkerExecutor({ loader, globalOutbound: open, timeout: TIMEOUT_MS });
        return Response.json(await executor.execute(`async () => {\n${code}\n}`, []));
      }
      case "/passing":
        return Response.json(await runAlone(code, loader, passing));
      case "/proxied":
        return Response.json(await runAlone(code, loader, egress({ props: { runId: search.slice(1) } })));
      case "/service":
        return Response.json(await runAlone(code, loader, open));
      case "/guarded":
        return Response.json(await runAlone(code, loader, open, true));
      case "/inherit":
        // To the loader `undefined` means the network of this Worker, which the product never gives to code.
        return Response.json(await runAlone(code, loader, undefined as unknown as Fetcher));
      default:
        return new Response("Not found", { status: 404 });
    }
  },
} satisfies ExportedHandler<Env>;

async function runAlone(code: string, loader: WorkerLoader, outbound: Fetcher, isGuarded = false): Promise<unknown> {
  const ended = Promise.withResolvers<void>();
  const control = {
    begun: () => {},
    ended: () => ended.promise,
    onLogs: () => {},
    onProgress: () => {},
    modules: async () => [],
    call: async () => "",
  };
  try {
    const run = { runId: crypto.randomUUID(), code, timeoutMs: TIMEOUT_MS, credentials: [], debug: false };
    return await runBlock(run, { control, loader, outbound, isGuarded });
  } finally {
    ended.resolve();
  }
}

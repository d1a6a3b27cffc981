/**
 * The sandbox Worker: runs one block of code in an isolate of its own and says how it ended. It is stateless, knows a
 * run's id and nothing of its policy, and holds no secret. Everything the code sends leaves through the proxy.
 */
import { WorkerEntrypoint } from "cloudflare:workers";

import { formatLog } from "../src/contract/log.ts";
import type { CheckRequest, CompileIssue, ModuleSource } from "../src/contract/modules.ts";
import type { Outcome } from "../src/contract/outcome.ts";
import type { RunControl, SandboxRun } from "../src/contract/run.ts";
import type { SandboxDescription, SandboxService } from "../src/contract/services.ts";
import { VERSION } from "../src/contract/version.ts";
import { findProblems, loadFrom } from "./compile/link.ts";
import type { EgressEnv, EgressProps } from "./egress.ts";
import { runBlock } from "./run.ts";

export { Egress } from "./egress.ts";

interface Env extends EgressEnv {
  readonly LOADER: WorkerLoader;
  /**
   * `off` where something else ends a block that never yields, a supervisor or the platform. Where nothing is said,
   * the loops and functions of the code ask for the time themselves.
   */
  readonly LOOP_GUARD?: string;
}

/** What the server calls. */
export class Sandbox extends WorkerEntrypoint<Env> implements SandboxService {
  /** Runs one block. Never throws: whatever the code does, the answer is an outcome. */
  async run(request: SandboxRun, control: RunControl): Promise<Outcome> {
    const { runId } = request;
    const startedMs = Date.now();
    console.log(formatLog(startedMs, "sandbox", "create", { run: runId }));
    if (request.debug) console.log(formatLog(startedMs, "debug", "code", { run: runId, code: request.code }));
    const { LOADER: loader, LOOP_GUARD: guard } = this.env;
    const parts = { control, loader, outbound: this.#egress(runId), isGuarded: guard !== "off" };
    const outcome = await runBlock(request, parts);
    const endedMs = Date.now();
    const fields = { run: runId, kind: outcome.kind, ms: endedMs - startedMs };
    console.log(formatLog(endedMs, "sandbox", "done", fields));
    return outcome;
  }

  /** Says what does not compile of a skill's files. Nothing of it runs. */
  async check({ main, files }: CheckRequest, source: ModuleSource): Promise<CompileIssue[]> {
    const others = Object.entries(files).flatMap(([id, code]) => (id === main ? [] : [{ id, code }]));
    const options = { file: main, load: loadFrom(source), isGuarded: false };
    const problems = await findProblems(files[main] ?? "", others, options);
    return problems.map(({ message, position }) => ({
      file: position?.file ?? main,
      line: position?.line,
      message: position === null ? message : `${message}\n${position.frame}`,
    }));
  }

  async describe(): Promise<SandboxDescription> {
    return { version: VERSION };
  }

  #egress(runId: string): Fetcher {
    // The generated type of `ctx.exports` is per project and this project has three Workers; this is the one place that says it.
    const exports = this.ctx.exports as unknown as { Egress(options: { props: EgressProps }): Fetcher };
    return exports.Egress({ props: { runId } });
  }
}

/** This Worker has no public address; should it ever be given one, nothing is there. */
export default {
  fetch: () => new Response("Not found", { status: 404 }),
} satisfies ExportedHandler<Env>;

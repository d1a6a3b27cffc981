/**
 * The real sandbox Worker in a real workerd, with a small Worker that calls it and a double for the proxy. The Worker
 * is bundled by wrangler from its own `wrangler.toml`, so what is tested is what is deployed.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

import { convertV4MiniflareOptions, Miniflare } from "miniflare";

import { readWorker } from "../../src/cli/local/worker.ts";
import { openProject } from "../../src/cli/project.ts";
import { Outcome } from "../../src/contract/outcome.ts";
import type { LogLine } from "../../src/contract/run.ts";
import { startUpstream, type Upstream } from "./sandbox-upstream.ts";

/** What the caller saw of one run. `logs` came through `onLogs` while it ran; `seen` is what the proxy was asked for. */
export interface Seen {
  readonly outcome: Outcome;
  readonly logs: readonly LogLine[];
  readonly progress: readonly string[];
  readonly seen: readonly string[];
  /** How many of those came after the run had ended. */
  readonly after: number;
  readonly runId: string;
  readonly ms: number;
}

export interface RunOptions {
  readonly timeoutMs?: number;
  readonly credentials?: readonly string[];
  readonly debug?: boolean;
  /** Milliseconds after which the owner ends the run. */
  readonly endAfterMs?: number;
  /** How long the caller waits, after the run, for requests that should not come. */
  readonly lingerMs?: number;
}

export interface SandboxHost {
  run(code: string, options?: RunOptions): Promise<Seen>;
  /** What the Worker answers to a plain request. */
  fetch(url: string): Promise<number>;
  /** Everything the Workers wrote to their console. */
  readonly console: readonly string[];
  dispose(): Promise<void>;
}

/** Starts the Workers; `dispose` ends them. */
export async function startSandbox(): Promise<SandboxHost> {
  const lines: string[] = [];
  const mf = new Miniflare({
    ...convertV4MiniflareOptions({
      workers: [
        {
          name: "caller",
          modules: true,
          script: readFileSync(join(import.meta.dirname, "sandbox-caller.js"), "utf8"),
          compatibilityDate: "2026-11-01",
          serviceBindings: { SANDBOX: { name: "codeforge-sandbox", entrypoint: "Sandbox" } },
          durableObjects: { NOTES: "Notes" },
        },
        await readWorker(openProject(), { key: "sandbox" }),
        {
          name: "codeforge-outbound-proxy",
          modules: true,
          script: readFileSync(join(import.meta.dirname, "sandbox-proxy-double.js"), "utf8"),
          compatibilityDate: "2026-11-01",
          durableObjects: { NOTES: { className: "Notes", scriptName: "caller" } },
        },
      ],
    }),
    handleStructuredLogs: ({ message }) => lines.push(message),
  });
  await mf.ready;

  return {
    console: lines,
    run: async (code, options = {}) => {
      const response = await mf.dispatchFetch("http://caller/", {
        method: "POST",
        body: JSON.stringify({ code, ...options }),
      });
      const answer = (await response.json()) as Seen;
      return { ...answer, outcome: Outcome.parse(answer.outcome) };
    },
    fetch: async (url) => (await (await mf.getWorker("codeforge-sandbox")).fetch(url)).status,
    dispose: () => mf.dispose(),
  };
}

/** The same with an upstream beside it: in the code, `UPSTREAM` stands for its address. */
export async function startSandboxWithUpstream(): Promise<SandboxHost & { readonly upstream: Upstream }> {
  const [upstream, host] = await Promise.all([startUpstream(), startSandbox()]);
  return {
    ...host,
    upstream,
    run: (code, options) => host.run(code.replaceAll("UPSTREAM", upstream.url), options),
    dispose: async () => {
      await host.dispose();
      upstream.close();
    },
  };
}

/** What a block returned, whether it was JSON or a text; null when it returned nothing. */
export function toText(outcome: Outcome): string | null {
  const value = outcome.kind === "completed" ? outcome.value : null;
  if (value === null) return null;
  return "json" in value ? value.json : value.text;
}

/**
 * The two shapes in which sandbox and proxy run: in one process, as on the platform and under `wrangler dev`, and in
 * two, as `npm start` has them. Both have the measured Workers of `bench/workers` in them.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";

import { convertV4MiniflareOptions, Log, LogLevel, Miniflare, type V4WorkerOptions } from "miniflare";

import type { ApiConfigInput } from "../../src/contract/config.ts";
import { callDirectly, listenDirectly } from "../../src/cli/local/direct.ts";
import { freePort } from "../../src/cli/local/ports.ts";
import { readWorker } from "../../src/cli/local/worker.ts";
import { openProject } from "../../src/cli/project.ts";
import { startTestStack } from "../../test/helpers/stack.ts";
import { postBlock, type RunBlock } from "../helpers/setup.ts";

const PROXY = "codeforge-outbound-proxy";
const ENTRIES = { sandbox: "bench/workers/sandbox/index.ts", proxy: "bench/workers/proxy/index.ts" } as const;

/** What the runs of both may reach, and the values. */
export interface ShapeOptions {
  readonly apis: Readonly<Record<string, ApiConfigInput>>;
  readonly vars: Readonly<Record<string, string>>;
}

export interface Shape {
  readonly name: string;
  /** Runs blocks in the network of the sandbox's Worker: nothing is in between. */
  readonly direct: RunBlock;
  /** Runs blocks that send the product's way, to a proxy that only fetches. */
  readonly passing: RunBlock;
  /** Runs blocks as runs that may reach one API; each call is a run of its own. */
  proxied(api: string): RunBlock;
  /** The front door of the proxy's measured Worker. */
  readonly proxy: Door;
}

type Door = Awaited<ReturnType<Miniflare["getWorker"]>>;

/** Both shapes, and what ends them. */
export async function startShapes(options: ShapeOptions): Promise<{ shapes: readonly Shape[]; stop(): Promise<void> }> {
  const port = await freePort("127.0.0.1");
  const stack = await startTestStack({
    ...options,
    connect: false,
    entries: ENTRIES,
    adjust: (key, worker) => {
      if (key === "sandbox") return callDirectly(worker, "PASSING", port);
      return key === "proxy" ? listenDirectly(worker, "Passing", port) : worker;
    },
  });
  const project = openProject({ apis: join(stack.dir, "apis"), out: join(stack.dir, "dist") });
  const [sandbox, proxy] = await Promise.all([
    readWorker(project, { key: "sandbox", entry: ENTRIES.sandbox }),
    readWorker(project, { key: "proxy", entry: ENTRIES.proxy }),
  ]);
  const PASSING = { name: PROXY, entrypoint: "Passing" };
  const workers = [
    // The loops of a block do not ask for the time on the platform either.
    { ...sandbox, bindings: { LOOP_GUARD: "off" }, serviceBindings: { ...sandbox.serviceBindings, PASSING } },
    { ...proxy, bindings: options.vars, unsafeEphemeralDurableObjects: true },
  ] as V4WorkerOptions[];
  const log = new Log(LogLevel.ERROR);
  const one = new Miniflare(
    convertV4MiniflareOptions({
      workers,
      host: "127.0.0.1",
      port: 0,
      log,
      logRequests: false,
      telemetry: { enabled: false },
      cf: false,
      handleStructuredLogs: () => {},
    }),
  );
  const shapes = [
    createShape("one process, as on the platform", await one.ready, await one.getWorker(PROXY)),
    createShape(
      "two processes, as npm start has",
      await stack.stack.sandbox.ready,
      await stack.stack.server.getWorker(PROXY),
    ),
  ];
  return { shapes, stop: async () => void (await Promise.all([one.dispose(), stack.stop()])) };
}

function createShape(name: string, sandbox: URL, proxy: Door): Shape {
  return {
    name,
    direct: postBlock(sandbox, "inherit"),
    passing: postBlock(sandbox, "passing"),
    proxied: (api) => async (code) => {
      const id = randomUUID();
      const opened = await proxy.fetch(`http://proxy/${id}?${api}`, { method: "PUT" });
      if (!opened.ok) throw new Error(`the run was not opened: ${await opened.text()}`);
      return postBlock(sandbox, `proxied?${id}`)(code);
    },
    proxy,
  };
}

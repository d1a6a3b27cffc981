/**
 * The whole product on loopback: server and proxy in one workerd, the sandbox in another, joined by a private dev
 * registry. The `wrangler.toml` files stay the only source of configuration; what is added here is what only a local
 * runner may add: ports, local values, the permission to run open.
 */
import { chmod, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";

import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type MiniflareOptions,
  type V4WorkerOptions,
} from "miniflare";

import { formatLog } from "../../contract/log.ts";
import { readSettings } from "../../contract/settings.ts";
import { build } from "../commands/build.ts";
import type { Project } from "../project.ts";
import type { WorkerKey } from "./bundle.ts";
import { callDirectly, listenDirectly } from "./direct.ts";
import { holdRuntimes } from "./lifeline.ts";
import { publicNetwork } from "./public-network.ts";
import { freePort, isLoopback } from "./ports.ts";
import { splitSwitches } from "./switches.ts";
import { SupervisedProcess, type SupervisedOptions } from "./supervised.ts";
import { readWorker } from "./worker.ts";

/** For all runs at once; on the platform each has 128 MB. */
const SANDBOX_MEMORY_BYTES = 2 * 1024 ** 3;

export interface StackOptions {
  readonly project: Project;
  /** 0 picks a free port. */
  readonly port: number;
  /** The address to listen on. Anything but loopback needs `adminToken`. */
  readonly host: string;
  readonly adminToken?: string | undefined;
  /** The server's settings, by name; see `src/contract/settings.ts`. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Reads the proxy's variables and secrets, by name; called again at each reload. */
  readonly readVars: () => Readonly<Record<string, string>>;
  /** Further ports of this server that no block may reach. */
  readonly ownPorts?: readonly number[];
  /** Takes each line that a Worker writes. */
  readonly onLog: (line: string) => void;
  /** Other main files of Workers than their `wrangler.toml` names: for tests, which add to the real ones. */
  readonly entries?: Partial<Record<WorkerKey, string>> | undefined;
  /** Changes a Worker's options before it starts: for tests, which put a hostile upstream in the place of the internet. */
  readonly adjust?: (key: WorkerKey, worker: V4WorkerOptions) => V4WorkerOptions;
}

/** A running stack. */
export interface Stack {
  /** The MCP endpoint. */
  readonly url: URL;
  readonly server: Miniflare;
  readonly sandbox: SupervisedProcess;
  /** Takes up changes to `apis/`, values and code, with stored data kept. Rejects, and goes on as it was, if they are bad. */
  reload(): Promise<void>;
  /** Ends every process that was started. */
  stop(): Promise<void>;
}

interface ProcessOptions {
  readonly server: MiniflareOptions;
  readonly sandbox: SupervisedOptions;
}

/** Builds, bundles and starts everything; resolves when the first request can be served. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const lifeline = holdRuntimes(options.project.data);
  try {
    const runtimes = await startRuntimes(options);
    const stop = async (): Promise<void> => {
      await runtimes.stop();
      lifeline.release();
    };
    return { ...runtimes, stop };
  } catch (error) {
    lifeline.release();
    throw error;
  }
}

async function startRuntimes(options: StackOptions): Promise<Stack> {
  const registry = join(options.project.data, "registry");
  await rm(registry, { recursive: true, force: true });
  await mkdir(registry, { recursive: true });
  // The registry names debug ports that ask for no password.
  await chmod(registry, 0o700);

  const port = options.port === 0 ? await freePort(options.host) : options.port;
  const supervisor = (): Promise<Response> => sandbox.check().then((isReplaced) => Response.json({ isReplaced }));
  const place = { port, forwarderPort: await freePort("127.0.0.1"), registry, supervisor };
  const configured = await configure(options, place);
  const sandbox = new SupervisedProcess(configured.sandbox, (reason) =>
    options.onLog(formatLog(Date.now(), "sandbox", "replaced", { reason })),
  );
  const server = new Miniflare(configured.server);
  const stop = async (): Promise<void> => {
    await Promise.all([server.dispose(), sandbox.dispose()]);
  };
  try {
    await sandbox.ready;
    const url = new URL("/mcp", await server.unsafeGetDirectURL());
    const reload = async (): Promise<void> => {
      const next = await configure(options, place);
      await sandbox.setOptions(next.sandbox);
      await server.setOptions(next.server);
    };
    return { url, server, sandbox, reload, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What stays the same while the stack runs. */
interface Place {
  readonly port: number;
  /** Where the proxy takes the requests of the sandbox, on loopback. */
  readonly forwarderPort: number;
  readonly registry: string;
  /** Answers the server, which asks when the sandbox does not: `{ isReplaced }`. */
  readonly supervisor: () => Promise<Response>;
}

async function configure(options: StackOptions, place: Place): Promise<ProcessOptions> {
  const { port, forwarderPort, registry, supervisor } = place;
  const { project, adminToken, entries = {}, adjust = (_, worker) => worker } = options;
  await build(project);
  const read = async (
    key: WorkerKey,
    bindings: Record<string, string>,
    extra: Partial<V4WorkerOptions> = {},
  ): Promise<V4WorkerOptions> => {
    const worker = await readWorker(project, { key, entry: entries[key] });
    const merged = {
      bindings: { ...worker.bindings, ...bindings },
      serviceBindings: { ...worker.serviceBindings, ...extra.serviceBindings },
    };
    return adjust(key, { ...worker, ...extra, ...merged } as V4WorkerOptions);
  };
  const [server, proxy, sandbox] = await Promise.all([
    read(
      "server",
      {
        ...options.settings,
        // On loopback it may run open; beyond, a token is demanded, and nobody vouches for a client's address.
        LOCAL_RUNNER: isLoopback(options.host) ? "loopback" : "network",
        ...(adminToken === undefined ? {} : { ADMIN_TOKEN: adminToken }),
      },
      {
        serviceBindings: { SUPERVISOR: supervisor },
        // The port is the Worker's alone. In front of it, the runtime would serve conveniences of its own, such as every
        // object of the bucket, and ask nobody for a token.
        unsafeDirectSockets: [{ host: options.host, port }],
      },
    ),
    read(
      "proxy",
      { ...options.readVars(), OWN_PORTS: [port, forwarderPort, ...(options.ownPorts ?? [])].join(",") },
      { serviceBindings: publicNetwork() },
    ),
    // What supervises the process ends a block that never yields; nothing need be added to the code.
    read("sandbox", { LOOP_GUARD: "off" }),
  ]);
  const shared = {
    unsafeDevRegistryPath: registry,
    log: new Log(LogLevel.ERROR),
    logRequests: false,
    telemetry: { enabled: false },
    cf: false as const,
    handleStructuredLogs: ({ message }: { message: string }) => options.onLog(message),
  };
  return {
    sandbox: {
      runtime: convertV4MiniflareOptions({
        ...shared,
        workers: [callDirectly(sandbox, "OUTBOUND_PROXY", forwarderPort)],
        host: "127.0.0.1",
        port: 0,
      }),
      cpuLimitMs: readSettings(options.settings ?? {}).settings.CPU_LIMIT_MS,
      memoryLimitBytes: SANDBOX_MEMORY_BYTES,
    },
    server: convertV4MiniflareOptions({
      ...shared,
      // A run ends with this process at the latest. On a disk, each of its requests would wait for several writes.
      workers: [server, ...splitSwitches(listenDirectly(proxy, "Forwarder", forwarderPort))],
      host: "127.0.0.1",
      port: 0,
      resourcePersistencePath: join(project.data, "storage"),
    }),
  };
}

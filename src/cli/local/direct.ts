/**
 * The way of a block's requests from the sandbox's process to the proxy's. By the registry each of them would open a
 * connection of its own, which costs more than all that the proxy does; so the two share one that stays open.
 */
import type { V4WorkerOptions } from "miniflare";

const HOST = "127.0.0.1";

/** A Worker that takes calls of one of its entrypoints on a port of loopback. */
export function listenDirectly(worker: V4WorkerOptions, entrypoint: string, port: number): V4WorkerOptions {
  const sockets = [...(worker.unsafeDirectSockets ?? []), { host: HOST, port, entrypoint }];
  return { ...worker, unsafeDirectSockets: sockets };
}

/** A Worker whose binding leads to what listens there. */
export function callDirectly(worker: V4WorkerOptions, binding: string, port: number): V4WorkerOptions {
  const bound = { [binding]: { external: { address: `${HOST}:${port}`, http: {} } } };
  return { ...worker, serviceBindings: { ...worker.serviceBindings, ...bound } };
}

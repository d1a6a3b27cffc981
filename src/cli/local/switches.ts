/**
 * The kill switch's storage on this machine. The proxy's objects live in memory here, as runs end with their process;
 * what was switched off must not come back with the next one. So the `Switches` object gets a host of its own.
 */
import type { V4WorkerOptions } from "miniflare";

/** The proxy without its `Switches`, and a Worker of the same code, without a value, that has them on the disk. */
export function splitSwitches(proxy: V4WorkerOptions): readonly [proxy: V4WorkerOptions, switches: V4WorkerOptions] {
  const name = `${proxy.name}-switches`;
  const own = { className: "Switches", useSQLite: true } as const;
  const SWITCHES = { ...own, scriptName: name };
  return [
    { ...proxy, unsafeEphemeralDurableObjects: true, durableObjects: { ...proxy.durableObjects, SWITCHES } },
    { ...proxy, name, bindings: {}, serviceBindings: {}, unsafeDirectSockets: [], durableObjects: { SWITCHES: own } },
  ];
}

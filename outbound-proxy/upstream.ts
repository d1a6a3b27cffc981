/**
 * Why an upstream did not answer. The runtime tells a connection that was lost from an error of its own, and says no
 * more; one attempt to open a plain connection tells the rest. Its texts are read here and go nowhere else.
 */
import { portOf } from "../src/contract/domains.ts";

/** Upstream failures, a closed set; a runtime's own text is never passed on. */
export const UPSTREAM_CAUSES = ["dns", "refused", "tls", "timeout", "reset", "protocol"] as const;
export type UpstreamCause = (typeof UPSTREAM_CAUSES)[number];

/** How long the attempt may take, in milliseconds. */
const PROBE_TIMEOUT_MS = 1_000;

/** Opens plain connections. */
export interface Dialer {
  connect(address: { readonly hostname: string; readonly port: number }): {
    readonly opened: Promise<unknown>;
    close(): Promise<void>;
  };
}

/** What became of the attempt. */
type Probe = "open" | "closed" | "silent";

/** Names the cause of a failed `fetch(url)`. */
export async function classifyFailure(error: unknown, url: URL, network: Dialer): Promise<UpstreamCause> {
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout";
  const isLost = error instanceof Error && /connection (?:lost|reset|closed)|disconnected/i.test(error.message);
  const probed = await probe(url, network);
  if (probed === "silent") return "timeout";
  if (probed === "closed") return isLost ? "refused" : "dns";
  if (isLost) return "reset";
  return url.protocol === "https:" ? "tls" : "protocol";
}

async function probe(url: URL, network: Dialer): Promise<Probe> {
  const { promise: silent, resolve } = Promise.withResolvers<Probe>();
  const timer = setTimeout(() => resolve("silent"), PROBE_TIMEOUT_MS);
  const socket = network.connect({ hostname: url.hostname, port: portOf(url) });
  const opened = socket.opened.then(
    (): Probe => "open",
    (): Probe => "closed",
  );
  try {
    return await Promise.race([opened, silent]);
  } finally {
    clearTimeout(timer);
    socket.close().catch(() => {});
  }
}

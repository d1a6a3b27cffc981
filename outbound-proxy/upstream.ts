/**
 * Why an upstream did not answer. The runtime tells a connection that was lost from an error of its own, and says no
 * more; one attempt to open a plain connection tells the rest. Its texts are read here and go nowhere else.
 */
import type { UpstreamCause } from "./denial.ts";
import type { Network } from "./network.ts";

/** How long the attempt may take, in milliseconds. */
const PROBE_TIMEOUT_MS = 1_000;

/** Names the cause of a failed `fetch(url)`. */
export async function classifyFailure(error: unknown, url: URL, network: Network): Promise<UpstreamCause> {
  if (error instanceof DOMException && error.name === "TimeoutError") return "timeout";
  const isLost = error instanceof Error && /connection (?:lost|reset|closed)|disconnected/i.test(error.message);
  const isReachable = await probe(url, network);
  if (isLost) return isReachable ? "reset" : "refused";
  if (!isReachable) return "dns";
  return url.protocol === "https:" ? "tls" : "protocol";
}

async function probe(url: URL, network: Network): Promise<boolean> {
  const port = url.port === "" ? (url.protocol === "https:" ? 443 : 80) : Number(url.port);
  const socket = network.connect({ hostname: url.hostname, port });
  const { promise: expired, resolve } = Promise.withResolvers<false>();
  const timer = setTimeout(() => resolve(false), PROBE_TIMEOUT_MS);
  const opened = socket.opened.then(
    () => true,
    () => false,
  );
  try {
    return await Promise.race([opened, expired]);
  } finally {
    clearTimeout(timer);
    socket.close().catch(() => {});
  }
}

/**
 * The network on which the local proxy asks public hosts. The runtime looks at the address that a name has resolved to
 * when it connects, which is the only moment at which that can be checked.
 */
import { getCACertificates } from "node:tls";

import type { V4WorkerOptions } from "miniflare";

/** The binding for the proxy. What `NODE_EXTRA_CA_CERTS` trusts is trusted, as by the runtime's own network. */
export function publicNetwork(): NonNullable<V4WorkerOptions["serviceBindings"]> {
  const tlsOptions = { trustBrowserCas: true, trustedCertificates: getCACertificates("extra") };
  return { PUBLIC_NETWORK: { network: { allow: ["public"], tlsOptions } } };
}

/**
 * Which network a host is asked on. On the platform there is one, and private addresses are not on it. The local runner
 * gives another one for public hosts, which looks at the address that a connection is really made to: a public name
 * that resolves to a private address leads nowhere.
 */
import { connect } from "cloudflare:sockets";

import { isPrivateHost } from "../src/contract/addresses.ts";
import type { Dialer } from "./upstream.ts";

/** What a request is sent through, and what finds out why it failed. */
export interface Network extends Dialer {
  fetch(url: string, init: RequestInit): Promise<Response>;
}

const OWN: Network = { fetch: (url, init) => fetch(url, init), connect: (address) => connect(address) };

/** The network for a host that policy has let out; a private host is one that a config writes out. */
export function chooseNetwork(publicNetwork: Network | undefined, host: string): Network {
  return isPrivateHost(host) ? OWN : (publicNetwork ?? OWN);
}

/** The bindings of `codeforge-outbound-proxy`. Credentials' values are further string members, under their names. */
import type { Run } from "./run.ts";
import type { Switches } from "./switches.ts";

export interface Env {
  readonly RUNS: DurableObjectNamespace<Run>;
  readonly SWITCHES: DurableObjectNamespace<Switches>;
  readonly YOLO_MODE?: string;
  readonly USER_AGENT?: string;
  readonly DEBUG_MODE?: string;
  /** Secret: personal data to be redacted from what leaves. */
  readonly REDACTING_STRINGS?: string;
  /** Set by the local runner: connects to public addresses only, whatever a name resolves to. */
  readonly PUBLIC_NETWORK?: Fetcher;
  /** Set by the local runner: ports of this server itself, never to be reached from a block. */
  readonly OWN_PORTS?: string;
}

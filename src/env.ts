/** The bindings of the Worker `codeforge`. It holds no secret of any API. */
import type { Audit } from "./auth/audit.ts";
import type { Tokens } from "./auth/tokens.ts";
import type { SelfTestService } from "./contract/self-test.ts";
import type { ForwarderService, OutboundProxyService, SandboxService } from "./contract/services.ts";
import type { Forge } from "./forge.ts";

export interface Env {
  readonly FORGE: DurableObjectNamespace<Forge>;
  readonly TOKENS: DurableObjectNamespace<Tokens>;
  readonly AUDIT: DurableObjectNamespace<Audit>;
  /** Counters of the platform, by address and by principal. */
  readonly ADDRESS_LIMIT?: RateLimit;
  readonly PRINCIPAL_LIMIT?: RateLimit;
  readonly SANDBOX: SandboxService;
  readonly OUTBOUND_PROXY: OutboundProxyService;
  /** Whole results under `results/`, saved skills under `skills/`. */
  readonly STORAGE: R2Bucket;
  /** Sends a request of a run that `OUTBOUND_PROXY` opened. */
  readonly FORWARDER: ForwarderService;
  /** The static assets of this Worker: the compiled operations of APIs (`src/catalog/operations.ts`). */
  readonly OPERATIONS: Fetcher;
  /** Asks the proxy to test itself, after a deployment. */
  readonly SELF_TEST: SelfTestService;
  /** Secret: the first token, with every right. Others are made with it. */
  readonly ADMIN_TOKEN?: string;
  /**
   * Set by the local runner and by nothing else: `loopback` when only this machine can reach the server, which may then
   * run open; any other text where others can. Absent on the platform.
   */
  readonly LOCAL_RUNNER?: string;
  /** Given by the local runner: asked when the sandbox does not answer, it says whether it has replaced its process. */
  readonly SUPERVISOR?: Fetcher;
}

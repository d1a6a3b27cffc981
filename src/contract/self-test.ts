/**
 * What the proxy finds out about itself where it really runs: an entrypoint of its own, bound to the server alone, and
 * `POST /admin/self-test` in front of it. It reaches no host, and the value it looks for was made up for the occasion.
 */
import { z } from "zod";

/** The three things a deployed proxy has to do. */
export const SelfTestReport = z.object({
  /** A request to a host that no config names was refused, and nothing left. */
  denied: z.boolean(),
  /** A credential's name in a header was replaced by its value on the way out. */
  injected: z.boolean(),
  /** The value came back as its name, in a header and in the body. */
  hidden: z.boolean(),
});
export type SelfTestReport = z.infer<typeof SelfTestReport>;

/** `codeforge-outbound-proxy`, entrypoint `SelfTest`. */
export interface SelfTestService {
  check(): Promise<SelfTestReport>;
}

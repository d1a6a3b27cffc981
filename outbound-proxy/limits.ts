/**
 * How much may pass through the proxy. A body is counted as it streams, never gathered; what goes over a limit is cut
 * off, and the ledger says so.
 */

export interface Limits {
  /** Longest body of one request. */
  readonly requestBytes: number;
  /** Longest body of one response, as the code would read it: decompressed. */
  readonly responseBytes: number;
  /** What all requests and responses of one run may come to. A request that begins when this is reached is refused. */
  readonly runBytes: number;
}

/** Longest URL that leaves, in characters; Cloudflare takes no longer ones than this either. */
export const MAX_URL_LENGTH = 32 * 1024;

/**
 * How much of a host and of a path is recorded, in characters. The ledger leaves in one message, which may have 32 MiB:
 * code that could make it longer could hide what it has sent.
 */
export const MAX_RECORDED_LENGTH = 1_024;

const MIB = 1024 * 1024;

/** Services behind Cloudflare take no longer requests either. */
export const LIMITS: Limits = { requestBytes: 100 * MIB, responseBytes: 2_048 * MIB, runBytes: 4_096 * MIB };

/**
 * What a fresh isolate is made of: the harness, the user's code as a module of its own, the credential names as
 * environment, and one way out. It never gets a binding.
 */
// oxlint-disable import/default -- wrangler imports these files as text
import codeforge from "./harness/codeforge.js";
import main from "./harness/main.js";
// oxlint-enable import/default

/** Limits of the platform for one isolate; the local runtime does not enforce them. */
const LIMITS = { cpuMs: 30_000, subRequests: 1_000 };

export interface IsolateParts {
  /** The compiled code, an ES module whose default export runs it. */
  readonly code: string;
  readonly credentials: readonly string[];
  readonly outbound: Fetcher;
}

/** Describes the isolate to the loader. Each credential's name maps to itself, so `process.env.NAME` is the name. */
export function toIsolate({ code, credentials, outbound }: IsolateParts): WorkerLoaderWorkerCode {
  return {
    compatibilityDate: "2026-11-01",
    compatibilityFlags: ["nodejs_compat"],
    mainModule: "main.js",
    modules: { "main.js": main, "code.js": code, codeforge: { js: codeforge } },
    env: Object.fromEntries(credentials.map((name) => [name, name])),
    limits: LIMITS,
    globalOutbound: outbound,
  };
}

/**
 * What the three Workers say to each other about a run. Policy is opened at the proxy by the server, above the sandbox;
 * the sandbox knows a run's id and never its policy.
 */
import { z } from "zod";

import { LedgerEntry } from "./ledger.ts";
import type { ModuleSource } from "./modules.ts";

/** A run's id: 128 random bits as a UUID. Whoever holds it may send requests as the run until it is closed. */
export const RunId = z.uuid();

/** What a run may do. `apis: null` means every active API. */
export const RunPolicy = z.strictObject({
  principal: z.string().min(1),
  apis: z.array(z.string()).nullable(),
  /** APIs that its owner may hear of, in a refusal: those of the token, of which the run may have named fewer. */
  known: z.array(z.string()).nullable().optional(),
  readOnly: z.boolean(),
  limits: z.strictObject({ maxRequests: z.number().int().positive() }),
  /** The id of the token that started the run, if one did. */
  token: z.string().optional(),
});
export type RunPolicy = z.infer<typeof RunPolicy>;

/** What `OutboundProxy.open` answers: the names the run's code may write, and whether its code is to be logged. */
export interface OpenedRun {
  readonly credentials: readonly string[];
  readonly debug: boolean;
}

/** What `OutboundProxy.close` answers. A run that was opened is closed once; later requests in its name are refused. */
export const ClosedRun = z.object({ ledger: z.array(LedgerEntry) });
export type ClosedRun = z.infer<typeof ClosedRun>;

/** The callback the server gives to the proxy: one call per outbound request, for progress. */
export interface RunObserver {
  onRequest(entry: LedgerEntry): void;
}

/** The callback the server gives to the sandbox Worker. It carries no rights: nothing of the ledger or the policy. */
export interface RunControl {
  /** Called, and awaited, before the first line of code: a run of which this is not known may be run again. */
  begun(): void | Promise<void>;
  /** Settles when the run is to end, or when its outcome is known; until then upstream requests stay open. */
  ended(): Promise<void>;
  /** Logs that left the isolate while it ran, in order. */
  onLogs(lines: readonly LogLine[]): void;
  /** A line of progress from the code. */
  onProgress(text: string): void;
  /** A call of the code to what its owner offers by name, and the answer: both JSON texts. See `HostAnswer`. */
  call(name: string, argument: string): Promise<string>;
  /** Gives the saved files that the code imports; see `ModuleSource`. */
  modules: ModuleSource["modules"];
}

/** What a call of the code to its owner answers: a value, or a sentence that the code gets as an `Error`. */
export const HostAnswer = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), value: z.unknown() }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
]);
export type HostAnswer = z.infer<typeof HostAnswer>;

export const LOG_LEVELS = ["log", "info", "debug", "warn", "error", "table", "trace"] as const;

/** One console call of the user's code, rendered as text. */
export const LogLine = z.strictObject({ level: z.enum(LOG_LEVELS), text: z.string() });
export type LogLine = z.infer<typeof LogLine>;

/** What the platform enforces of a run's isolate, and the local runtime does not: processor time and requests. */
export interface IsolateLimits {
  readonly cpuMs: number;
  readonly subRequests: number;
}

/** What `Sandbox.run` takes. `credentials` are names; `timeoutMs` is 1 to 300,000. */
export interface SandboxRun {
  readonly runId: string;
  readonly code: string;
  /** The id of the file that the code is, for what a skill runs; absent for a block. */
  readonly file?: string | undefined;
  /** What it is run with: a JSON text. */
  readonly input?: string | undefined;
  /** Whether the owner takes down each request, or answers it, by the calls `http.record` and `http.replay`. */
  readonly http?: "record" | "replay" | undefined;
  readonly timeoutMs: number;
  readonly credentials: readonly string[];
  readonly debug: boolean;
  /** A server of the version before does not say; its runs have the defaults. */
  readonly limits?: IsolateLimits;
}

export const DEFAULT_TIMEOUT_MS = 30_000;
export const MAX_TIMEOUT_MS = 300_000;

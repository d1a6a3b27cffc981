/** Where a run comes from: the request of an MCP client, as far as runs know of it. */
import type { LedgerEntry } from "../contract/ledger.ts";
import type { Exchange, RecordedRequest, RecordedResponse } from "../contract/skills.ts";

/** The program that asked, by what it says of itself. */
export interface RunClient {
  /** Tells one client of a principal from another: its session, or its name. Runs take turns among these. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
}

/** What a run keeps of the request that started it. */
export interface RunContext {
  /** The tool that was called, for the history. */
  readonly tool: string;
  readonly client: RunClient;
  /** Aborted when the client cancels, or is gone. */
  readonly signal: AbortSignal;
  /** Absent when the client has not asked for progress. */
  readonly onRequest?: ((entry: LedgerEntry) => void) | undefined;
  readonly onProgress: (text: string) => void;
  /** Tells the client, on the stream of this request, that a list of the server's has changed. */
  readonly onListChanged?: (() => void) | undefined;
  /** The skills that led here, outermost first, for a run that a skill started. */
  readonly skills?: readonly string[] | undefined;
  /** Takes part in every request of the code, where it is recorded or answered from a recording. */
  readonly http?: HttpDouble | undefined;
}

/** See `src/skills/recording.ts`. */
export type HttpDouble =
  | { readonly mode: "record"; record(exchange: Exchange): void }
  | { readonly mode: "replay"; replay(request: RecordedRequest): RecordedResponse };

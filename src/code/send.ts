/**
 * One run that is a single request, from above: opened and closed at the proxy like the run of a block, with the same
 * rights, limits and ledger. It does not throw.
 */
import { RpcTarget } from "cloudflare:workers";

import type { LedgerEntry } from "../contract/ledger.ts";
import type { Env } from "../env.ts";
import type { BuiltRequest } from "../openapi/request.ts";
import { withOpenRun, type RunRights } from "./open-run.ts";
import { toPlain } from "./plain.ts";
import type { SendControl, Sender, SendOutcome } from "./sender.ts";

export interface SendInput extends RunRights {
  readonly request: BuiltRequest;
  readonly timeoutMs: number;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
}

/** What came of the request. `failed`: this server could not send it at all. */
export interface SendReport {
  readonly runId: string;
  readonly outcome: SendOutcome | { readonly kind: "failed" } | { readonly kind: "not_started" };
  readonly ledger: readonly LedgerEntry[] | null;
  readonly ms: number;
}

class Control extends RpcTarget implements SendControl {
  readonly #ended: Promise<void>;
  constructor(ended: Promise<void>) {
    super();
    this.#ended = ended;
  }
  ended(): Promise<void> {
    return this.#ended;
  }
}

/** Sends one request as a run of its own. */
export async function sendRequest(env: Env, sender: Pick<Sender, "send">, input: SendInput): Promise<SendReport> {
  const { runId, request, timeoutMs, signal } = input;
  const { outcome, ledger, ms } = await withOpenRun<SendReport["outcome"]>(env, input, async () => {
    const ended = Promise.withResolvers<void>();
    const end = (): void => ended.resolve();
    signal.addEventListener("abort", end, { once: true });
    try {
      return await toPlain(sender.send({ runId, request, timeoutMs }, new Control(ended.promise)));
    } catch {
      return { kind: "failed" };
    } finally {
      signal.removeEventListener("abort", end);
      end();
    }
  });
  return { runId, outcome: outcome ?? { kind: "not_started" }, ledger, ms };
}

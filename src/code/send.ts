/**
 * What is done in a run that is a single request of the server's own: it leaves with the same rights, limits and ledger
 * as those of a block. It does not throw.
 */
import { RpcTarget } from "cloudflare:workers";

import type { BuiltRequest } from "../openapi/request.ts";
import { aborted } from "./aborted.ts";
import type { CallingRun } from "./host-calls.ts";
import { toPlain } from "./plain.ts";
import type { Report } from "./report.ts";
import type { SendControl, Sender, SendOutcome } from "./sender.ts";

/** The entrypoint that sends, as its callers see it. */
export type SenderService = Pick<Sender, "send">;

/** What came of a request. `failed`: this server could not send it at all. */
export type SentOutcome = SendOutcome | { readonly kind: "failed" };

/** The report of a request. */
export type SendReport = Report<SentOutcome>;

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

/** Sends one request in a run that is open. It ends early when `run.signal` aborts. */
export async function sendRequest(sender: SenderService, request: BuiltRequest, run: CallingRun): Promise<SentOutcome> {
  const { runId, timeoutMs, signal } = run;
  try {
    return await toPlain(sender.send({ runId, request, timeoutMs }, new Control(aborted(signal))));
  } catch {
    return { kind: "failed" };
  }
}

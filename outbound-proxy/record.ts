/** What is told to a run's ledger of one request: first that it is about to leave, or refused; then what became of it. */
import type { LedgerEntry } from "../src/contract/ledger.ts";
import type { RedirectOrigin } from "./denial.ts";
import type { How } from "./pump.ts";

/** A request as it is entered: about to leave, or refused. */
export interface EnteredRequest extends Omit<LedgerEntry, "seq" | "startedMs"> {
  readonly state: "sent" | "refused";
}

/** What is learnt of it later. `redirect`: where the answer sends a client, and whose answer it was. */
export interface Learnt extends Partial<
  Pick<LedgerEntry, "state" | "status" | "error" | "ms" | "requestBytes" | "responseBytes">
> {
  readonly redirect?: { readonly url: string; readonly from: RedirectOrigin };
}

/** What the ledger says of an answer whose body has ended like that. */
export function wordEnd(how: How): Learnt {
  switch (how) {
    case "whole":
      return {};
    case "too_long":
      return { state: "cut_off", error: "response_too_large" };
    case "broken":
      return { state: "cut_off", error: "reset" };
    case "left":
      return { state: "cut_off" };
  }
}

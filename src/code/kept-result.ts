/** A result that was too large to be shown whole, and what became of it. */
import type { Auth } from "../auth/auth.ts";

/** A kept result. Sizes are of its text: the JSON of the value, or the text that it was. */
export interface KeptResult {
  /** The id of the run that returned it. */
  readonly id: string;
  readonly isJson: boolean;
  readonly characters: number;
  readonly bytes: number;
  /** Epoch milliseconds. */
  readonly expiresMs: number;
}

/** What became of a result that should be kept. `off`: this server keeps none. */
export type Keeping =
  | { readonly ok: true; readonly kept: KeptResult }
  | { readonly ok: false; readonly reason: "off" | "storage"; readonly characters: number };

/** One page of a result. Pages begin at 1 and split no character. */
export interface ResultPage extends KeptResult {
  readonly page: number;
  readonly pages: number;
  readonly text: string;
}

/** Where kept results are read, each by those who may. */
export interface ResultReader {
  /** A page of a result, or null when there is none for this caller. */
  read(auth: Auth, id: string, page: number): Promise<ResultPage | null>;
  /** What this caller could read, the latest first. */
  list(auth: Auth): KeptResult[];
}

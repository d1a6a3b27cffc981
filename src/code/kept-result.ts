/** A result that was too large to be shown whole, and what became of it. */

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

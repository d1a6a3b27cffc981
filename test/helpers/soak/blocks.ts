/** A block of the soak test, and what its caller must be told. */

export interface SoakBlock {
  readonly name: string;
  /** `n` is a number that no other run has; `origin` an upstream that echoes what it is sent. */
  readonly code: (n: number, origin: string) => string;
  /** In milliseconds. */
  readonly timeoutMs: number;
  /** What the answer's text must match; `<n>` stands for the run's number. */
  readonly answer: RegExp;
  readonly isError: boolean;
}

/** The words of `block.answer` for the run `n`. */
export function answerOf({ answer }: SoakBlock, n: number): RegExp {
  return new RegExp(answer.source.replaceAll("<n>", String(n)), answer.flags);
}

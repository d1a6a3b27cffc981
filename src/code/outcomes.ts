/** The words for every way a run can fail. One exhaustive switch: a new kind does not compile until it is worded. */
import type { Outcome, Position } from "../contract/outcome.ts";

export type FailedOutcome = Exclude<Outcome, { kind: "completed" }>;

/** What happened, and what to do about it, for the model and the person who read the result. */
export function describeOutcome(outcome: FailedOutcome): string {
  switch (outcome.kind) {
    case "threw":
      return withPosition(outcome.message, outcome.position);
    case "not_compilable":
      return withPosition(`The code does not compile: ${outcome.message}`, outcome.position);
    case "timed_out":
      if (outcome.cpuLimitMs !== undefined) {
        return `The code was stopped: it computed for more than the CPU limit of ${outcome.cpuLimitMs} ms; waiting does not count. Do less in one block.`;
      }
      return `The code was stopped: it ran longer than its timeout of ${outcome.timeoutMs} ms. Do less in one block, or pass a larger timeout.`;
    case "cancelled":
      return "The run was cancelled by the client.";
    case "hung":
      return "The code awaits something that never resolves: no timer, request or other work was left that could settle it.";
    case "exited":
      return "The code called process.exit(). End a block with return instead.";
    case "out_of_memory":
      return "The code used more memory than an isolate has (128 MB). Process the data in smaller pieces.";
    case "result_too_large":
      return "The result is too large to leave the sandbox (32 MiB). Filter or aggregate in the code and return less.";
    case "sandbox_restarted":
      return "The sandbox was restarted while this code ran: this block, or one running beside it, computed without a pause for longer than the CPU limit or used up the memory. Check below what had gone out. If it may have been this block, do less between two awaits before you run it again.";
    case "sandbox_busy":
      return "The code was not run: another block kept the sandbox busy until this one's time was over. Nothing was sent. Try again.";
    case "not_started":
      return "The code was not run: the outbound proxy, through which every request leaves, did not answer. Try again; if it stays so, the person who runs this server finds the cause in the log of codeforge-outbound-proxy.";
    case "queue_full":
      return "The code was not run: too many runs of yours are waiting already. Wait for some of them, or do more in one block.";
    case "queue_timeout":
      return `The code was not run: other runs of yours left no room for it within its timeout of ${outcome.timeoutMs} ms. Try again when they have ended, or pass a larger timeout.`;
    case "nested_too_deep":
      return `Not run: runs may start runs at most ${outcome.maxDepth} levels deep.`;
    case "ended_by_platform":
      return `The platform ended the run: ${outcome.message}`;
  }
}

function withPosition(message: string, position: Position | null): string {
  if (position === null) return message;
  const file = position.file === undefined ? "" : `${position.file}, `;
  return `${message}\n  at ${file}line ${position.line}:${position.column}\n${position.frame}`;
}

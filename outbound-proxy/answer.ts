/**
 * The response as the code gets it: what the proxy adds to a sanitized one. `x-codeforge-injected` lists the names that
 * were put in; `x-codeforge-hint` says, whatever the status, when a name went out as it stands, for many services answer
 * 200 to a request they did not understand.
 */
import { wordHint } from "./hint.ts";
import type { LeftName } from "./inject.ts";

/** Completes a sanitized answer, in place. */
export function annotate(answer: Response, injected: readonly string[], left: readonly LeftName[]): Response {
  if (injected.length > 0) answer.headers.set("x-codeforge-injected", injected.join(", "));
  const hint = wordHint(left);
  if (hint !== null) answer.headers.set("x-codeforge-hint", hint);
  return answer;
}

/**
 * The response as the code gets it: what the proxy adds to a sanitized one. `x-codeforge-injected` lists the names that
 * were put in; `x-codeforge-hint` says, whatever the status, when a name went out as it stands, for many services answer
 * 200 to a request they did not understand.
 */
import { wordHint } from "./hint.ts";
import type { LeftName } from "./inject.ts";
import { countUpTo } from "./limits.ts";

export interface AnswerContext {
  readonly injected: readonly string[];
  readonly left: readonly LeftName[];
  /** A longer body is cut off. */
  readonly maxBytes: number;
}

/** Hears the bytes of a body once it has ended, and whether it was cut off because it was too long. */
export type OnEnd = (bytes: number, isCut: boolean) => void;

/** Completes a sanitized answer; `onEnd` is told of its body once the last byte is there or has passed. */
export function toAnswer(
  { response, bytes }: { readonly response: Response; readonly bytes: number | null },
  { injected, left, maxBytes }: AnswerContext,
  onEnd: OnEnd,
): Response {
  // A stream of our own costs more than all other steps together; a body that is all there needs none.
  const streamed = bytes === null ? response.body : null;
  const answer = streamed === null ? response : new Response(countUpTo(streamed, maxBytes, onEnd), response);
  if (injected.length > 0) answer.headers.set("x-codeforge-injected", injected.join(", "));
  const hint = wordHint(left);
  if (hint !== null) answer.headers.set("x-codeforge-hint", hint);
  if (streamed === null) onEnd(bytes ?? 0, false);
  return answer;
}

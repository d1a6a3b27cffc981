/**
 * The response as the code gets it: what the proxy adds to a sanitized one. `x-codeforge-injected` lists the names that
 * were put in; `x-codeforge-hint` says, whatever the status, when a name went out as it stands, for many services answer
 * 200 to a request they did not understand.
 */
import { wordHint } from "./hint.ts";
import type { LeftName } from "./inject.ts";

export interface AnswerContext {
  readonly injected: readonly string[];
  readonly left: readonly LeftName[];
}

/** Completes a sanitized answer; `onEnd` is told the bytes of its body once the last one is there or has passed. */
export function toAnswer(
  { response, bytes }: { readonly response: Response; readonly bytes: number | null },
  { injected, left }: AnswerContext,
  onEnd: (bytes: number) => void,
): Response {
  // A stream of our own costs more than all other steps together; a body that is all there needs none.
  const answer =
    bytes === null && response.body !== null ? new Response(counted(response.body, onEnd), response) : response;
  if (injected.length > 0) answer.headers.set("x-codeforge-injected", injected.join(", "));
  const hint = wordHint(left);
  if (hint !== null) answer.headers.set("x-codeforge-hint", hint);
  if (answer === response) onEnd(bytes ?? 0);
  return answer;
}

function counted(body: ReadableStream<Uint8Array>, onEnd: (bytes: number) => void): ReadableStream<Uint8Array> {
  let bytes = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        controller.enqueue(chunk);
      },
      flush: () => onEnd(bytes),
    }),
  );
}

/**
 * The response as the code gets it: what the proxy adds to a sanitized one. `x-codeforge-injected` lists the names that
 * were put in; `x-codeforge-hint` says, whatever the status, when a name went out as it stands, for many services answer
 * 200 to a request they did not understand.
 */
import { wordHint } from "./hint.ts";
import type { LeftName } from "./inject.ts";

export interface AnswerContext {
  readonly method: string;
  readonly injected: readonly string[];
  readonly left: readonly LeftName[];
}

/** Wraps a response; `onEnd` is told the bytes of its body once the last one has passed. */
export function toAnswer(response: Response, context: AnswerContext, onEnd: (bytes: number) => void): Response {
  const { injected, left } = context;
  const answer = new Response(counted(response.body, onEnd), response);
  if (injected.length > 0) answer.headers.set("x-codeforge-injected", injected.join(", "));
  const hint = wordHint(left);
  if (hint !== null) answer.headers.set("x-codeforge-hint", hint);
  return answer;
}

function counted(body: ReadableStream<Uint8Array> | null, onEnd: (bytes: number) => void): ReadableStream | null {
  if (body === null) {
    onEnd(0);
    return null;
  }
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

/**
 * Turns an answer that takes its time into a stream of server-sent events. One that comes soon keeps its status and its
 * body, since errors are told by both; a slow one is announced by comments, and a client that goes away is noticed by
 * the write that fails: an aborted request does not reach a Durable Object called by RPC.
 */

export interface StreamOptions {
  /** How long the answer may take and still be sent as it is. */
  readonly patienceMs: number;
  /** How often a comment is written while nothing else is. */
  readonly keepAliveMs: number;
  /** Called when the client is gone. */
  readonly onGone: () => void;
}

const HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** The answer itself, or a stream that carries it when it comes. A rejected answer rejects, or breaks the stream. */
export async function streamWhenSlow(answer: Promise<Response>, options: StreamOptions): Promise<Response> {
  const { promise: expired, resolve } = Promise.withResolvers<null>();
  const patience = setTimeout(resolve, options.patienceMs, null);
  const soon = await Promise.race([answer, expired]);
  clearTimeout(patience);
  return soon ?? new Response(toEvents(answer, options), { headers: HEADERS });
}

function toEvents(answer: Promise<Response>, { keepAliveMs, onGone }: StreamOptions): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let keepAlive: ReturnType<typeof setInterval>;
  let isGone = false;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      keepAlive = setInterval(() => controller.enqueue(encoder.encode(": keepalive\n\n")), keepAliveMs);
      const carry = async (): Promise<void> => {
        const response = await answer;
        clearInterval(keepAlive);
        if (isGone) return;
        if (response.headers.get("content-type") === HEADERS["content-type"] && response.body !== null) {
          for await (const chunk of response.body) controller.enqueue(chunk);
        } else {
          controller.enqueue(encoder.encode(`event: message\ndata: ${await response.text()}\n\n`));
        }
        controller.close();
      };
      carry().catch((error: unknown) => {
        clearInterval(keepAlive);
        if (!isGone) controller.error(error);
      });
    },
    cancel() {
      isGone = true;
      clearInterval(keepAlive);
      onGone();
    },
  });
}

/** A local HTTP upstream that a test scripts: it echoes, redirects, drops, stalls and splits, and remembers every request. */
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";

export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Upstream {
  readonly origin: string;
  readonly port: number;
  readonly seen: SeenRequest[];
  stop(): Promise<void>;
}

export type Handler = (request: SeenRequest, response: ServerResponse, raw: IncomingMessage) => unknown;

/** Answers with what it was sent, as JSON. */
export const echo: Handler = ({ method, url, headers, body }, response) => {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ method, url, headers, body }));
};

/** Starts an upstream on a free loopback port. The handler runs once the request's body is complete. */
export async function startUpstream(handler: Handler = echo): Promise<Upstream> {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method = "", url = "", headers } = request;
      const record = { method, url, headers, body: Buffer.concat(chunks).toString("utf8") };
      seen.push(record);
      await handler(record, response, request);
    })().catch(() => response.destroy());
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port was assigned");
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  };
  return { origin: `http://127.0.0.1:${address.port}`, port: address.port, seen, stop };
}

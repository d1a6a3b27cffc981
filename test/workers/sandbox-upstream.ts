/** A real HTTP server on loopback whose answers are as odd as those of real services. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Upstream {
  readonly url: string;
  /** Requests that were closed by the other side before they were answered, as paths. */
  readonly abandoned: readonly string[];
  close(): void;
}

/** Starts it; every path without a meaning of its own is answered with method and path. */
export async function startUpstream(): Promise<Upstream> {
  const abandoned: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? "/";
    response.on("close", () => {
      if (!response.writableFinished) abandoned.push(path);
    });
    answer(path, response, request.method ?? "");
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    abandoned,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function answer(path: string, response: ServerResponse, method: string): void {
  const send = (status: number, type: string, body: string | Buffer): void => {
    response.writeHead(status, { "content-type": type }).end(body);
  };
  if (path.startsWith("/never")) return;
  if (path.startsWith("/json")) send(200, "application/json", '{"id":1}');
  else if (path.startsWith("/bad-json")) send(200, "application/json", '{"id":');
  else if (path.startsWith("/html")) send(404, "text/html", "<html>not here</html>");
  else if (path.startsWith("/500")) send(500, "text/plain", "broken");
  else if (path.startsWith("/204")) response.writeHead(204).end();
  else if (path.startsWith("/png")) send(200, "image/png", Buffer.from("89504e470d0a1a0a00", "hex"));
  else if (path.startsWith("/loop")) response.writeHead(302, { location: "/loop" }).end();
  else if (path.startsWith("/moved")) response.writeHead(302, { location: "/json" }).end();
  else if (path.startsWith("/drop")) {
    response.writeHead(200, { "content-type": "application/json" }).write("{");
    setTimeout(() => response.destroy(), 20);
  } else send(200, "text/plain", `${method} ${path}`);
}

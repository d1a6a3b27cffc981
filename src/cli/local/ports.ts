/** Ports of this machine. */
import { createServer } from "node:net";

/** A port that is free on `host` right now. */
export async function freePort(host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((done, fail) => server.once("error", fail).listen(0, host, done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  if (address === null || typeof address === "string") throw new Error("no port was assigned");
  return address.port;
}

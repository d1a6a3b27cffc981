/** Prism in a process of its own: serves the examples of a document, and refuses requests that break it. */
import { spawn } from "node:child_process";
import { resolve } from "node:path";

import { freePort } from "../../src/cli/local/ports.ts";

const MAIN = resolve(import.meta.dirname, "../../node_modules/@stoplight/prism-cli/dist/index.js");

export interface Prism {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Starts Prism on a document and resolves once it listens. */
export async function startPrism(document: string): Promise<Prism> {
  const port = await freePort("127.0.0.1");
  const args = [MAIN, "mock", "--port", String(port), "--host", "127.0.0.1", document];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const ended = new Promise<void>((done) => child.once("close", () => done()));
  let written = "";
  await new Promise<void>((done, fail) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (chunk: Buffer) => {
        written += chunk.toString();
        if (written.includes("is listening")) done();
      });
    }
    void ended.then(() => fail(new Error(`Prism ended before it listened:\n${written}`)));
  });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { origin: `http://127.0.0.1:${port}`, stop };
}

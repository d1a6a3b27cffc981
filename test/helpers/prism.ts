/** Prism, which serves any OpenAPI document and refuses requests that break it, in a process of its own on loopback. */
import { fork } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

import { freePort } from "../../src/cli/local/ports.ts";

export interface Prism {
  readonly origin: string;
  stop(): Promise<void>;
}

/** Serves a document; resolves when it answers. */
export async function startPrism(document: string): Promise<Prism> {
  const port = await freePort("127.0.0.1");
  const main = join(
    dirname(createRequire(import.meta.url).resolve("@stoplight/prism-cli/package.json")),
    "dist/index.js",
  );
  const args = ["mock", "--errors", "--host", "127.0.0.1", "--port", String(port), document];
  const child = fork(main, args, { stdio: "ignore", env: { ...process.env, SCARF_ANALYTICS: "false" } });
  const origin = `http://127.0.0.1:${port}`;
  let isOver = false;
  const ended = new Promise<void>((done) =>
    child.once("exit", () => {
      isOver = true;
      done();
    }),
  );
  while (!(await answers(origin))) {
    if (isOver) throw new Error("prism ended before it served");
    await new Promise((done) => setTimeout(done, 100));
  }
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  return { origin, stop };
}

async function answers(origin: string): Promise<boolean> {
  const response = await fetch(origin).catch(() => undefined);
  await response?.body?.cancel();
  return response !== undefined;
}

/** verdaccio, a real npm registry with bearer tokens, in a process of its own on loopback. */
import { fork } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

import { freePort } from "../../src/cli/local/ports.ts";

export interface Verdaccio {
  readonly origin: string;
  /** A user's token, issued by the registry itself. */
  readonly token: string;
  readonly user: string;
  stop(): Promise<void>;
}

/** Starts a registry, signs a user up and resolves with the user's token. */
export async function startVerdaccio(): Promise<Verdaccio> {
  const dir = mkdtempSync(join(tmpdir(), "codeforge-verdaccio-"));
  const port = await freePort("127.0.0.1");
  const config = join(dir, "config.yaml");
  writeFileSync(
    config,
    JSON.stringify({
      storage: join(dir, "storage"),
      auth: { htpasswd: { file: join(dir, "htpasswd") } },
      packages: { "**": { access: "$authenticated", publish: "$authenticated" } },
      log: { type: "stdout", level: "error" },
      uplinks: {},
    }),
  );
  const main = join(dirname(createRequire(import.meta.url).resolve("verdaccio/package.json")), "bin/verdaccio");
  const child = fork(main, ["--config", config, "--listen", `127.0.0.1:${port}`], { stdio: "ignore" });
  const origin = `http://127.0.0.1:${port}`;
  const ended = new Promise<void>((done) => child.once("exit", () => done()));
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await waitUntilServed(`${origin}/-/ping`, ended);
    const user = "ada";
    const response = await fetch(`${origin}/-/user/org.couchdb.user:${user}`, {
      method: "PUT",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: user, password: "correct-horse-battery" }),
    });
    const { token } = (await response.json()) as { token?: string };
    if (token === undefined) throw new Error(`verdaccio issued no token (${response.status})`);
    return { origin, token, user, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function waitUntilServed(url: string, ended: Promise<void>): Promise<void> {
  let over = false;
  void ended.then(() => (over = true));
  for (;;) {
    if (over) throw new Error("verdaccio ended before it served");
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // It does not listen yet.
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

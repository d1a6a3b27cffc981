/** What the three Workers are to Cloudflare: bundles that upload, and a server that is closed until it is told who may come. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { describe, expect, it } from "vitest";

import { bundleWorker } from "../../src/cli/local/bundle.ts";
import { VERSION } from "../../src/contract/version.ts";
import { startTestStack } from "../helpers/stack.ts";

const ROOT = resolve(import.meta.dirname, "../..");

describe("wrangler deploy --dry-run", () => {
  it.each(["wrangler.toml", "sandbox-worker/wrangler.toml", "outbound-proxy/wrangler.toml"])(
    "passes for %s",
    (config) => {
      const out = mkdtempSync(join(tmpdir(), "codeforge-deploy-"));
      const wrangler = join(ROOT, "node_modules/wrangler/bin/wrangler.js");
      const args = [wrangler, "deploy", "--dry-run", "--outdir", out, "--config", config];
      const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
      expect(`${stdout}${stderr}`).toContain("--dry-run: exiting now.");
      expect(status).toBe(0);
      // Cloudflare takes 10 MB compressed; a bundle that grows past a few MB has swallowed something.
      expect(readFileSync(join(out, "index.js")).byteLength).toBeLessThan(5 * 1024 * 1024);
      rmSync(out, { recursive: true });
    },
  );
});

describe("a bundle", () => {
  it.each(["server", "sandbox", "proxy"] as const)("of %s is kept until a source changes", async (key) => {
    const { dir } = await bundleWorker(ROOT, { key });
    const before = statSync(join(dir, "index.js")).mtimeMs;
    await bundleWorker(ROOT, { key });
    expect(statSync(join(dir, "index.js")).mtimeMs).toBe(before);
  });

  it("is made anew when a file changes that the sandbox takes as text", async () => {
    const { dir } = await bundleWorker(ROOT, { key: "sandbox" });
    const before = statSync(join(dir, "index.js")).mtimeMs;
    const now = new Date();
    utimesSync(join(ROOT, "sandbox-worker/harness/main.js"), now, now);
    await bundleWorker(ROOT, { key: "sandbox" });
    expect(statSync(join(dir, "index.js")).mtimeMs).toBeGreaterThan(before);
  });
});

describe("a server that is not the local runner's", () => {
  const deployed = (secrets: Record<string, string>) =>
    startTestStack({
      adjust: (key, worker) => (key === "server" ? { ...worker, bindings: secrets } : worker),
      connect: false,
    });

  it("serves nothing but /health until authentication is configured", async () => {
    const codeforge = await deployed({});
    for (const path of ["/mcp", "/", "/mcp/example"]) {
      const response = await fetch(new URL(path, codeforge.url), { method: "POST" });
      expect([path, response.status]).toEqual([path, 503]);
      expect(await response.text()).toContain("ADMIN_TOKEN");
    }
    expect((await fetch(new URL("/health", codeforge.url))).status).toBe(200);
    await codeforge.stop();
  });

  it("says at /health which Worker does not answer", async () => {
    const codeforge = await startTestStack({
      adjust: (key, worker) =>
        key === "server"
          ? {
              ...worker,
              bindings: { ADMIN_TOKEN: "the-right-token" },
              serviceBindings: { ...worker.serviceBindings, SANDBOX: () => new Response("no RPC here") as never },
            }
          : worker,
      connect: false,
    });
    const response = await fetch(new URL("/health", codeforge.url));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({
      status: "failing",
      versions: { sandbox: null, proxy: VERSION },
      checks: { sandbox: "fail", proxy: "pass" },
    });
    await codeforge.stop();
  });

  it("T54: gives nothing to who has no token, whatever the path", async () => {
    const codeforge = await deployed({ ADMIN_TOKEN: "the-right-token" });
    await (await codeforge.stack.server.getR2Bucket("STORAGE", "codeforge")).put("skills/index.json", "{}");
    for (const path of [
      "/",
      // What the local runtime would serve by itself.
      "/cdn-cgi/local/r2/public/codeforge/skills/index.json",
      "/cdn-cgi/local/platform-proxy",
      "/mcp",
      "/mcp/example",
      "/operations/a.json",
      "/dist/catalog.txt",
      "/.well-known/x",
      "/..%2fmcp",
    ]) {
      const response = await fetch(new URL(path, codeforge.url));
      expect([path, response.status]).toEqual([path, 401]);
      await response.body?.cancel();
    }
    await codeforge.stop();
  });

  it("opens to the bearer of ADMIN_TOKEN alone, wherever the token is not in the URL", async () => {
    const codeforge = await deployed({ ADMIN_TOKEN: "the-right-token" });
    const post = async (headers: Record<string, string>, query = ""): Promise<number> => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" });
      const accept = "application/json, text/event-stream";
      const init = { method: "POST", headers: { "content-type": "application/json", accept, ...headers }, body };
      const response = await fetch(new URL(`/mcp${query}`, codeforge.url), init);
      await response.body?.cancel();
      return response.status;
    };
    expect(await post({})).toBe(401);
    expect(await post({ authorization: "Bearer the-wrong-token" })).toBe(401);
    expect(await post({ authorization: "Basic the-right-token" })).toBe(401);
    expect(await post({}, "?token=the-right-token&access_token=the-right-token")).toBe(401);
    expect(await post({ authorization: "Bearer the-right-token" })).not.toBe(401);
    await codeforge.stop();
  });
});

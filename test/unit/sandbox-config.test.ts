import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import { expect, test } from "vitest";
import { unstable_readConfig } from "wrangler";

const PATH = resolve(import.meta.dirname, "../../sandbox-worker/wrangler.toml");
const config = unstable_readConfig({ config: PATH });

test("the sandbox Worker has no public address", () => {
  expect(config).toMatchObject({ name: "codeforge-sandbox", workers_dev: false, preview_urls: false });
  expect(config.route).toBeUndefined();
  expect(config.routes ?? []).toEqual([]);
});

test("T29: it has the loader and the proxy, and no secret, storage or other binding", () => {
  expect(config.worker_loaders).toEqual([{ binding: "LOADER" }]);
  expect(config.services).toEqual([
    { binding: "OUTBOUND_PROXY", service: "codeforge-outbound-proxy", entrypoint: "Forwarder" },
  ]);
  const text = readFileSync(PATH, "utf8");
  const sections = [...text.matchAll(/^\[+([a-z_.]+)\]+$/gm)].map(([, name]) => name);
  expect(sections.toSorted()).toEqual(["observability", "rules", "services", "worker_loaders"]);
  expect(config.vars).toEqual({});
});

test("T51: it cannot open sockets", () => {
  expect(config.compatibility_flags).toEqual([]);
  for (const file of ["index.ts", "isolate.ts"]) {
    const source = readFileSync(resolve(PATH, "..", file), "utf8");
    expect(source).not.toMatch(/connect_pass_through|\bconnect\s*\(/);
  }
});

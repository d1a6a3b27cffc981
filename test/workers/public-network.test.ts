/** The network on which the local proxy asks public hosts, in the runtime that enforces them. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, expect, test } from "vitest";

import { publicNetwork } from "../../src/cli/local/public-network.ts";

const WORKER = `
  export default {
    async fetch(request, env) {
      try {
        return await env.PUBLIC_NETWORK.fetch(await request.text());
      } catch {
        return new Response("no answer");
      }
    },
  };
`;

let server: Server;
let port: number;
let mf: Miniflare;

beforeAll(async () => {
  server = createServer((_, response) => response.end("private data"));
  await new Promise<void>((done) => {
    server.listen(0, done);
  });
  port = (server.address() as AddressInfo).port;
  mf = new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: WORKER,
      compatibilityDate: "2026-11-01",
      serviceBindings: publicNetwork(),
    }),
  );
  await mf.ready;
});

afterAll(async () => {
  await mf.dispose();
  server.close();
});

// A name is looked up and its address is looked at: `localhost` stands for any name that resolves to this machine.
test.each(["localhost", "127.0.0.1", "[::1]", "0.0.0.0"])(
  "T25: the public network does not connect to %s",
  async (host) => {
    const response = await mf.dispatchFetch("http://worker/", { method: "POST", body: `http://${host}:${port}/` });
    expect(await response.text()).toBe("no answer");
  },
);

/**
 * `npm run bench:execute`: what one call of `execute_code` takes through MCP over HTTP, as `npm start` and as
 * `wrangler dev` serve it, for a block that does nothing and for one that fetches 2 KB of JSON. Beside it, the executor
 * of `@cloudflare/codemode` runs the same blocks in the process of our sandbox. It is called over plain HTTP and does
 * less: no protocol, no policy, no secrets, no ledger.
 */
import { fixed, percentile, printLoad, printTable } from "../helpers/figures.ts";
import { connectMcp, postBlock, startJsonUpstream, type RunBlock } from "../helpers/setup.ts";
import { startDev } from "../../test/helpers/dev.ts";
import { startTestStack } from "../../test/helpers/stack.ts";

const WARM_UPS = 20;
const CALLS = 200;
const REFERENCE = "codemode's executor";

const upstream = await startJsonUpstream();
const apis = { bench: { description: "2 KB of JSON", domains: [upstream.origin], credentials: [] } };
const stack = await startTestStack({ connect: false, apis, entries: { sandbox: "bench/workers/sandbox/index.ts" } });
const dev = await startDev(apis);
const clients = { start: await connectMcp(stack.url), dev: await connectMcp(dev.url) };
const sandbox = await stack.stack.sandbox.ready;

const BLOCKS = {
  "an empty block": "return 1",
  "one fetch of 2 KB": `const response = await fetch("${upstream.origin}/items"); return (await response.json()).length`,
};
const RUNNERS: Readonly<Record<string, RunBlock>> = {
  [REFERENCE]: postBlock(sandbox, "codemode"),
  "our runBlock alone": postBlock(sandbox, "service"),
  "npm start": clients.start.run,
  "wrangler dev": clients.dev.run,
};

try {
  for (const [name, code] of Object.entries(BLOCKS)) {
    const samples = await measure(code);
    const reference = percentile(samples[REFERENCE] ?? [], 0.5);
    const rows = Object.entries(samples).map(([runner, times]) => {
      const median = percentile(times, 0.5);
      return [runner, fixed(median, 1), fixed(percentile(times, 0.95), 1), fixed(median / reference)];
    });
    printTable([name, "p50, ms", "p95, ms", "p50 to codemode's"], rows);
    printLoad();
    console.log();
  }
} finally {
  await Promise.all([clients.start.close(), clients.dev.close()]);
  await Promise.all([stack.stop(), dev.stop()]);
  await upstream.stop();
}

/** Milliseconds of each call. The runners take turns, so that a busy machine is busy for all of them. */
async function measure(code: string): Promise<Record<string, number[]>> {
  const samples = Object.fromEntries(Object.keys(RUNNERS).map((name) => [name, [] as number[]]));
  for (let call = -WARM_UPS; call < CALLS; call++) {
    for (const [name, run] of Object.entries(RUNNERS)) {
      const begun = performance.now();
      await run(code);
      if (call >= 0) samples[name]?.push(performance.now() - begun);
    }
  }
  return samples;
}

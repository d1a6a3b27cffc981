/**
 * `npm run bench:load`: calls of `execute_code` by 1, 8 and 32 callers at once, under `npm start`, each with a session of
 * its own and one call after the other; the executor of `@cloudflare/codemode` beside it, as in `execute.ts`. Then how
 * long after a kill of the sandbox's process a call has its answer, and what the history costs a run.
 */
import { join } from "node:path";

import { fixed, percentile, printLoad, printTable } from "../helpers/figures.ts";
import { connectMcp, postBlock, startJsonUpstream, type RunBlock } from "../helpers/setup.ts";
import { listensOn, runtimesOf } from "../../test/helpers/process.ts";
import { startTestStack, type TestStack } from "../../test/helpers/stack.ts";

const CALLERS = [1, 8, 32];
const CALLS = 240;
const WARM_UPS = 40;
const KILLS = 20;

const upstream = await startJsonUpstream();
const apis = { bench: { description: "2 KB of JSON", domains: [upstream.origin], credentials: [] } };
const options = { connect: false, apis, entries: { sandbox: "bench/workers/sandbox/index.ts" } };
const stack = await startTestStack(options);
/** Started last: a stack knows all runtimes of this program as its own. */
let forgetful: TestStack | undefined;
const BLOCK = `const response = await fetch("${upstream.origin}/items"); return (await response.json()).length`;

try {
  const executor = postBlock(await stack.stack.sandbox.ready, "codemode");
  const sessions = await Promise.all(Array.from({ length: Math.max(...CALLERS) }, () => connectMcp(stack.url)));
  const runs = sessions.map(({ run }) => run);
  await callAll(runs.slice(0, 8), WARM_UPS);
  const rows: string[][] = [];
  for (const callers of CALLERS) {
    const reference = await callAll(
      Array.from({ length: callers }, () => executor),
      CALLS,
    );
    const ours = await callAll(runs.slice(0, callers), CALLS);
    rows.push([
      `${callers} callers`,
      fixed(ours.perSecond, 0),
      fixed(percentile(ours.times, 0.5), 1),
      fixed(percentile(ours.times, 0.95), 1),
      fixed(percentile(ours.times, 0.95) / percentile(reference.times, 0.95)),
      fixed(ours.perSecond / reference.perSecond),
    ]);
  }
  printTable(["one fetch of 2 KB", "calls/s", "p50, ms", "p95, ms", "p95 to codemode's", "calls/s to its"], rows);
  printLoad();

  const times = await killAndCall(stack, runs[0]!);
  const shown = [0.5, 0.95, 1].map((share) => fixed(percentile(times, share), 0));
  console.log();
  printTable(["kill to served, ms", "p50", "p95", "slowest"], [[`${KILLS} kills`, ...shown]]);
  printLoad();
  await Promise.all(sessions.map((session) => session.close()));

  forgetful = await startTestStack({ ...options, settings: { HISTORY_RUNS: "0" } });
  const pair = await Promise.all([connectMcp(stack.url), connectMcp(forgetful.url)]);
  const [withHistory = [], without = []] = await inTurns(pair.map(({ run }) => run));
  const [kept, bare] = [percentile(withHistory, 0.5), percentile(without, 0.5)];
  console.log();
  const history = [fixed(kept, 1), fixed(bare, 1), fixed(kept / bare)];
  printTable(["an empty block", "with history, p50, ms", "without", "ratio"], [["npm start", ...history]]);
  printLoad();
  await Promise.all(pair.map((session) => session.close()));
} finally {
  await Promise.all([stack.stop(), forgetful?.stop()]);
  await upstream.stop();
}

/** `calls` calls in all, by callers that wait for their own answers only. */
async function callAll(
  callers: readonly RunBlock[],
  calls: number,
): Promise<{ readonly times: number[]; readonly perSecond: number }> {
  const times: number[] = [];
  let left = calls;
  const begun = performance.now();
  await Promise.all(
    callers.map(async (run) => {
      while (left-- > 0) times.push(await timed(() => run(BLOCK)));
    }),
  );
  return { times, perSecond: (1_000 * calls) / (performance.now() - begun) };
}

/** Milliseconds from each kill of the sandbox's process to the next call's answer. */
async function killAndCall({ dir, url }: TestStack, run: RunBlock): Promise<number[]> {
  const isSandbox = (pid: number): boolean => !listensOn(pid, Number(url.port));
  const times: number[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const sandbox = runtimesOf(join(dir, "data")).find(isSandbox);
    times.push(
      await timed(async () => {
        process.kill(sandbox!, "SIGKILL");
        await run("return 1");
      }),
    );
  }
  return times;
}

/** Milliseconds of each call of an empty block, the runners taking turns. */
async function inTurns(runners: readonly RunBlock[]): Promise<number[][]> {
  const times = runners.map((): number[] => []);
  for (let call = -WARM_UPS; call < CALLS; call++) {
    for (const [index, run] of runners.entries()) {
      const ms = await timed(() => run("return 1"));
      if (call >= 0) times[index]!.push(ms);
    }
  }
  return times;
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/**
 * `npm run bench:proxy`: what the proxy adds to each request of a block. Blocks fetch 2 KB of JSON from this machine
 * again and again; the same blocks do it with nothing in between. The pure steps are timed by themselves, in workerd.
 * The bars: the steps take 0.3 ms, all that stands between (`Egress`, the proxy, `Run`) takes 2 ms.
 */
import { createSecrets, startJsonUpstream, type RunBlock } from "../helpers/setup.ts";
import { fixed, percentile, printLoad, printTable } from "../helpers/figures.ts";
import { startShapes, type Shape } from "./shapes.ts";

const ROUNDS = 3;
const FETCHES = 300;
/** The clock in workerd has whole milliseconds, so it is read once for this many requests. */
const GROUP = 10;
const STEP_CALLS = 15_000;
const MAX_STEPS_MS = 0.3;
const MAX_DETOUR_MS = 2;

const upstream = await startJsonUpstream();
const url = `${upstream.origin}/items?page=1`;
const secrets = { ONE: createSecrets("ONE", 1), FIFTY: createSecrets("FIFTY", 50) };
const api = (credentials: readonly string[]) => ({
  description: "2 KB of JSON",
  domains: [upstream.origin],
  credentials: [...credentials],
});
const { shapes, stop } = await startShapes({
  apis: { none: api([]), one: api(Object.keys(secrets.ONE)), fifty: api(Object.keys(secrets.FIFTY)) },
  vars: { ...secrets.ONE, ...secrets.FIFTY },
});
try {
  for (const shape of shapes) {
    await measureDetour(shape);
    console.log();
  }
  const [{ proxy }] = shapes as [Shape];
  await measureSteps(proxy);
  printLoad();
} finally {
  await stop();
  await upstream.stop();
}

interface Way {
  readonly name: string;
  readonly run: RunBlock;
  readonly authorization: string | null;
  readonly samples: number[];
}

async function measureDetour(shape: Shape): Promise<void> {
  const way = (name: string, run: RunBlock, authorization: string | null = null): Way => ({
    name,
    run,
    authorization,
    samples: [],
  });
  const direct = way("direct", shape.direct);
  const passing = way("the same way, to a proxy that only fetches", shape.passing);
  const proxied = [
    way("proxy, no credential", shape.proxied("none")),
    way("proxy, 1 credential", shape.proxied("one"), "Bearer ONE_0"),
    way("proxy, 50 credentials", shape.proxied("fifty"), "Bearer FIFTY_0"),
  ];
  const ways = [direct, passing, ...proxied];
  for (const { run, authorization } of ways) await run(block(authorization));
  // They take turns, so that a busy machine is busy for all of them.
  for (let round = 0; round < ROUNDS; round++) {
    for (const { run, authorization, samples } of ways) samples.push(...readTimes(await run(block(authorization))));
  }
  const medianOf = ({ samples }: Way): number => percentile(samples, 0.5);
  const base = medianOf(direct);
  printTable(
    [shape.name, "p50, ms", "p95, ms", "added, ms", "times direct"],
    ways.map((each) => {
      const median = medianOf(each);
      const late = percentile(each.samples, 0.95);
      return [each.name, fixed(median), fixed(late), fixed(median - base), fixed(median / base)];
    }),
  );
  const added = Math.max(...proxied.map(medianOf)) - base;
  const there = medianOf(passing) - base;
  console.log(
    `the detour adds ${fixed(added)} ms at most, ${fixed(there)} of them the way there and back; the bar is ${MAX_DETOUR_MS} ms: ${verdict(added, MAX_DETOUR_MS)}`,
  );
}

function block(authorization: string | null): string {
  const headers = authorization === null ? "{}" : `{ authorization: ${JSON.stringify(authorization)} }`;
  return `const times: number[] = [];
for (let group = 0; group < ${FETCHES / GROUP}; group++) {
  const begun = performance.now();
  for (let one = 0; one < ${GROUP}; one++) await (await fetch(${JSON.stringify(url)}, { headers: ${headers} })).json();
  times.push((performance.now() - begun) / ${GROUP});
}
return "times: " + times.join(" ");`;
}

function readTimes(answer: string): number[] {
  const times = (/times: ([\d. ]+)/.exec(answer)?.[1] ?? "").split(" ").map(Number);
  if (times.length !== FETCHES / GROUP) throw new Error(`the block did not say its times: ${answer}`);
  return times;
}

async function measureSteps(proxy: Shape["proxy"]): Promise<void> {
  const body = await (await fetch(url)).text();
  const tasks = [
    { api: "none", authorization: null },
    { api: "one", authorization: "Bearer ONE_0" },
    { api: "fifty", authorization: "Bearer FIFTY_0" },
  ];
  const columns: Record<string, number>[] = [];
  for (const task of tasks) {
    const json = JSON.stringify({ ...task, url, body, calls: STEP_CALLS });
    const response = await proxy.fetch("http://proxy/", { method: "POST", body: json });
    if (!response.ok) throw new Error(`the steps failed: ${await response.text()}`);
    columns.push((await response.json()) as Record<string, number>);
  }
  const names = Object.keys(columns[0] ?? {});
  const isPart = (name: string): boolean => !name.startsWith("(");
  const sums = columns.map((times) => names.filter(isPart).reduce((sum, name) => sum + (times[name] ?? 0), 0));
  printTable(
    ["pure steps, ms a request", "no credential", "1 credential", "50 credentials"],
    [
      ...names.map((name) => [name, ...columns.map((times) => fixed(times[name] ?? Number.NaN, 4))]),
      ["all steps", ...sums.map((sum) => fixed(sum, 4))],
    ],
  );
  const most = Math.max(...sums);
  console.log(
    `the steps take ${fixed(most, 3)} ms at most; the bar is ${MAX_STEPS_MS} ms: ${verdict(most, MAX_STEPS_MS)}`,
  );
}

function verdict(value: number, bar: number): string {
  return value <= bar ? "kept" : "MISSED";
}

/**
 * `npm run bench:guard`: what the loop guard costs, which code has under `wrangler dev` alone: blocks that compute, in the
 * product's own `runBlock` with the guard and without, taking turns in one process.
 */
import { fixed, percentile, printLoad, printTable } from "../helpers/figures.ts";
import { postBlock, startJsonUpstream } from "../helpers/setup.ts";
import { startTestStack } from "../../test/helpers/stack.ts";

const WARM_UPS = 10;
const CALLS = 60;

const upstream = await startJsonUpstream();
const stack = await startTestStack({
  connect: false,
  apis: { bench: { description: "2 KB of JSON", domains: [upstream.origin], credentials: [] } },
  entries: { sandbox: "bench/workers/sandbox/index.ts" },
});
const sandbox = await stack.stack.sandbox.ready;
const plain = postBlock(sandbox, "service");
const guarded = postBlock(sandbox, "guarded");

const ROWS = `const rows = Array.from({ length: 50_000 }, (_, id) => ({ id, customer: "c" + (id % 977), total: (id * 7919) % 10_007, status: id % 3 === 0 ? "open" : "paid" }));`;

/** What agents' blocks do with what they fetched; the last is nothing but a loop. */
const BLOCKS: Readonly<Record<string, string>> = {
  "fetch, filter and count": `const items = await (await fetch("${upstream.origin}/items")).json();
    return items.filter(({ price }) => price > 1_260).map(({ name }) => name).length`,
  "group and sort 50,000 rows": `${ROWS}
    const owed = new Map();
    for (const { customer, total, status } of rows) if (status === "open") owed.set(customer, (owed.get(customer) ?? 0) + total);
    return [...owed].toSorted(([, a], [, b]) => b - a).slice(0, 10)`,
  "parse and write 50,000 rows": `${ROWS}
    const csv = rows.map((row) => Object.values(row).join(",")).join("\\n");
    const parsed = csv.split("\\n").map((line) => { const [id, customer, total] = line.split(","); return { id: Number(id), customer, total: Number(total) } });
    return JSON.parse(JSON.stringify(parsed)).reduce((sum, { total }) => sum + total, 0)`,
  "nothing but a loop": "let sum = 0; for (let n = 0; n < 50_000_000; n++) sum = (sum + n) | 0; return sum",
};

try {
  const rows: string[][] = [];
  for (const [name, code] of Object.entries(BLOCKS)) {
    const times = { plain: [] as number[], guarded: [] as number[] };
    for (let call = -WARM_UPS; call < CALLS; call++) {
      for (const [kind, run] of [
        ["plain", plain],
        ["guarded", guarded],
      ] as const) {
        const begun = performance.now();
        await run(code);
        if (call >= 0) times[kind].push(performance.now() - begun);
      }
    }
    const [without, withGuard] = [percentile(times.plain, 0.5), percentile(times.guarded, 0.5)];
    rows.push([name, fixed(without, 1), fixed(withGuard, 1), fixed(withGuard / without)]);
  }
  printTable(["", "without, p50, ms", "with the guard", "ratio"], rows);
  printLoad();
} finally {
  await stack.stop();
  await upstream.stop();
}

/**
 * `npm run bench:openapi:serve`: what `workerd` needs to answer from the stored files of Microsoft Graph, or of the
 * document named behind `--`, which are static assets there: resident memory of its process over that of an idle one, and
 * milliseconds. Linux only.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";

const ROOT = resolve(import.meta.dirname, "../..");
const DOCUMENT = process.argv[2] ?? "microsoft.com/graph";
const CALLS = 20;
const QUERIES = [
  "list+users",
  "send+mail",
  "create+event",
  "drive+items",
  "team+channels",
  "devices",
  "groups",
  "calendar",
];

const folder = mkdtempSync(join(tmpdir(), "codeforge-bench-"));
const bundle = mkdtempSync(join(tmpdir(), "codeforge-bench-"));
try {
  execFileSync(process.execPath, [join(import.meta.dirname, "bench.ts"), "compile", DOCUMENT, folder]);
  const esbuild = join(ROOT, "node_modules/esbuild/bin/esbuild");
  const entry = join(ROOT, "bench/workers/openapi/index.ts");
  execFileSync(esbuild, [entry, "--bundle", "--format=esm", `--outfile=${join(bundle, "index.js")}`], {
    stdio: "ignore",
  });
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      log: new Log(LogLevel.ERROR),
      workers: [
        {
          name: "openapi",
          compatibilityDate: "2026-11-01",
          modulesRoot: bundle,
          modules: [{ type: "ESModule", path: join(bundle, "index.js") }],
          assets: {
            directory: folder,
            binding: "ASSETS",
            routerConfig: { invoke_user_worker_ahead_of_assets: true, has_user_worker: true },
          },
        },
      ],
    }),
  );
  await miniflare.ready;
  const idle = residentMegabytes();
  let peak = idle;
  const watch = setInterval(() => (peak = Math.max(peak, residentMegabytes())), 10);
  const times: number[] = [];
  const searches: number[] = [];
  for (let call = 0; call < CALLS; call++) {
    const startedMs = performance.now();
    const response = await miniflare.dispatchFetch(`http://openapi/?query=${QUERIES[call % QUERIES.length]}`);
    const text = await response.text();
    if (![200, 404].includes(response.status) || text === "")
      throw new Error(`no answer: ${response.status} ${text.slice(0, 200)}`);
    times.push(performance.now() - startedMs);
    searches.push(Number(response.headers.get("search-ms")));
  }
  clearInterval(watch);
  const [firstMs = 0] = times;
  times.sort((a, b) => a - b);
  console.log(
    `idle ${idle} MB, peak ${peak} MB: ${peak - idle} MB for ${CALLS} answers over ${QUERIES.length} questions`,
  );
  console.log(
    `first answer ${firstMs.toFixed(0)} ms (it reads the index), p50 of the others ${times[CALLS / 2]?.toFixed(1)} ms`,
  );
  searches.sort((a, b) => a - b);
  console.log(`one search alone: p50 ${searches[CALLS / 2]?.toFixed(1)} ms, most ${searches.at(-1)?.toFixed(1)} ms`);
  await miniflare.dispose();
} finally {
  for (const path of [folder, bundle]) rmSync(path, { recursive: true, force: true });
}

/** Resident memory of this program's workerd. */
function residentMegabytes(): number {
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      if (!/^Name:\s*workerd/m.test(status) || !new RegExp(`^PPid:\\s*${process.pid}$`, "m").test(status)) continue;
      return Math.round(Number(/^VmRSS:\s*(\d+)/m.exec(status)?.[1]) / 1024);
    } catch {
      // It ended in between.
    }
  }
  throw new Error("workerd is not running");
}

/**
 * `npm run generate:large`: servers of their own from GitHub's document and from one of nearly 3,000 operations, with every
 * operation a tool. Each is generated, installed, built, bundled and started; its list is checked by the rules of the big
 * model APIs and by the inspector. Ends with an error when a single tool breaks a rule.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";

import { bundle, CLIENTS, connectTo, install, startWorker, type Target } from "../../test/helpers/generated.ts";
import { checkTools, type ListedTool } from "./check-tools.ts";
import { githubDocument, listDocuments, type CorpusDocument } from "./documents.ts";

const ROOT = resolve(import.meta.dirname, "../..");
const MAIN = join(ROOT, "src/cli/main.ts");
const INSPECTOR = join(ROOT, "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js");
const WIDE = "autotask.net";

/** What the Rust generator of the same mapping's first version needed for 2,486 tools: the whole, in its own words. */
const EARLIER = "| Rust generator, for comparison | 2,486 | | 5.8 | 35 (in all) | | | | | | |";

interface Subject {
  readonly document: CorpusDocument;
  readonly args: readonly string[];
  readonly operations: number;
}

const SUBJECTS: readonly Subject[] = [
  { document: githubDocument(), args: ["--allow-host", "uploads.github.com"], operations: 1_223 },
  { document: wideDocument(), args: [], operations: 2_958 },
];

function wideDocument(): CorpusDocument {
  const found = listDocuments(WIDE).find(({ name }) => name.startsWith(WIDE));
  if (found === undefined) throw new Error(`no document ${WIDE}`);
  return found;
}

/** Wall time of some work in seconds. */
async function timed<T>(work: () => Promise<T> | T): Promise<{ readonly value: T; readonly seconds: string }> {
  const started = performance.now();
  const value = await work();
  return { value, seconds: ((performance.now() - started) / 1000).toFixed(1) };
}

function run(cwd: string, command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: "utf8", maxBuffer: 1 << 30 });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}:\n${stdout.slice(-2000)}\n${stderr.slice(-2000)}`);
  return stdout + stderr;
}

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(2);

function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

async function measure(
  { document, args, operations }: Subject,
  dir: string,
  installed: string | undefined,
): Promise<string[]> {
  const source = `${dir}.json`;
  writeFileSync(source, document.read());
  const generateArgs = [MAIN, "generate", source, "--out", dir, "--name", "large-mcp", "--limit", "9999", ...args];
  const generated = await timed(() => run(ROOT, process.execPath, generateArgs));
  if (installed === undefined) await install(dir);
  else symlinkSync(join(installed, "node_modules"), join(dir, "node_modules"));
  const built = await timed(() => run(dir, "npm", ["run", "build"]));
  await bundle(dir);
  const worker = readFileSync(join(dir, ".wrangler/bundle/worker.js"));
  const served = await startWorker(dir, { MCP_TOKEN: "large" });
  const target: Target = { stdio: { dir, env: {} }, http: { url: served.url, token: "large" } };
  const lists: (readonly ListedTool[])[] = [];
  const times: string[] = [];
  for (const kind of CLIENTS) {
    const listed = await timed(async () => {
      const client = await connectTo(target, kind);
      const tools = await client.list();
      await client.close();
      return tools as readonly ListedTool[];
    });
    lists.push(listed.value);
    times.push(listed.seconds);
  }
  await served.stop();
  const [tools = []] = lists;
  const problems = lists.flatMap((list) => checkTools(list, "large-mcp"));
  if (problems.length > 0) throw new Error(`${problems.length} broken rules:\n${problems.slice(0, 20).join("\n")}`);
  if (lists.some((list) => list.length !== operations))
    throw new Error(`not all listed: ${lists.map((list) => list.length).join(", ")}`);
  const home = join(dir, ".inspector");
  const inspected = await timed(() =>
    run(dir, "env", [
      `HOME=${home}`,
      `MCP_CATALOG_PATH=${home}/mcp.json`,
      process.execPath,
      INSPECTOR,
      "--cli",
      process.execPath,
      "dist/main.js",
      "--method",
      "tools/list",
      "--strict",
    ]),
  );
  const toolsFile = statSync(join(dir, "src/tools.ts")).size;
  return [
    document.name,
    String(tools.length),
    megabytes(document.read().length),
    `${megabytes(sizeOf(join(dir, "src")))} (${megabytes(toolsFile)} of it tools.ts)`,
    generated.seconds,
    built.seconds,
    `${megabytes(worker.length)} (${megabytes(gzipSync(worker).length)} gzip)`,
    megabytes(JSON.stringify(tools).length),
    times[0] ?? "",
    times.at(-1) ?? "",
    inspected.seconds,
  ];
}

const root = mkdtempSync(join(tmpdir(), "codeforge-large-"));
try {
  console.log(
    "| document | tools | MB | sources, MB | generate, s | build, s | Worker, MB | list, MB | start and list over stdio, s | list over HTTP, s | inspector --strict, s |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  let installed: string | undefined;
  for (const subject of SUBJECTS) {
    const dir = join(root, subject.document.name.replace(/\W+/g, "-"));
    console.log(`| ${(await measure(subject, dir, installed)).join(" | ")} |`);
    installed ??= dir;
  }
  console.log(EARLIER);
} finally {
  rmSync(root, { recursive: true, force: true });
}

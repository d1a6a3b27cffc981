/**
 * `npm run bench:openapi`: what compiling GitHub's and Microsoft Graph's documents costs, what is stored of them, and what
 * a Worker needs to answer from it. Every measurement has a process of its own, so that memory is its own too.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { replaceFolder } from "../../src/cli/openapi/write-files.ts";
import { compile } from "../../src/openapi/compile.ts";
import { toCardText } from "../../src/openapi/describe.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { openSearch } from "../../src/openapi/search.ts";
import { cardFile, INDEX_FILE, readCards, readIndex, toFiles } from "../../src/openapi/storage.ts";
import { githubDocument, listDocuments } from "./documents.ts";

const NAMES = ["github", "stripe.com", "kubernetes.io", "microsoft.com/graph"];

/** Wall and processor time of some work, in milliseconds. On a busy machine only the second says much. */
function milliseconds(work: () => void): string {
  const started = performance.now();
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return `${Math.round(performance.now() - started)} | ${Math.round((user + system) / 1000)}`;
}

function measureCompile(name: string, folder: string): void {
  const document = name === "github" ? githubDocument() : listDocuments(name).find((each) => each.name === name);
  if (document === undefined) throw new Error(`no document ${name}`);
  const bytes = document.read();
  let files: ReadonlyMap<string, Uint8Array> = new Map();
  let operations = 0;
  const total = milliseconds(() => {
    const parsed = parseDocument(bytes);
    if (!parsed.ok) throw new Error(parsed.error.message);
    const ir = compile(parsed.document, { api: "bench" });
    operations = ir.operations.length;
    files = toFiles(ir);
  });
  const cards = [...files].filter(([file]) => file.startsWith("cards/")).map(([, content]) => content.length);
  const sum = cards.reduce((left, right) => left + right, 0);
  const megabytes = (value: number): string => (value / 1e6).toFixed(2);
  const peak = megabytes(process.resourceUsage().maxRSS * 1024);
  const index = files.get(INDEX_FILE)?.length ?? 0;
  console.log(
    `| ${name} | ${megabytes(bytes.length)} | ${operations} | ${total} | ${peak} | ${megabytes(index)} | ${megabytes(sum)} | ${cards.length} | ${megabytes(Math.max(...cards))} |`,
  );
  replaceFolder(folder, files);
}

/** Finds, loads and describes one operation from the files, in a heap that is a fraction of a Worker's. */
function measureServe(name: string, folder: string): void {
  let text = "";
  const answered = milliseconds(() => {
    const index = readIndex(readFileSync(join(folder, INDEX_FILE), "utf8"));
    const [hit] = openSearch(index.operations, index.search).find("list users", 10);
    if (hit === undefined) throw new Error("nothing found");
    const shard = readFileSync(join(folder, cardFile(hit.entry.name, index.shardBits)), "utf8");
    const card = readCards(shard).get(hit.entry.name);
    if (card !== undefined) text = toCardText("bench", card);
  });
  const heap = (process.memoryUsage().heapUsed / 1e6).toFixed(0);
  console.log(`| ${name} | ${answered} | ${heap} | ${text.length} |`);
}

function inProcess(step: string, name: string, folder: string, ...flags: readonly string[]): string {
  return execFileSync(process.execPath, [...flags, import.meta.filename, step, name, folder], {
    encoding: "utf8",
  }).trim();
}

const [step, name = "", folder = ""] = process.argv.slice(2);
if (step === "compile") measureCompile(name, folder);
else if (step === "serve") measureServe(name, folder);
else {
  const folders = NAMES.map(() => mkdtempSync(join(tmpdir(), "codeforge-bench-")));
  console.log(
    "| document | MB | operations | parse, compile, pack: ms | of the processor, ms | peak memory, MB | index, MB | cards, MB | shards | largest, MB |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
  NAMES.forEach((each, i) => console.log(inProcess("compile", each, folders[i] ?? "")));
  console.log(
    "\n| document | read index, search, load, describe: ms | of the processor, ms | heap, MB | characters of the card |",
  );
  console.log("| --- | ---: | ---: | ---: | ---: |");
  NAMES.forEach((each, i) => console.log(inProcess("serve", each, folders[i] ?? "", "--max-old-space-size=64")));
  for (const each of folders) rmSync(each, { recursive: true });
}

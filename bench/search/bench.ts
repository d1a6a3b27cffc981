/**
 * `npm run bench:search`: how often the right operation comes first, among the first five and among the first twenty,
 * over questions that people would ask of real documents. `-- --tune` shows each question that is not held out and whose
 * answer is not first, and nothing of the others.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { compile } from "../../src/openapi/compile.ts";
import type { ApiIr } from "../../src/openapi/ir.ts";
import { parseDocument } from "../../src/openapi/parse.ts";
import { createSearch, type Search } from "../../src/openapi/search.ts";
import { toIndexEntry } from "../../src/openapi/storage.ts";
import { CACHE, figmaDocument, githubDocument, listDocuments } from "../openapi/documents.ts";
import { readQuestions, type Question } from "./questions.ts";

const isTuning = process.argv.includes("--tune");
/** For tuning: compiled documents of an earlier run. */
const isCached = process.argv.includes("--cached");

interface Ranked extends Question {
  /** From 1; infinite when the right answer is not among the first twenty. */
  readonly rank: number;
  readonly first: string;
  readonly milliseconds: number;
}

function compileDocument(name: string): ApiIr {
  const cached = join(CACHE, `../search/${name}.json`);
  if (isCached && existsSync(cached)) return JSON.parse(readFileSync(cached, "utf8")) as ApiIr;
  const named = new Map([
    ["github", githubDocument],
    ["figma", figmaDocument],
  ]).get(name);
  const document = named?.() ?? listDocuments(name).find((each) => each.name === name);
  const parsed = document === undefined ? undefined : parseDocument(document.read());
  if (parsed?.ok !== true) throw new Error(`no document ${name}`);
  const ir = compile(parsed.document, { api: "bench", server: "https://api.example.com" });
  mkdirSync(join(CACHE, "../search"), { recursive: true });
  writeFileSync(cached, JSON.stringify(ir));
  return ir;
}

function toSearch(ir: ApiIr): Search {
  return createSearch(ir.operations.map(toIndexEntry), ir.operations);
}

function rank(question: Question, search: Search): Ranked {
  const startedMs = performance.now();
  const hits = search.find(question.ask, 20);
  const milliseconds = performance.now() - startedMs;
  const found = hits.map(({ entry }) => `${entry.method} ${entry.path}`);
  const place = found.findIndex((operation) => question.right.includes(operation));
  return { ...question, rank: place < 0 ? Number.POSITIVE_INFINITY : place + 1, first: found[0] ?? "-", milliseconds };
}

function row(name: string, ranked: readonly Ranked[]): string {
  const share = (limit: number): string =>
    (ranked.filter((each) => each.rank <= limit).length / Math.max(ranked.length, 1)).toFixed(3);
  const mrr = ranked.reduce((sum, each) => sum + 1 / each.rank, 0) / Math.max(ranked.length, 1);
  const times = ranked.map((each) => each.milliseconds).toSorted((a, b) => a - b);
  return `| ${name} | ${ranked.length} | ${share(1)} | ${share(5)} | ${share(20)} | ${mrr.toFixed(3)} | ${times[Math.floor(times.length / 2)]?.toFixed(1)} |`;
}

const questions = readQuestions();
const documents = [...new Set(questions.map(({ document }) => document))];
const ranked = documents.flatMap((name) => {
  const search = toSearch(compileDocument(name));
  return questions.filter(({ document }) => document === name).map((question) => rank(question, search));
});
const tuned = ranked.filter(({ isHeldOut }) => !isHeldOut);

if (isTuning) {
  for (const each of tuned.filter((one) => one.rank > 1)) {
    console.log(
      `${each.document} ${each.rank}: ${each.ask}\n    right ${each.right.join(" or ")}\n    first ${each.first}`,
    );
  }
}
console.log("| questions | count | recall@1 | recall@5 | recall@20 | MRR | p50, ms |");
console.log("| --- | ---: | ---: | ---: | ---: | ---: | ---: |");
for (const name of documents) {
  console.log(
    row(
      name,
      (isTuning ? tuned : ranked).filter(({ document }) => document === name),
    ),
  );
}
console.log(row("those that were looked at", tuned));
if (!isTuning) {
  console.log(
    row(
      "held out",
      ranked.filter(({ isHeldOut }) => isHeldOut),
    ),
  );
  console.log(row("all", ranked));
}

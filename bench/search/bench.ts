/**
 * `npm run bench:search`: how often the right operation comes first, among the first five and among the first twenty,
 * over questions about real documents; what an answer takes in tokens, and a search in milliseconds. Each question is
 * put three times: as a model puts it that is connected to the server and knows the API, as one puts it that does not,
 * and word for word as a person would.
 * `-- --tune` shows each question that may be looked at and whose answer is not first, and nothing of those held out;
 * `-- --cached` takes compiled documents of an earlier run.
 */
import type { Api } from "../../src/contract/catalog.ts";
import { ApiConfig } from "../../src/contract/config.ts";
import { DEFAULT_HITS, presentHits } from "../../src/mcp/search-apis-text.ts";
import { estimateTokens } from "../../src/mcp/token-budget.ts";
import type { ApiIr, Operation } from "../../src/openapi/ir.ts";
import { createSearch, type Hit } from "../../src/openapi/search.ts";
import { toIndexEntry } from "../../src/openapi/storage.ts";
import { compileDocument } from "./compiled.ts";
import { readQuestions, WORDINGS, type Question, type Wording } from "./questions.ts";

const isTuning = process.argv.includes("--tune");
const isCached = process.argv.includes("--cached");
const MOST = 20;

interface Ranked extends Question {
  readonly wording: Wording;
  readonly text: string;
  /** From 1; infinite when the right answer is not among the first twenty. */
  readonly rank: number;
  readonly first: string;
  readonly milliseconds: number;
  /** Of the answer that `search_apis` would give. */
  readonly tokens: number;
}

/** Asks all questions about a document, in every wording. */
function askAll(document: string, questions: readonly Question[]): Ranked[] {
  const ir = compileDocument(document, isCached);
  const search = createSearch(ir.operations.map(toIndexEntry), ir.operations, ir.tags);
  const cards = new Map(ir.operations.map((operation) => [`${ir.api} ${operation.name}`, operation]));
  return questions.flatMap((question) =>
    WORDINGS.flatMap((wording): Ranked[] => {
      const text = question[wording];
      if (text === undefined) return [];
      const startedMs = performance.now();
      const { hits, total } = search.search(text, MOST);
      const milliseconds = performance.now() - startedMs;
      const found = hits.map(({ entry }) => `${entry.method} ${entry.path}`);
      const place = found.findIndex((operation) => question.right.includes(operation));
      const rank = place < 0 ? Number.POSITIVE_INFINITY : place + 1;
      const tokens = countTokens(ir, hits, total, cards);
      return [{ ...question, wording, text, rank, first: found[0] ?? "-", milliseconds, tokens }];
    }),
  );
}

function countTokens(
  { api: name }: ApiIr,
  hits: readonly Hit[],
  total: number,
  cards: ReadonlyMap<string, Operation>,
): number {
  const api = { ...ApiConfig.parse({ description: name, domains: ["api.example.com"] }), name } as unknown as Api;
  const shown = hits.slice(0, DEFAULT_HITS).map((hit) => ({ api, ...hit }));
  return estimateTokens(presentHits({ hits: shown, total, apis: [api], leftOut: 0, isExact: false }, cards));
}

function row(name: string, ranked: readonly Ranked[]): string {
  const share = (limit: number): string =>
    (ranked.filter((each) => each.rank <= limit).length / Math.max(ranked.length, 1)).toFixed(3);
  const mrr = ranked.reduce((sum, each) => sum + 1 / each.rank, 0) / Math.max(ranked.length, 1);
  const tokens = ranked.map((each) => each.tokens);
  const mean = tokens.reduce((a, b) => a + b, 0) / Math.max(tokens.length, 1);
  const times = ranked.map((each) => each.milliseconds);
  return `| ${[
    name,
    ranked.length,
    share(1),
    share(5),
    share(MOST),
    mrr.toFixed(3),
    mean.toFixed(0),
    quantile(tokens, 0.95).toFixed(0),
    quantile(times, 0.5).toFixed(1),
    quantile(times, 0.95).toFixed(1),
  ].join(" | ")} |`;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
}

function rankAll(questions: readonly Question[]): Ranked[] {
  return [...new Set(questions.map(({ document }) => document))].flatMap((document) =>
    askAll(
      document,
      questions.filter((question) => question.document === document),
    ),
  );
}

const TITLES: Readonly<Record<Wording, string>> = {
  query: "as a model puts them",
  unfamiliar: "as one that does not know the API",
  ask: "word for word",
};

const counted = rankAll(readQuestions().filter(({ isHeldOut }) => !(isTuning && isHeldOut)));
const tuning = rankAll(readQuestions("tuning"));
if (isTuning) {
  for (const each of [...counted, ...tuning].filter(({ rank }) => rank > 1)) {
    console.log(
      `${each.document} ${each.rank}: ${each.text}\n    right ${each.right.join(" or ")}\n    first ${each.first}`,
    );
  }
}
console.log(
  "| questions | count | recall@1 | recall@5 | recall@20 | MRR | tokens, mean | p95 | milliseconds, p50 | p95 |",
);
console.log(`| --- |${" ---: |".repeat(9)}`);
for (const wording of WORDINGS) {
  const ofWording = counted.filter((each) => each.wording === wording);
  const title = TITLES[wording];
  for (const document of new Set(ofWording.map((each) => each.document))) {
    const ofDocument = ofWording.filter((each) => each.document === document);
    console.log(row(`${document}, ${title}`, ofDocument));
  }
  const looked = ofWording.filter(({ isHeldOut }) => !isHeldOut);
  const others = tuning.filter((each) => each.wording === wording);
  if (others.length > 0) console.log(row(`of other documents, for tuning, ${title}`, others));
  console.log(row(`those that were looked at, ${title}`, looked));
  if (isTuning) continue;
  const heldOut = ofWording.filter(({ isHeldOut }) => isHeldOut);
  console.log(row(`held out, ${title}`, heldOut));
  console.log(row(`all but those for tuning, ${title}`, ofWording));
}

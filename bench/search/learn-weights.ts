/**
 * `node bench/search/learn-weights.ts [--cached]`: learns what each number of src/openapi/search/fit.ts counts, from the
 * questions that may be looked at, in every wording: a conditional logit, which makes the right operations likely among a question's
 * candidates. Prints the weights, and how well they do on documents that they were not learnt from, in five parts.
 */
import { toFit, WEIGHTS, type Fit } from "../../src/openapi/search/fit.ts";
import { findCandidates, toAsked } from "../../src/openapi/search/rank.ts";
import { toSearchIndex } from "../../src/openapi/search/search-index.ts";
import { toIndexEntry } from "../../src/openapi/storage.ts";
import { compileDocument } from "./compiled.ts";
import { readQuestions, WORDINGS, type Question, type Wording } from "./questions.ts";

const KEYS = Object.keys(WEIGHTS) as (keyof Fit)[];
const MAX_CANDIDATES = 100;
const ROUNDS = 200;
const PARTS = 5;
/** How much a weight is pulled to where it starts. */
const PULL = 0.5;
/** Where the weights start: only what the words weigh counts. */
const START: readonly number[] = KEYS.map((key) => (key === "share" ? 2 : 0));

interface Example {
  readonly question: Question;
  readonly wording: Wording;
  readonly rows: readonly (readonly number[])[];
  readonly isRight: readonly boolean[];
}

function readExamples(): Example[] {
  const all = [...readQuestions().filter(({ isHeldOut }) => !isHeldOut), ...readQuestions("tuning")];
  return [...new Set(all.map(({ document }) => document))].flatMap((document) => {
    const { operations, tags } = compileDocument(document, process.argv.includes("--cached"));
    const [index, entries] = [toSearchIndex(operations, tags), operations.map(toIndexEntry)];
    const toExample = (question: Question, wording: Wording, text: string): Example => {
      const asked = toAsked(text, index);
      const found = findCandidates(asked, entries).slice(0, MAX_CANDIDATES);
      const fits = found.map(({ candidate }) => toFit(candidate, asked));
      const isRight = found.map(({ candidate: { entry } }) => question.right.includes(`${entry.method} ${entry.path}`));
      return { question, wording, rows: fits.map((fit) => KEYS.map((key) => fit[key])), isRight };
    };
    return all
      .filter((question) => question.document === document)
      .flatMap((question) =>
        WORDINGS.flatMap((wording) => {
          const text = question[wording];
          return text === undefined ? [] : [toExample(question, wording, text)];
        }),
      );
  });
}

const dot = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, each, at) => sum + each * (b[at] ?? 0), 0);

/** RMSprop with momentum on the negative log likelihood of a right operation coming first. */
function learn(examples: readonly Example[]): number[] {
  const known = examples.filter(({ isRight }) => isRight.includes(true));
  const weights = [...START];
  const squares = KEYS.map(() => 0);
  const moments = KEYS.map(() => 0);
  for (let round = 0; round < ROUNDS; round++) {
    const slope = KEYS.map((_, at) => PULL * ((weights[at] ?? 0) - (START[at] ?? 0)));
    for (const { rows, isRight } of known) {
      const scores = rows.map((row) => dot(row, weights));
      const most = Math.max(...scores);
      const odds = scores.map((score) => Math.exp(score - most));
      const all = odds.reduce((a, b) => a + b, 0);
      const right = odds.reduce((sum, each, at) => sum + (isRight[at] === true ? each : 0), 0);
      for (const [at, row] of rows.entries()) {
        const share = (odds[at] ?? 0) / all - (isRight[at] === true ? (odds[at] ?? 0) / right : 0);
        for (const [key, value] of row.entries()) slope[key] = (slope[key] ?? 0) + share * value;
      }
    }
    const rate = round < 0.6 * ROUNDS ? 0.12 : round < 0.85 * ROUNDS ? 0.04 : 0.01;
    for (const [at, each] of slope.entries()) {
      squares[at] = 0.95 * (squares[at] ?? 0) + 0.05 * each * each;
      moments[at] = 0.8 * (moments[at] ?? 0) + 0.2 * each;
      const size = Math.sqrt((squares[at] ?? 0) / (1 - 0.95 ** (round + 1))) + 1e-6;
      weights[at] = (weights[at] ?? 0) - (rate * (moments[at] ?? 0)) / size;
    }
  }
  return weights;
}

function rankOf({ rows, isRight }: Example, weights: readonly number[]): number {
  const order = rows
    .map((row, at) => ({ score: dot(row, weights), isRight: isRight[at] === true }))
    .toSorted((a, b) => b.score - a.score);
  const place = order.findIndex((each) => each.isRight);
  return place < 0 ? Number.POSITIVE_INFINITY : place + 1;
}

const examples = readExamples();
const documents = [...new Set(examples.map(({ question }) => question.document))];
const ranks = new Map<Example, number>();
for (let part = 0; part < PARTS; part++) {
  const out = new Set(documents.filter((_, at) => at % PARTS === part));
  const weights = learn(examples.filter(({ question }) => !out.has(question.document)));
  for (const example of examples.filter(({ question }) => out.has(question.document)))
    ranks.set(example, rankOf(example, weights));
}
for (const wording of WORDINGS) {
  const own = [...ranks].filter(([example]) => example.wording === wording).map(([, rank]) => rank);
  const recall = (limit: number): string => (own.filter((rank) => rank <= limit).length / own.length).toFixed(3);
  const mrr = own.reduce((sum, rank) => sum + 1 / rank, 0) / own.length;
  console.log(
    `${wording}: ${own.length} recall@1 ${recall(1)} @5 ${recall(5)} @20 ${recall(20)} MRR ${mrr.toFixed(3)}`,
  );
}
const weights = learn(examples);
console.log(KEYS.map((key, at) => `${key}: ${(weights[at] ?? 0).toFixed(2)}`).join(",\n"));

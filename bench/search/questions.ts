/**
 * The questions of the search benchmark: what a person would ask, what a model makes of it when it calls `search_apis`,
 * and the operations that are right answers to it. Of those in `questions/` a third, chosen by a digest of their text, is
 * held out: it is counted and never looked at one by one. Those in `tuning/` are about other documents and are not
 * counted: ranking is learnt from them and from the others.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

import { z } from "zod";

const AskedQuestion = z.strictObject({
  /** In the words of a person. */
  ask: z.string().min(3),
  /** What a language model searched for that was asked this: it had read tools/list and the API's name, nothing else. */
  query: z.string().min(3),
  /** The same of one that was told neither the API nor to use what it knows of any: the API might be anybody's own. */
  unfamiliar: z.string().min(3).optional(),
  /** `METHOD /path` of every operation that answers the question. */
  right: z.array(z.string()).min(1),
});
const QuestionFile = z.strictObject({ document: z.string(), questions: z.array(AskedQuestion) });

/** The ways in which each question is put. */
export const WORDINGS = ["query", "unfamiliar", "ask"] as const;
export type Wording = (typeof WORDINGS)[number];

export interface Question extends z.infer<typeof AskedQuestion> {
  readonly document: string;
  readonly isHeldOut: boolean;
}

/** Every question of every file in a folder, in the order of the files' names. */
export function readQuestions(which: "questions" | "tuning" = "questions"): Question[] {
  const folder = join(import.meta.dirname, which);
  return readdirSync(folder)
    .toSorted()
    .flatMap((name) => {
      const file = QuestionFile.parse(JSON.parse(readFileSync(join(folder, name), "utf8")));
      return file.questions.map((question) => ({
        document: file.document,
        ...question,
        isHeldOut: which === "questions" && digestOf(file.document, question.ask) % 3 === 0,
      }));
    });
}

function digestOf(document: string, ask: string): number {
  return createHash("sha256").update(`${document}: ${ask}`).digest().readUInt32BE(0);
}

/**
 * What leaves the isolate is parsed, not believed: the code shares the isolate with the harness and can forge whatever
 * it says. Only `completed` and `threw` can be claimed from inside.
 */
import { z } from "zod";

import { Media } from "../src/contract/outcome.ts";
import { LogLine } from "../src/contract/run.ts";

const logs = z.array(LogLine);

export const Claim = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("completed"),
    text: z.string().optional(),
    json: z.string().optional(),
    media: z.array(Media).default([]),
    logs,
  }),
  z.object({ kind: z.literal("threw"), message: z.string(), stack: z.string(), logs }),
]);
export type Claim = z.infer<typeof Claim>;

/**
 * How a run ended: one tagged union. Only `completed` and `threw` can be claimed from inside the isolate; every other
 * kind is said by what surrounds it.
 */
import { z } from "zod";

import { LogLine } from "./run.ts";

/** An image or sound among the returned values, ready for an MCP content block. */
export const Media = z.strictObject({
  type: z.enum(["image", "audio"]),
  mimeType: z.string(),
  /** Base64. */
  data: z.string(),
});
export type Media = z.infer<typeof Media>;

/** A returned value for the model: its JSON text when it has one, else a text. One copy, for it may be large. */
export const RenderedValue = z.union([
  z.strictObject({ json: z.string(), media: z.array(Media) }),
  z.strictObject({ text: z.string(), media: z.array(Media) }),
]);
export type RenderedValue = z.infer<typeof RenderedValue>;

/**
 * Where in the user's own text: 1-based line and column, and the line itself with a caret under the column. `file` is
 * absent for a block, which is in no file.
 */
export const Position = z.strictObject({
  file: z.string().optional(),
  line: z.number().int().positive(),
  column: z.number().int().positive(),
  frame: z.string(),
});
export type Position = z.infer<typeof Position>;

/** The lines that had not left through `RunControl.onLogs` while the code ran. */
const logs = z.array(LogLine);

export const Outcome = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("completed"), value: RenderedValue.nullable(), logs }),
  z.strictObject({ kind: z.literal("threw"), message: z.string(), position: Position.nullable(), logs }),
  z.strictObject({ kind: z.literal("not_compilable"), message: z.string(), position: Position.nullable(), logs }),
  /** `cpuLimitMs` is there when it was that which the code exceeded, and not its time. */
  z.strictObject({
    kind: z.literal("timed_out"),
    timeoutMs: z.number(),
    cpuLimitMs: z.number().optional(),
    logs,
  }),
  z.strictObject({ kind: z.literal("cancelled"), logs }),
  z.strictObject({ kind: z.literal("hung"), logs }),
  z.strictObject({ kind: z.literal("exited"), logs }),
  z.strictObject({ kind: z.literal("out_of_memory"), logs }),
  z.strictObject({ kind: z.literal("result_too_large"), logs }),
  z.strictObject({ kind: z.literal("sandbox_restarted"), logs }),
  /** It could not begin before its time was over. */
  z.strictObject({ kind: z.literal("sandbox_busy"), logs }),
  /** The proxy did not open it. */
  z.strictObject({ kind: z.literal("not_started"), logs }),
  z.strictObject({ kind: z.literal("queue_full"), logs }),
  z.strictObject({ kind: z.literal("queue_timeout"), timeoutMs: z.number(), logs }),
  z.strictObject({ kind: z.literal("nested_too_deep"), maxDepth: z.number(), logs }),
  z.strictObject({ kind: z.literal("ended_by_platform"), message: z.string(), logs }),
]);
export type Outcome = z.infer<typeof Outcome>;

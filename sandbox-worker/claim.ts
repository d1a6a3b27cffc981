/**
 * What leaves the isolate is parsed, not believed: the code shares the isolate with the harness and can forge whatever
 * it says. Only `completed` and `threw` can be claimed from inside, in the sizes that the harness keeps to.
 */
import { z } from "zod";

import { Media } from "../src/contract/outcome.ts";
import { LogLine } from "../src/contract/run.ts";

/** Longest result, in characters of its text and of its media together. */
export const MAX_RESULT_CHARS = 24 * 1024 * 1024;
/** What a run may log, counted outside as well. */
export const MAX_LOG_CHARS = 600_000;
export const MAX_LOG_LINES = 10_001;
const MAX_TEXT = 65_536;

const ClaimedLogs = z.array(LogLine).max(MAX_LOG_LINES);

/** Parses a batch of the code's console lines, a JSON text; null when it is none that the harness would send. */
export function parseLogs(batch: unknown): LogLine[] | null {
  const parsed = typeof batch === "string" ? ClaimedLogs.safeParse(toJson(batch)) : null;
  return parsed?.success === true ? parsed.data : null;
}

const IMAGE_OR_SOUND = /^(image|audio)\/[a-z0-9.+-]{1,64}$/;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const ClaimedMedia = Media.extend({ mimeType: z.string().regex(IMAGE_OR_SOUND), data: z.string().regex(BASE64) });

const Claim = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("completed"),
    text: z.string().optional(),
    json: z.string().optional(),
    media: z.array(ClaimedMedia).max(1_000),
    /** The harness had more to send than may leave; the code gains nothing by saying so. */
    isTooLong: z.boolean().default(false),
    logs: ClaimedLogs,
  }),
  z.object({
    kind: z.literal("threw"),
    message: z.string().max(MAX_TEXT),
    stack: z.string().max(MAX_TEXT),
    logs: ClaimedLogs,
  }),
]);
export type Claim = z.infer<typeof Claim>;
export type Completed = Extract<Claim, { kind: "completed" }>;

/** Parses an isolate's answer; null when it is none that the harness would give. */
export function parseClaim(answer: unknown): Claim | null {
  if (typeof answer !== "string") return null;
  const parsed = Claim.safeParse(toJson(answer));
  if (!parsed.success) return null;
  const isForged =
    parsed.data.kind === "completed" && parsed.data.json !== undefined && toJson(parsed.data.json) === undefined;
  return isForged ? null : parsed.data;
}

/** Whether a result is longer than a run may answer with. */
export function isTooLarge({ text = "", json = "", media, isTooLong }: Completed): boolean {
  const length = media.reduce((sum, { data }) => sum + data.length, text.length + json.length);
  return isTooLong || length > MAX_RESULT_CHARS;
}

function toJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

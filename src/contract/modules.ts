/**
 * Saved files that code imports: the sandbox, which reads the code, asks the server, which holds the files, while it
 * compiles. A file's id is its place: `skills/<name>/<path>`.
 */
import { z } from "zod";

/** One import: the specifier as it was written, and the file it stands in; null for a block. */
export const ModuleRequest = z.strictObject({ specifier: z.string(), from: z.string().nullable() });
export type ModuleRequest = z.infer<typeof ModuleRequest>;

/** The file that is meant, or a sentence that says why there is none. */
export const ModuleAnswer = z.discriminatedUnion("ok", [
  z.strictObject({ ok: z.literal(true), id: z.string(), code: z.string() }),
  z.strictObject({ ok: z.literal(false), message: z.string() }),
]);
export type ModuleAnswer = z.infer<typeof ModuleAnswer>;

/** The callback that gives files: one answer for each request, in order. */
export interface ModuleSource {
  modules(requests: readonly ModuleRequest[]): Promise<readonly ModuleAnswer[]>;
}

/** What `Sandbox.check` compiles: the file that runs, and the others of its skill, by id. */
export interface CheckRequest {
  readonly main: string;
  readonly files: Readonly<Record<string, string>>;
}

/** Something that does not compile. */
export const CompileIssue = z.object({
  /** The id of the file. */
  file: z.string(),
  line: z.number().optional(),
  message: z.string(),
});
export type CompileIssue = z.infer<typeof CompileIssue>;

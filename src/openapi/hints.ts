/**
 * MCP annotations (rules M13 and M13a). A method says what it does; a name may say it does more. Hints only ever become
 * more careful by guessing; only the document's author can make them less so.
 */
import type { Annotations } from "./ir.ts";
import { isObject, toObject, type Json } from "./json.ts";

const READ_ONLY: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY"]);
const DESTRUCTIVE: ReadonlySet<string> = new Set(["DELETE", "PUT", "PATCH"]);
const IDEMPOTENT: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "QUERY", "PUT", "DELETE"]);
const DESTRUCTIVE_WORDS: ReadonlySet<string> = new Set(
  "delete remove destroy purge revoke cancel terminate wipe reset archive".split(" "),
);
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"] as const;

/** Whether a person is to be asked before the operation is called. */
export function needsConfirmation(operation: Json): boolean {
  return operation["x-forge-require-confirmation"] === true || toObject(operation["x-mcp"])["confirm"] === true;
}

/** The annotations of an operation; `words` are the words of its name, before it was shortened. */
export function toAnnotations(method: string, words: readonly string[], operation: Json): Annotations {
  const careful = needsConfirmation(operation);
  const destructive = careful || words.some((word) => DESTRUCTIVE_WORDS.has(word));
  const guessed: Annotations = {
    readOnlyHint: READ_ONLY.has(method) && !destructive,
    destructiveHint: DESTRUCTIVE.has(method) || destructive,
    idempotentHint: IDEMPOTENT.has(method),
    openWorldHint: true,
  };
  const written = toObject(operation["x-mcp"])["annotations"];
  if (!isObject(written)) return guessed;
  const chosen = HINTS.map(
    (hint) => [hint, typeof written[hint] === "boolean" ? written[hint] : guessed[hint]] as const,
  );
  const overridden = Object.fromEntries(chosen) as Record<(typeof HINTS)[number], boolean>;
  // Asking first and calling it harmless would contradict each other.
  return careful ? { ...overridden, readOnlyHint: false, destructiveHint: true } : overridden;
}

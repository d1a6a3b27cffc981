/**
 * What an operation answers (rule M12): the first success response, its media type and a bounded schema for people and
 * type signatures. It is never a tool's `outputSchema`: clients would refuse every answer that drifts from it.
 */
import type { Output } from "./ir.ts";
import { byCodeUnit, defined, toObject, type Json } from "./json.ts";
import { preferred } from "./media.ts";
import { declaresLink } from "./pagination.ts";
import type { Refs } from "./refs.ts";
import type { Bundler } from "./schema/bundle.ts";
import type { Schemas } from "./schema/normalise.ts";

/** Answers are described within this many bytes; a card is to be read by a model. */
export const MAX_OUTPUT_BYTES = 4 * 1024;

/** The first success answer, and whether it announces further pages in a `Link` header. */
export interface Answer {
  readonly output?: Output;
  readonly link: boolean;
}

/** Reads an operation's success answer; one that cannot be resolved is told to `warn` and costs nothing else. */
export function readAnswer(
  operation: Json,
  context: { readonly refs: Refs; readonly schemas: Schemas; readonly bundler: Bundler },
  warn: (message: string) => void,
): Answer {
  const responses = toObject(operation["responses"]);
  const status = successStatus(Object.keys(responses));
  if (status === undefined) return { link: false };
  try {
    const response = context.refs.deref(responses[status]);
    const content = toObject(response["content"]);
    const declared = preferred(Object.keys(content), "GET");
    const link = declaresLink(response);
    if (declared === undefined) return { output: { status }, link };
    const schema = context.schemas.normalise(context.refs.deref(content[declared])["schema"]);
    const bundle = context.bundler.bundle(schema, MAX_OUTPUT_BYTES);
    // A choice among hundreds of types does not get shorter by cutting: then nothing is told.
    const told = bundle.fits && Object.keys(bundle.schema).length > 0 ? bundle.schema : undefined;
    const truncated = bundle.truncated || !bundle.fits ? (true as const) : undefined;
    return { output: defined({ status, mediaType: declared, schema: told, truncated }), link };
  } catch (error) {
    warn(`the ${status} response is left out: ${error instanceof Error ? error.message : String(error)}`);
    return { output: { status }, link: false };
  }
}

function successStatus(statuses: readonly string[]): string | undefined {
  const successes = statuses.filter((status) => /^2(?:\d\d|XX)$/i.test(status)).toSorted(byCodeUnit);
  return successes[0] ?? statuses.find((status) => status === "default");
}

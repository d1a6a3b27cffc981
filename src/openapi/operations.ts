/**
 * The operations of a document (rule M1): every method of every path, and the ones left out before anything else is
 * asked, each with its rule. They come in the document's order, which nothing after this depends on.
 */
import { isObject, toObject, type Json } from "./json.ts";
import type { Refs } from "./refs.ts";
import { Skip } from "./skip.ts";
import type { Skipped } from "./ir.ts";

const METHODS = ["get", "put", "post", "delete", "patch", "head", "options", "trace", "query"] as const;
/** `fetch` refuses these whoever asks. */
const FORBIDDEN: ReadonlySet<string> = new Set(["TRACE", "CONNECT", "TRACK"]);
const RARELY_USEFUL: ReadonlySet<string> = new Set(["HEAD", "OPTIONS"]);
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** An operation as it stands in the document. */
export interface Candidate {
  readonly method: string;
  readonly path: string;
  readonly item: Json;
  readonly operation: Json;
}

/** What a document's paths hold. */
export interface Candidates {
  readonly candidates: readonly Candidate[];
  readonly skipped: readonly Skipped[];
  readonly callbacks: number;
  readonly webhooks: number;
}

/** Lists a document's operations. `methods` names those of HEAD and OPTIONS that are wanted all the same. */
export function listOperations(root: Json, refs: Refs, methods: readonly string[]): Candidates {
  const candidates: Candidate[] = [];
  const skipped: Skipped[] = [];
  let callbacks = 0;
  for (const [path, raw] of Object.entries(toObject(root["paths"]))) {
    if (!path.startsWith("/")) continue;
    const item = resolveItem(raw, path, refs, skipped);
    for (const [method, operation] of methodsOf(item)) {
      callbacks += Object.keys(toObject(operation["callbacks"])).length;
      const reason = refusal(method, operation, methods);
      if (reason === undefined) candidates.push({ method, path, item, operation });
      else skipped.push({ method, path, ...reason });
    }
  }
  return { candidates, skipped, callbacks, webhooks: Object.keys(toObject(root["webhooks"])).length };
}

function resolveItem(raw: unknown, path: string, refs: Refs, skipped: Skipped[]): Json {
  try {
    return refs.deref(raw);
  } catch (error) {
    if (!(error instanceof Skip)) throw error;
    skipped.push({ method: "*", path, rule: error.rule, reason: error.message });
    return {};
  }
}

function methodsOf(item: Json): [string, Json][] {
  const fixed = METHODS.map((method): [string, unknown] => [method.toUpperCase(), item[method]]);
  const additional = Object.entries(toObject(item["additionalOperations"]));
  return [...fixed, ...additional].filter((entry): entry is [string, Json] => isObject(entry[1]));
}

function refusal(
  method: string,
  operation: Json,
  wanted: readonly string[],
): Pick<Skipped, "rule" | "reason"> | undefined {
  const excluded = exclusion(operation);
  if (excluded !== undefined) return { rule: "excluded", reason: `${excluded} in the document` };
  if (FORBIDDEN.has(method.toUpperCase()) || !TOKEN.test(method)) {
    return { rule: "method_unsupported", reason: `fetch cannot send ${JSON.stringify(method.slice(0, 40))}` };
  }
  if (RARELY_USEFUL.has(method) && !wanted.includes(method)) {
    return { rule: "method_not_useful", reason: `${method} is mapped only when asked for` };
  }
  return undefined;
}

function exclusion(operation: Json): string | undefined {
  if (operation["x-mcp"] === false) return "x-mcp: false";
  if (operation["x-internal"] === true) return "x-internal: true";
  if (operation["x-fern-ignore"] === true) return "x-fern-ignore: true";
  if (toObject(operation["x-speakeasy-mcp"])["disabled"] === true) return "x-speakeasy-mcp.disabled: true";
  return undefined;
}

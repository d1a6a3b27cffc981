/**
 * The part of policy that needs the body: a form or a JSON object may name another method in `_method`, and a GraphQL
 * POST may be no query. Only bodies that a rule depends on are read; every other one streams on untouched.
 */
import type { RunPolicy } from "../src/contract/run.ts";
import { bufferUpTo, decodeUtf8, toBinary, type RequestBody } from "./body.ts";
import type { Denial, RedirectOrigin } from "./denial.ts";
import { checkGraphqlBody } from "./graphql.ts";
import { scanJson } from "./json.ts";
import { readDelimiter, readPartsLax } from "./multipart.ts";
import { decide, type Decision, type PolicyContext } from "./policy.ts";
import type { Inspection } from "./rules.ts";
import { isOverrideParameter, readOverride, readOverrides, type Target } from "./target.ts";

/** Largest body that is read for a rule; a larger one is refused, for its end cannot be judged. */
export const MAX_INSPECTED_BYTES = 10 * 1024 * 1024;

/** A decision, and the body as it stands after it was made. */
export interface Admission {
  readonly decision: Decision;
  readonly body: RequestBody;
}

/** Decides about one request, its body included where a rule depends on it. */
export async function admit(
  context: PolicyContext,
  policy: RunPolicy,
  target: Target,
  request: { readonly headers: Headers; readonly body: RequestBody },
  redirectedFrom: RedirectOrigin | null = null,
): Promise<Admission> {
  const { headers, body } = request;
  const decision = decide(context, policy, target, redirectedFrom);
  if (!decision.allowed || decision.inspect === null) return { decision, body };
  const refuse = (denial: Denial): Admission => ({ decision: { allowed: false, denial }, body });

  const bytes = await bufferUpTo(body ?? new Uint8Array(), MAX_INSPECTED_BYTES);
  if (!(bytes instanceof Uint8Array)) {
    await bytes.cancel();
    return refuse({ code: "body_too_large", maxBytes: MAX_INSPECTED_BYTES, why: WHY_READ[decision.inspect] });
  }
  const isText = decision.inspect === "graphql" || target.mediaType.includes("json");
  const text = isText ? decodeUtf8(bytes) : toBinary(bytes);
  if (text === null || !isPlain(headers)) return refuse({ code: "body_unreadable" });
  if (decision.inspect === "graphql") {
    const reason = checkGraphqlBody(target.mediaType, text);
    if (reason === null) return { decision, body: bytes };
    return refuse({ code: "read_only_graphql", api: decision.api?.name ?? "", reason });
  }
  const overrides = readBodyOverrides(target.mediaType, headers, text);
  if (overrides === null) return refuse({ code: "body_unreadable" });
  if (overrides.length === 0) return { decision, body: bytes };
  const effectiveMethods = [...new Set([...target.effectiveMethods, ...overrides])];
  return { decision: decide(context, policy, { ...target, effectiveMethods }, redirectedFrom), body: bytes };
}

const WHY_READ: Readonly<Record<Inspection, string>> = {
  override: "where methods are restricted, bodies are read for _method",
  graphql: "in a read-only run, GraphQL documents are read",
};

/**
 * The methods that a body names in place of the request's own, by every way to read it that its type may mean; null
 * when one of them has no certain answer.
 */
function readBodyOverrides(mediaType: string, headers: Headers, text: string): string[] | null {
  const isMultipart = mediaType.includes("multipart");
  const isJson = mediaType.includes("json");
  const parts = isMultipart ? readFieldOverrides(headers, text) : [];
  const members = isJson ? readMemberOverrides(text) : [];
  if (parts === null || members === null) return null;
  return isMultipart || isJson ? [...parts, ...members] : readOverrides(text);
}

/** Null when there is no one boundary to read by. */
function readFieldOverrides(headers: Headers, text: string): string[] | null {
  const delimiter = readDelimiter(headers.get("content-type") ?? "");
  if (delimiter === null) return null;
  return readPartsLax(text, delimiter).flatMap(({ names, value }) =>
    names.flatMap((name) => readOverride(name, value)),
  );
}

/** Null when readers may differ. A member `method` is data: what a check of a web site is to send, what JSON-RPC calls. */
function readMemberOverrides(text: string): string[] | null {
  const members = readMembers(text);
  const named = members?.filter(([name]) => isOverrideParameter(name));
  return named?.flatMap(([name, value]) => (typeof value === "string" ? readOverride(name, value) : [])) ?? null;
}

/** A member's name, with the colon that makes it one. */
const MEMBER_NAME = /("[^"\\]*(?:\\.[^"\\]*)*")\s*:/g;

/**
 * The members of a JSON object; null when readers may differ about a method in it: what is no JSON to us may be JSON to
 * a lenient reader, and of two members of one name some take the first.
 */
function readMembers(text: string): [string, unknown][] | null {
  // Parsing every body would cost more than all other steps; an escaped name is the only other way to write it.
  if (!/method|\\u/i.test(text)) return [];
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return null;
  }
  const named = [...text.matchAll(MEMBER_NAME)].filter(([, name = '""']) =>
    isOverrideParameter(String(JSON.parse(name))),
  );
  if (named.length > 1 && scanJson(text)?.repeatedKey !== false) return null;
  return typeof parsed === "object" && parsed !== null ? Object.entries(parsed) : [];
}

/** Whether the upstream reads the same characters from the body as we do. */
function isPlain(headers: Headers): boolean {
  const contentType = headers.get("content-type") ?? "";
  const charsets = [...contentType.matchAll(/charset[^=]*=\s*"?([^\s;"]*)/gi)].map(([, charset = ""]) => charset);
  const encoding = headers.get("content-encoding") ?? "identity";
  const isUtf8 = charsets.every((charset) => /^(?:utf-?8|us-ascii)$/i.test(charset));
  return isUtf8 && encoding === "identity" && !contentType.includes(",");
}

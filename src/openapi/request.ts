/**
 * A call's arguments to the request it is: checked first, then method, URL, headers and body by the operation's plan.
 * Pure: what comes out is plain data that holds names of credentials and never a value, and is sent by somebody else.
 */
import { encode } from "./encode.ts";
import type { CredentialUse, Operation, ParameterPlan } from "./ir.ts";
import type { Json } from "./json.ts";
import { toHeader, toPairs, toPath, toQueryString } from "./styles.ts";
import { readArguments, type Problem } from "./validate.ts";
import { Unwritable, writeBody } from "./write-body.ts";

/** A request as plain data. A header's name occurs once. */
export interface BuiltRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export type RequestResult =
  | { readonly ok: true; readonly request: BuiltRequest }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/** Builds the request of one call, or says everything that is wrong with its arguments. */
export function buildRequest(operation: Operation, input: unknown): RequestResult {
  const read = readArguments(operation, input);
  if (!read.ok) return read;
  const problems: Problem[] = [];
  const attempt = <T>(path: string, write: () => T): T | undefined => {
    try {
      return write();
    } catch (error) {
      if (!(error instanceof Unwritable)) throw error;
      problems.push({ path: error.path === "" ? path : error.path, message: error.message });
      return undefined;
    }
  };
  const given = givenValues(operation.parameters, read.arguments);
  const url = attempt("", () => writeUrl(operation, given));
  const headers = attempt("", () => writeHeaders(operation, given)) ?? [];
  const { body: plan } = operation;
  const body = plan === undefined ? undefined : attempt("", () => writeBody(plan, read.arguments));
  if (problems.length > 0 || url === undefined) return { ok: false, problems };
  if (body !== undefined) headers.push(["Content-Type", body.contentType]);
  const request = { method: operation.method, url, headers, ...(body === undefined ? {} : { body: body.body }) };
  return { ok: true, request };
}

interface Given {
  readonly plan: ParameterPlan;
  readonly value: unknown;
}

/** Parameters that have a value: fixed by the document or given; a null that is allowed is still no value. */
function givenValues(plans: readonly ParameterPlan[], values: Json): Given[] {
  return plans.flatMap((plan): Given[] => {
    if (plan.key === undefined) return [{ plan, value: plan.fixed }];
    const value = Object.hasOwn(values, plan.key) ? values[plan.key] : undefined;
    return value === undefined || value === null ? [] : [{ plan, value }];
  });
}

function inPlace(given: readonly Given[], place: ParameterPlan["in"]): Given[] {
  return given.filter(({ plan }) => plan.in === place);
}

function writeUrl(operation: Operation, given: readonly Given[]): string {
  const [template = ""] = operation.path.split("#");
  const [path = "", ownQuery = ""] = splitOnce(template, "?");
  const written = path.replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const parameter = given.find(({ plan }) => plan.in === "path" && plan.name === name);
    if (parameter === undefined) return "";
    const { plan, value } = parameter;
    if (value === "" || value === "." || value === "..") {
      throw new Unwritable(plan.key ?? name, `${JSON.stringify(value)} cannot be a part of a path`);
    }
    return toPath(plan, value);
  });
  refuseDotSegments(written, operation);
  const pairs = [
    ...(ownQuery === "" ? [] : [ownQuery]),
    ...inPlace(given, "query").flatMap(({ plan, value }) => toPairs(plan, value)),
    ...inPlace(given, "querystring").flatMap(({ plan, value }) => toQueryString(plan, value)),
    ...credentials(operation, "query").map((use) => `${encode(use.name)}=${encode(use.placeholders[0] ?? "")}`),
  ];
  return `${operation.server}${escapeTemplate(written)}${pairs.length > 0 ? `?${pairs.join("&")}` : ""}`;
}

/** URL parsers take `%2e%2e` for `..`, so a segment of dots is refused however it came about. */
function refuseDotSegments(path: string, operation: Operation): void {
  const dots = path.split("/").find((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  if (dots === undefined) return;
  const keys = operation.parameters.filter((plan) => plan.in === "path").map((plan) => plan.key ?? plan.name);
  throw new Unwritable(
    keys.join(", "),
    `together make the path segment ${JSON.stringify(dots)}, which leads elsewhere`,
  );
}

/** Literal parts of a path template that are no URL characters: spaces, quotes, letters outside ASCII. */
function escapeTemplate(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=%]+/g, encode);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + separator.length)];
}

function writeHeaders(operation: Operation, given: readonly Given[]): [string, string][] {
  const written = inPlace(given, "header").map(({ plan, value }): [string, string] => [
    plan.name,
    headerText(plan, value),
  ]);
  const isCookie = ([name]: [string, string]): boolean => name.toLowerCase() === "cookie";
  const headers = written.filter((header) => !isCookie(header));
  for (const use of credentials(operation, "header")) headers.push([use.name, credentialText(use)]);
  const cookies = [
    ...written.filter(isCookie).map(([, text]) => text),
    ...inPlace(given, "cookie").flatMap(({ plan, value }) => toPairs(plan, value)),
    ...credentials(operation, "cookie").map((use) => `${use.name}=${use.placeholders[0] ?? ""}`),
  ];
  if (cookies.length > 0) headers.push(["Cookie", cookies.join("; ")]);
  return headers;
}

function headerText(plan: ParameterPlan, value: unknown): string {
  const text = toHeader(plan, value).trim();
  // fetch takes bytes only, and a line break would begin another header.
  if (/^[\t\x20-\x7E\x80-\xFF]*$/.test(text)) return text;
  throw new Unwritable(plan.key ?? plan.name, "cannot be sent in a header: only Latin-1 characters on one line can");
}

function credentials(operation: Operation, place: CredentialUse["in"]): CredentialUse[] {
  return operation.security.filter((use) => use.in === place);
}

/** What goes into the header: names only, to be replaced where the request leaves. */
function credentialText({ kind, placeholders }: CredentialUse): string {
  const [first = "", second = ""] = placeholders;
  if (kind === "bearer") return `Bearer ${first}`;
  return kind === "basic" ? `Basic ${btoa(`${first}:${second}`)}` : first;
}

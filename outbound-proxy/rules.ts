/**
 * The rules of one API for one request: methods (every one the request may be taken for), paths, batches, and what a
 * read-only run may do. A rule that needs the body says so with an `Inspection`; `inspect.ts` does it.
 */
import type { Api } from "../src/contract/catalog.ts";
import { METHODS } from "../src/contract/config.ts";
import type { RunPolicy } from "../src/contract/run.ts";
import type { Denial } from "./denial.ts";
import { checkGraphqlSearch } from "./graphql.ts";
import { matchesPaths, readPath } from "./paths.ts";
import type { Target } from "./target.ts";

/** `override`: the body may name another method in `_method`. `graphql`: it may be no query. */
export type Inspection = "override" | "graphql";

/** Whether the request can only be a read, by every method that it may be taken for. */
export function isRead(target: Target): boolean {
  return target.effectiveMethods.every((method) => method === "GET" || method === "HEAD");
}

/** Why the API's rules, or the run's being read-only, refuse the request; null when they do not. */
export function judge(policy: RunPolicy, target: Target, api: Api): Denial | null {
  return (
    judgeMethod(target, api) ??
    judgePath(target, api) ??
    judgeReadOnly(policy, target, api) ??
    judgeBatch(policy, target, api)
  );
}

/** What of the body has to be looked at before a request under these grants may leave. */
export function inspectionOf(policy: RunPolicy, target: Target, grants: readonly Api[]): Inspection | null {
  if (target.method !== "POST" && target.method !== "QUERY") return null;
  if (policy.readOnly && grants.some((api) => isAt(api.graphql, target))) return "graphql";
  if (!mayNameMethod(target.mediaType)) return null;
  return policy.readOnly || grants.some(hasMethodRules) ? "override" : null;
}

function judgeMethod(target: Target, api: Api): Denial | null {
  const named: readonly string[] = api.methods;
  if (!isCommon(target.method) && !named.includes(target.method)) return toUnknown(target.method);
  if (!hasMethodRules(api)) return null;
  const restricted: readonly string[] = api.restricted_methods;
  const allowed = (named.length === 0 ? METHODS : named).filter((method) => !restricted.includes(method));
  const method = target.effectiveMethods.find((name) => !allowed.includes(name));
  return method === undefined ? null : { code: "method_restricted", api: api.name, method, allowed };
}

/** Whether a method may leave without being named by an API. */
export function isCommon(method: string): boolean {
  return METHODS.some((known) => known === method);
}

/** What is said of a method that nothing lets out. */
export function toUnknown(method: string): Denial {
  return { code: "method_unknown", method, allowed: METHODS };
}

function judgePath(target: Target, api: Api): Denial | null {
  if (api.paths.length === 0) return null;
  const readings = readPath(target.url.pathname);
  if (readings === null) return { code: "path_ambiguous", api: api.name };
  return matchesPaths(api.paths, readings) ? null : { code: "path_not_allowed", api: api.name, allowed: api.paths };
}

function judgeReadOnly(policy: RunPolicy, target: Target, api: Api): Denial | null {
  if (!policy.readOnly) return null;
  const isGraphql = isAt(api.graphql, target);
  const reason = api.graphql === null ? null : checkGraphqlSearch(target, isGraphql);
  if (reason !== null) return { code: "read_only_graphql", api: api.name, reason };
  if (isRead(target)) return null;
  // QUERY is a read by its definition. So that an owner decides about each way to read with a body, it counts as POST.
  const method = target.effectiveMethods.find((name) => !["GET", "HEAD", "POST", "QUERY"].includes(name));
  const readings = readPath(target.url.pathname);
  const isReadPath = readings !== null && matchesPaths(api.read_only_paths, readings);
  if (method === undefined && (isReadPath || isGraphql)) return null;
  return { code: "read_only", method: method ?? target.method };
}

/** Requests within a body escape every rule, so where there are rules they are refused. */
function judgeBatch(policy: RunPolicy, target: Target, api: Api): Denial | null {
  if (!target.batch) return null;
  return policy.readOnly || hasMethodRules(api) || api.paths.length > 0
    ? { code: "batch_refused", api: api.name }
    : null;
}

/**
 * Whether frameworks look for `_method` in such a body: forms, JSON, any multipart and what has no type (Rack takes it
 * for a form). A word of it is enough: PHP ends a type at a blank, Laravel takes whatever has `/json` in it, and of two
 * types at once servers choose one.
 */
function mayNameMethod(mediaType: string): boolean {
  return mediaType === "" || /x-www-form-urlencoded|json|multipart/.test(mediaType);
}

function hasMethodRules(api: Api): boolean {
  return api.restricted_methods.length > 0 || api.methods.length > 0;
}

function isAt(path: string | null, target: Target): boolean {
  if (path === null) return false;
  const readings = readPath(target.url.pathname);
  return readings !== null && matchesPaths([path], readings);
}

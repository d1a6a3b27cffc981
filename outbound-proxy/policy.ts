/**
 * Whether a request may leave, and in whose name. An API of the run is a grant: its hosts, with its methods and paths,
 * for its credentials. A request leaves when a grant covers it, and carries credentials only of the grants that do, so
 * that naming fewer APIs never allows more. Knows nothing of `fetch`, `env`, the clock, or a `Host` header.
 */
import type { Api, Catalog } from "../src/contract/catalog.ts";
import { domainTexts, FURTHER_METHODS } from "../src/contract/config.ts";
import { matchesDomain, portOf, toDomainText, type DomainPattern } from "../src/contract/domains.ts";
import type { RunPolicy } from "../src/contract/run.ts";
import { isLoopbackHost, isPrivateHost } from "../src/contract/addresses.ts";
import type { Denial, RedirectOrigin } from "./denial.ts";
import { inspectionOf, isCommon, isRead, judge, toUnknown, type Inspection } from "./rules.ts";
import type { Target } from "./target.ts";

/** What policy knows of the deployment. `ownPorts` are the server's own on loopback; nothing opens them. */
export interface PolicyContext {
  readonly catalog: Catalog;
  readonly yolo: boolean;
  readonly ownPorts: readonly number[];
  /** APIs that are switched off: they grant nothing, and their hosts open by no other rule. */
  readonly disabled: ReadonlySet<string>;
}

export type Decision =
  | {
      readonly allowed: true;
      /** The API whose rules let the request out; null unless `via` is `api`. */
      readonly api: Api | null;
      /** Every API whose rules cover the request: their credentials may be injected, and no others. */
      readonly grants: readonly Api[];
      readonly via: "api" | "reference" | "redirect" | "yolo";
      /** The body must pass `admit` (inspect.ts) before anything leaves. */
      readonly inspect: Inspection | null;
    }
  | { readonly allowed: false; readonly denial: Denial };

/**
 * Decides about one request of a run.
 * @param redirectedFrom set when this run was answered with a redirect to exactly this URL
 */
export function decide(
  context: PolicyContext,
  policy: RunPolicy,
  target: Target,
  redirectedFrom: RedirectOrigin | null = null,
): Decision {
  const decision = decideHost(context, policy, target, redirectedFrom);
  // The override header does not travel, so the upstream would do something else than was asked for.
  if (decision.allowed && target.overriddenTo !== null) {
    return deny({ code: "method_override", method: target.overriddenTo });
  }
  return decision;
}

function decideHost(
  context: PolicyContext,
  policy: RunPolicy,
  target: Target,
  redirectedFrom: RedirectOrigin | null,
): Decision {
  const { url, host } = target;
  const unconditional = denyAlways(context, target);
  if (unconditional !== null) return deny(unconditional);

  const ofRun = apisOf(context, policy);
  const inRun = ofRun.filter((api) => !context.disabled.has(api.name));
  const reachable = inRun.filter((api) => rankHost(api, url) > 0);
  if (reachable.length > 0) return decideByGrants(policy, target, reachable);
  const off = ofRun.filter(
    (api) => context.disabled.has(api.name) && (rankHost(api, url) > 0 || isReference(api, url)),
  );
  if (off.length > 0) return deny({ code: "api_disabled", host, apis: off.map(({ name }) => name) });
  if (!isCommon(target.method)) return deny(toUnknown(target.method));
  const refusal: Denial =
    redirectedFrom === null
      ? { code: "host_not_allowed", host, allowed: inRun.flatMap((api) => domainTexts(api)) }
      : { code: "redirect_not_allowed", host, from: redirectedFrom };
  const owners = context.catalog.apis.filter((api) => rankHost(api, url) > 0);
  const known = owners.filter((api) => isKnown(policy, api)).map(({ name }) => name);
  if (isPrivateHost(host)) {
    return deny(known.length > 0 ? { code: "api_not_in_run", host, apis: known } : { code: "private_address", host });
  }

  const reference = inRun.find((api) => isReference(api, url));
  if (reference !== undefined) {
    if (isRead(target)) return { allowed: true, api: null, grants: [], via: "reference", inspect: null };
    return deny({ code: "reference_read_only", host, api: reference.name });
  }
  if (redirectedFrom !== null && inRun.some((api) => api.name === redirectedFrom.api && allowsRedirect(api, url))) {
    if (isRead(target)) return { allowed: true, api: null, grants: [], via: "redirect", inspect: null };
    return deny({ code: "redirect_read_only", host, from: redirectedFrom });
  }
  if (owners.length > 0) return deny(known.length > 0 ? { code: "api_not_in_run", host, apis: known } : refusal);

  const elsewhere = context.catalog.apis.filter((api) => api.domains.some((domain) => isHostOf(domain, url)));
  if (elsewhere.length > 0) {
    const allowed = elsewhere.filter((api) => isKnown(policy, api)).flatMap(({ domains }) => domains);
    const here = allowed.filter((domain) => isHostOf(domain, url)).map(toDomainText);
    return deny(here.length > 0 ? { code: "address_not_allowed", host, allowed: here } : refusal);
  }
  if (context.yolo && !policy.readOnly) {
    if (url.protocol !== "https:" || portOf(url) !== 443) return deny({ code: "https_only", host });
    return { allowed: true, api: null, grants: [], via: "yolo", inspect: null };
  }
  return deny(refusal);
}

/** The APIs of a run, those that are switched off among them. */
function apisOf({ catalog }: PolicyContext, { apis }: RunPolicy): readonly Api[] {
  return catalog.apis.filter((api) => apis === null || apis.includes(api.name));
}

/** Whether an API of the run names the URL's host: its rules decide then, and no redirect opens more. */
export function isHostOfRun(context: PolicyContext, policy: RunPolicy, { url }: Target): boolean {
  return apisOf(context, policy).some((api) => !context.disabled.has(api.name) && rankHost(api, url) > 0);
}

/** Whether the token that started a run is switched off. */
export function isStopped({ token }: RunPolicy, off: { readonly token: ReadonlySet<string> }): boolean {
  return token !== undefined && off.token.has(token);
}

/** Whether the run's owner may hear of the API: of any other, a refusal says what it says of a host that no API has. */
function isKnown({ known = null }: RunPolicy, { name }: Api): boolean {
  return known === null || known.includes(name);
}

function deny(denial: Denial): Decision {
  return { allowed: false, denial };
}

/** What no configuration opens. */
function denyAlways(context: PolicyContext, target: Target): Denial | null {
  const { url, host, method } = target;
  if (host.split(".").includes("")) return { code: "host_malformed", host };
  if (isLoopbackHost(host) && context.ownPorts.includes(portOf(url))) return { code: "own_port", host };
  if (target.upgrade) return { code: "upgrade_refused", host };
  const isKnown = isCommon(method) || FURTHER_METHODS.some((known) => known === method);
  const unknown = isKnown ? target.effectiveMethods.find((name) => name === "TRACE" || name === "CONNECT") : method;
  return unknown === undefined ? null : toUnknown(unknown);
}

function decideByGrants(policy: RunPolicy, target: Target, reachable: readonly Api[]): Decision {
  const ranked = reachable.toSorted((a, b) => rankHost(b, target.url) - rankHost(a, target.url));
  const denials: Denial[] = [];
  const grants: Api[] = [];
  for (const api of ranked) {
    const denial = judge(policy, target, api);
    if (denial === null) grants.push(api);
    else denials.push(denial);
  }
  const [api] = grants;
  const [denial] = denials;
  if (api !== undefined)
    return { allowed: true, api, grants, via: "api", inspect: inspectionOf(policy, target, grants) };
  return deny(denial ?? { code: "internal" });
}

/** How closely an API names the URL's host: exactly, by the longest wildcard, or (0) not at all. */
function rankHost(api: Api, url: URL): number {
  const host = url.hostname;
  let rank = 0;
  for (const domain of api.domains) {
    if (!host.endsWith(domain.host) || !matchesDomain(domain, url)) continue; // the first half is quick, for 500 APIs
    if (domain.match === "exact") return Infinity;
    // A private host opens only where it is written out.
    if (!isPrivateHost(host)) rank = Math.max(rank, domain.host.length);
  }
  return rank;
}

function isReference(api: Api, url: URL): boolean {
  if (api.reference === null) return false;
  const reference = new URL(api.reference);
  return url.protocol === "https:" && reference.hostname === url.hostname && portOf(reference) === portOf(url);
}

function allowsRedirect(api: Api, url: URL): boolean {
  return api.redirect_hosts.some((pattern) => matchesDomain(pattern, url));
}

/** Whether the pattern names the URL's host, whatever the scheme and port. */
function isHostOf(pattern: DomainPattern, url: URL): boolean {
  const at = new URL(url.href);
  at.protocol = pattern.scheme;
  at.port = String(pattern.port);
  return matchesDomain(pattern, at);
}

/**
 * Everything the proxy answers by itself, as one union with data, and the one switch that words it. Models and people
 * read these answers: each says what was refused, what is allowed and what to do next. None holds a query, a body, a
 * header's value or a credential's value.
 */

import { FURTHER_METHODS } from "../src/contract/config.ts";
import type { UpstreamCause } from "./upstream.ts";

/** Where a redirect came from: the host that answered with it, and the API whose answer that was, if it was one. */
export interface RedirectOrigin {
  readonly host: string;
  readonly api: string | null;
}

export type Denial =
  | { readonly code: "run_closed" }
  | { readonly code: "request_limit"; readonly maxRequests: number }
  | { readonly code: "transfer_limit"; readonly maxBytes: number }
  | { readonly code: "url_too_long"; readonly maxLength: number }
  | { readonly code: "request_too_large"; readonly maxBytes: number }
  | { readonly code: "response_too_large"; readonly host: string; readonly maxBytes: number }
  | { readonly code: "upgrade_refused"; readonly host: string }
  | { readonly code: "method_unknown"; readonly method: string; readonly allowed: readonly string[] }
  | { readonly code: "method_override"; readonly method: string }
  | {
      readonly code: "method_restricted";
      readonly api: string;
      readonly method: string;
      readonly allowed: readonly string[];
    }
  | { readonly code: "read_only"; readonly method: string }
  | { readonly code: "read_only_graphql"; readonly api: string; readonly reason: string }
  | { readonly code: "path_not_allowed"; readonly api: string; readonly allowed: readonly string[] }
  | { readonly code: "path_ambiguous"; readonly api: string }
  | { readonly code: "batch_refused"; readonly api: string | null }
  | { readonly code: "host_malformed"; readonly host: string }
  | { readonly code: "host_not_allowed"; readonly host: string; readonly allowed: readonly string[] }
  | { readonly code: "address_not_allowed"; readonly host: string; readonly allowed: readonly string[] }
  | { readonly code: "https_only"; readonly host: string }
  | { readonly code: "api_not_in_run"; readonly host: string; readonly apis: readonly string[] }
  | { readonly code: "api_disabled"; readonly host: string; readonly apis: readonly string[] }
  | { readonly code: "token_disabled" }
  | { readonly code: "private_address"; readonly host: string }
  | { readonly code: "own_port"; readonly host: string }
  | { readonly code: "reference_read_only"; readonly host: string; readonly api: string }
  | { readonly code: "redirect_read_only"; readonly host: string; readonly from: RedirectOrigin }
  | { readonly code: "redirect_not_allowed"; readonly host: string; readonly from: RedirectOrigin }
  | { readonly code: "credential_repeated"; readonly name: string }
  | { readonly code: "credential_unusable"; readonly name: string; readonly place: string; readonly reason: string }
  | { readonly code: "body_too_large"; readonly maxBytes: number; readonly why: string }
  | { readonly code: "body_unreadable" }
  | { readonly code: "response_undecodable"; readonly host: string; readonly encoding: string }
  | { readonly code: "upstream_failed"; readonly host: string; readonly cause: UpstreamCause }
  | { readonly code: "misconfigured"; readonly problem: string }
  | { readonly code: "internal" };

/** A denial's status and words. */
export interface Wording {
  readonly status: number;
  readonly message: string;
  readonly hint: string;
}

/** The header by which an answer of the proxy itself is told from one of the upstream; its value is the code. */
export const PROXY_ERROR_HEADER = "x-codeforge-proxy-error";

/** Longest list of allowed hosts, methods or paths in an answer. */
const MAX_LISTED = 50;

/** The answer to the code: the status, `{"error":{code,message,hint,…data}}`, and the marker header. */
export function toDenialResponse(denial: Denial): Response {
  const { status, message, hint } = wordDenial(denial);
  const error = { code: denial.code, message, hint, ...toData(denial) };
  return Response.json(
    { error },
    { status, headers: { [PROXY_ERROR_HEADER]: denial.code, "cache-control": "no-store" } },
  );
}

/** Words a denial. */
export function wordDenial(denial: Denial): Wording {
  switch (denial.code) {
    case "run_closed":
      return refuse("This run has ended; its requests are refused.", "Await every request before the code returns.");
    case "request_limit":
      return {
        status: 429,
        message: `This run has sent its ${denial.maxRequests} requests.`,
        hint: "Ask for bigger pages, or split the work over several runs.",
      };
    case "transfer_limit":
      return {
        status: 429,
        message: `This run has sent and received ${denial.maxBytes} bytes.`,
        hint: "Split the work over several runs.",
      };
    case "url_too_long":
      return { status: 414, message: `The URL is longer than ${denial.maxLength} characters.`, hint: "Use the body." };
    case "request_too_large":
      return {
        status: 413,
        message: `The request's body is longer than ${denial.maxBytes} bytes.`,
        hint: "Send it in parts, if the API has a way to (multipart or resumable uploads).",
      };
    case "response_too_large":
      return {
        status: 502,
        message: `${quote(denial.host)} answered with more than ${denial.maxBytes} bytes.`,
        hint: "Ask for less: a page, a filter, a smaller file.",
      };
    case "upgrade_refused":
      return {
        status: 426,
        message: `Upgrades (WebSocket) to ${quote(denial.host)} are refused.`,
        hint: "Use the API's HTTP endpoints.",
      };
    case "method_unknown":
      return {
        status: 405,
        message: `The method ${quote(denial.method)} is not let out.`,
        hint: `Use one of ${list(denial.allowed)}.${FURTHER_METHODS.some((known) => known === denial.method) ? ` The owner of an API can name it in "methods" of its config.json.` : ""}`,
      };
    case "method_override":
      return refuse(
        `A header asks for the method ${quote(denial.method)} in place of the request's own.`,
        "Send the request with that method and without the override header.",
      );
    case "method_restricted":
      return refuse(
        `The API ${denial.api} does not allow ${quote(denial.method)}.`,
        `Allowed here: ${list(denial.allowed)}. The owner decides this in restricted_methods and methods of apis/${denial.api}/config.json.`,
      );
    case "read_only":
      return refuse(
        `This run is read-only: ${quote(denial.method)} is refused.`,
        "Use GET or HEAD, or run the code with execute_code.",
      );
    case "read_only_graphql":
      return refuse(
        `This run is read-only, and this GraphQL request to ${denial.api} is no plain query: ${denial.reason}.`,
        'Send {"query", "variables", "operationName"} as JSON with queries only, or run the code with execute_code.',
      );
    case "path_not_allowed":
      return refuse(
        `The API ${denial.api} does not allow this path.`,
        `Allowed: ${list(denial.allowed)}. The owner decides this in paths of apis/${denial.api}/config.json.`,
      );
    case "path_ambiguous":
      return refuse(
        `Servers read this path in different ways, and ${denial.api} has rules for paths.`,
        "Leave %2F, %5C, %25, control characters and dot segments out of the path.",
      );
    case "batch_refused":
      return refuse(
        "This request carries other requests in its body, where rules for methods and paths cannot be applied.",
        "Send the requests one by one.",
      );
    case "host_malformed":
      return refuse(`${quote(denial.host)} is no host name: it has an empty label.`, "Remove the surplus dots.");
    case "host_not_allowed":
      return refuse(
        `No API of this server has the host ${quote(denial.host)}.`,
        denial.allowed.length === 0
          ? "No API is configured: ask the owner to add one under apis/."
          : `Allowed: ${list(denial.allowed)}. To open another, the owner lists it in domains of an API's config.json.`,
      );
    case "address_not_allowed":
      return refuse(
        `The host ${quote(denial.host)} is not allowed with this scheme and port.`,
        `Allowed: ${list(denial.allowed)} (https on port 443 where nothing else is written).`,
      );
    case "https_only":
      return refuse(
        `${quote(denial.host)} is no host of a configured API, so only https on port 443 reaches it.`,
        "Use an https:// URL without a port.",
      );
    case "api_not_in_run":
      return refuse(
        `${quote(denial.host)} belongs to ${list(denial.apis)}, which is not in this run's \`apis\`.`,
        `Run the code again with ${list(denial.apis)} in \`apis\`, or without \`apis\`.`,
      );
    case "api_disabled":
      return refuse(
        `${quote(denial.host)} belongs to ${list(denial.apis)}, which the owner of this server has switched off.`,
        "Do not try again; tell the user what could not be done.",
      );
    case "token_disabled":
      return refuse(
        "The token that started this run was disabled or revoked; its requests are refused.",
        "Do not try again; tell the user what could not be done.",
      );
    case "private_address":
      return refuse(
        `${quote(denial.host)} is a private address.`,
        "It opens only when an API's config.json writes it out in domains, as in http://127.0.0.1:9000.",
      );
    case "own_port":
      return refuse(`${quote(denial.host)} with this port is the server itself.`, "Call the API instead.");
    case "reference_read_only":
      return refuse(
        `${quote(denial.host)} is the reference of ${denial.api}, open to GET and HEAD only.`,
        `Send calls to the domains of ${denial.api}.`,
      );
    case "redirect_read_only":
      return refuse(
        `${quote(denial.from.host)} redirected to ${quote(denial.host)}, which is open to GET and HEAD only.`,
        "Follow this redirect with GET.",
      );
    case "redirect_not_allowed":
      return refuse(
        `${quote(denial.from.host)} redirected to ${quote(denial.host)}, which is not allowed.`,
        denial.from.api === null
          ? "Call the hosts of the configured APIs; list_apis names them."
          : `To allow it, the owner adds "redirect_hosts": [${quote(denial.host)}] to apis/${denial.from.api}/config.json.`,
      );
    case "credential_repeated":
      return refuse(
        `${denial.name} stands more than once where this request would carry its value.`,
        "Name each credential once per request.",
      );
    case "credential_unusable":
      return refuse(
        `The value of ${denial.name} cannot stand in ${quote(denial.place)}: ${denial.reason}.`,
        "The owner corrects the value, or the credential's `in`.",
      );
    case "body_too_large":
      return {
        status: 413,
        message: `The body is larger than ${denial.maxBytes} bytes: ${denial.why}.`,
        hint: "Send a smaller body, or one whose Content-Type is neither form, JSON nor multipart.",
      };
    case "body_unreadable":
      return {
        status: 415,
        message: "Rules of this API depend on the body, and servers may read this body in different ways.",
        hint: "Send it as UTF-8, without Content-Encoding, with one Content-Type and one boundary when it is multipart.",
      };
    case "response_undecodable":
      return {
        status: 502,
        message: `${quote(denial.host)} answered with the encoding ${quote(denial.encoding)}, which cannot be checked for credentials.`,
        hint: "Ask for another representation (Accept), or for an uncompressed one.",
      };
    case "upstream_failed":
      return { status: 502, ...wordUpstream(denial.host, denial.cause) };
    case "misconfigured":
      return {
        status: 503,
        message: "The proxy sends nothing until its settings are mended.",
        hint: `Tell the person who runs this server: ${denial.problem}`,
      };
    case "internal":
      return {
        status: 502,
        message: "The proxy failed.",
        hint: "Try once more; the owner finds the cause in its log.",
      };
  }
}

function wordUpstream(host: string, cause: UpstreamCause): Omit<Wording, "status"> {
  const at = quote(host);
  switch (cause) {
    case "dns":
      return { message: `The name ${at} was not found.`, hint: "Check the host's spelling." };
    case "refused":
      return { message: `${at} refused the connection.`, hint: "The service seems to be down; try later." };
    case "tls":
      return { message: `No secure connection to ${at} came about.`, hint: "The owner checks its certificate." };
    case "timeout":
      return { message: `${at} did not answer in time.`, hint: "Ask for less, or give the run a longer timeout." };
    case "reset":
      return {
        message: `The connection to ${at} broke off.`,
        hint: "A write may have taken effect: read its state before sending it again.",
      };
    case "protocol":
      return { message: `${at} did not answer with valid HTTP.`, hint: "Check scheme and port of the API's domain." };
  }
}

function refuse(message: string, hint: string): Wording {
  return { status: 403, message, hint };
}

function toData(denial: Denial): object {
  const { code: _, ...data } = denial;
  return "allowed" in data ? { ...data, allowed: data.allowed.slice(0, MAX_LISTED) } : data;
}

function list(items: readonly string[]): string {
  const shown = items.slice(0, MAX_LISTED).join(", ");
  return items.length > MAX_LISTED ? `${shown} and ${items.length - MAX_LISTED} more` : shown;
}

/** Text from outside: quoted, so that it cannot pass for ours. */
function quote(text: string): string {
  return JSON.stringify(text);
}

/**
 * An upstream answer as an MCP tool result (rules M12 and M15): JSON as structured content and compact text, media as
 * media, failures as errors with their status first. Whatever is cut says so. Pure: reading the answer, with its limits
 * of time and size, is the caller's; values of credentials were taken out before it got here.
 */
import { defined, isObject, type Json } from "./json.ts";
import { essence, isJson } from "./media.ts";

/** How much of an answer a model is shown, of an error, and of an image or sound, in characters and bytes. */
export const MAX_RESULT_LENGTH = 24_000;
export const MAX_ERROR_LENGTH = 4_000;
export const MAX_MEDIA_BYTES = 1_000_000;

/** An answer as it was read. Header names in any case. */
export interface UpstreamAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array;
  /** Where it came from, as the URI of an embedded resource. */
  readonly url: string;
  /** A sentence about what was not read; absent when all of it was. */
  readonly rest?: string;
}

/** How texts are shortened to a length: JSON stays JSON, and what is missing is said. */
export interface Cutters {
  cutJson(json: string, max: number): string;
  cutText(text: string, max: number): string;
}

export type Content =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: { readonly uri: string; readonly mimeType: string; readonly blob: string };
    };

/** An MCP `tools/call` result. No structured content on errors. */
export interface ToolResult {
  readonly content: readonly Content[];
  readonly structuredContent?: Json;
  readonly isError?: true;
  readonly _meta: Json;
}

const NOTED_HEADERS = /^(?:link|location|retry-after|etag|x-ratelimit-.*)$/;

/** The result of a call that was answered. */
export function toToolResult(answer: UpstreamAnswer, cutters: Cutters): ToolResult {
  const result = toWholeResult(answer, cutters);
  return answer.rest === undefined ? result : { ...result, content: [...result.content, text(answer.rest)] };
}

function toWholeResult(answer: UpstreamAnswer, { cutJson, cutText }: Cutters): ToolResult {
  const _meta = readMeta(answer);
  if (answer.status < 200 || answer.status > 299) return toErrorResult(answer, _meta, cutText);
  if (answer.body.length === 0) return { content: [text(statusLine(answer))], _meta };
  const type = essence(header(answer, "content-type") ?? "application/octet-stream");
  const decoded = isJson(type) || isText(type) ? decode(answer.body) : undefined;
  if (decoded === undefined) return { content: [toMedia(answer, type)], _meta };
  const value = isJson(type) ? parse(decoded) : undefined;
  if (value === undefined) return { content: [text(cutText(decoded, MAX_RESULT_LENGTH))], _meta };
  const structured = isObject(value.json) ? value.json : { result: value.json };
  const json = cutJson(JSON.stringify(structured), MAX_RESULT_LENGTH);
  const shown: unknown = JSON.parse(json);
  return { content: [text(json)], ...(isObject(shown) ? { structuredContent: shown } : {}), _meta };
}

/** The result of a call whose arguments were refused: every problem on a line of its own. */
export function toProblemResult(problems: readonly { readonly path: string; readonly message: string }[]): ToolResult {
  const lines = problems.map(({ path, message }) => (path === "" ? message : `${path}: ${message}`));
  return { content: [text(`Nothing was sent. Wrong arguments:\n${lines.join("\n")}`)], isError: true, _meta: {} };
}

/** The result of a call that was not answered, or not even sent; `message` says which. */
export function toFailureResult(message: string): ToolResult {
  return { content: [text(message)], isError: true, _meta: {} };
}

function toErrorResult(answer: UpstreamAnswer, _meta: Json, cutText: Cutters["cutText"]): ToolResult {
  const type = essence(header(answer, "content-type") ?? "text/plain");
  const body = isJson(type) || isText(type) ? (decode(answer.body) ?? "") : `${answer.body.length} bytes of ${type}`;
  const wait = header(answer, "retry-after");
  const target = answer.status < 400 ? header(answer, "location") : undefined;
  const lines = [
    statusLine(answer),
    ...(wait === undefined ? [] : [`Retry-After: ${wait}`]),
    ...(target === undefined ? [] : [`Location: ${target} (not followed)`]),
    cutText(body, MAX_ERROR_LENGTH),
  ];
  return { content: [text(lines.filter((line) => line !== "").join("\n"))], isError: true, _meta };
}

function statusLine({ status, statusText }: UpstreamAnswer): string {
  return `HTTP ${status} ${statusText}`.trimEnd();
}

function toMedia({ body, url }: UpstreamAnswer, mimeType: string): Content {
  if (body.length > MAX_MEDIA_BYTES) return text(`${body.length} bytes of ${mimeType}, too many to show`);
  const data = toBase64(body);
  const [kind] = mimeType.split("/");
  if (kind === "image" || kind === "audio") return { type: kind, data, mimeType };
  return { type: "resource", resource: { uri: url, mimeType, blob: data } };
}

function readMeta(answer: UpstreamAnswer): Json {
  const noted = answer.headers
    .map(([name, value]): [string, string] => [name.toLowerCase(), value])
    .filter(([name]) => NOTED_HEADERS.test(name));
  return defined({ status: answer.status, headers: noted.length > 0 ? Object.fromEntries(noted) : undefined });
}

function header(answer: UpstreamAnswer, wanted: string): string | undefined {
  return answer.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function isText(type: string): boolean {
  return (
    type.startsWith("text/") || type === "application/xml" || type.endsWith("+xml") || type === "application/x-ndjson"
  );
}

function text(value: string): Content {
  return { type: "text", text: value };
}

function decode(body: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(body);
  } catch {
    return undefined;
  }
}

/** JSON that is none is text like any other. */
function parse(decoded: string): { readonly json: unknown } | undefined {
  try {
    return { json: JSON.parse(decoded) };
  } catch {
    return undefined;
  }
}

function toBase64(bytes: Uint8Array): string {
  let binary = "";
  for (let i = 0; i < bytes.length; i += 8_192) binary += String.fromCharCode(...bytes.subarray(i, i + 8_192));
  return btoa(binary);
}

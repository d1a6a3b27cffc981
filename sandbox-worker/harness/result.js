// What came of the code on its way out: the returned value as text, as JSON where it has any, with the images and
// sounds in it; or what was thrown.
import { mediaTypeOf, sniff, toBytes, toMedia } from "./bytes.js";
import { describeError, isError, stackOf } from "./errors.js";
import { inspect, show } from "./inspect.js";
import {
  ObjectPrototype,
  classes,
  copyOf,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  keys,
  parseJson,
  push,
  slice,
  uncurry,
  weakGet,
  weakSet,
  assign,
  setPrototypeOf,
  startsWith,
} from "./primordials.js";

/** Longest text of a result, in characters. What is longer is not sent: that it was is all the outside needs. */
const MAX_TEXT = 24 * 1024 * 1024;
const MAX_THROWN = 16_384;
const MAX_DEPTH = 4;
const MAX_CANDIDATES = 1_000;

const readBlob = uncurry(classes.Blob.prototype.arrayBuffer);
const readBody = uncurry(classes.Response.prototype.arrayBuffer);
const readText = uncurry(classes.Response.prototype.text);

/** What is to be said about whatever ended the run; its own place travels beside it in `stack`. */
export function toFailure(error) {
  if (!isError(error))
    return { __proto__: null, kind: "threw", message: `the code threw ${show(error, MAX_THROWN)}`, stack: "" };
  return {
    __proto__: null,
    kind: "threw",
    message: slice(describeError(error, show, false), 0, MAX_THROWN),
    stack: stackOf(error),
  };
}

/** Renders what the code returned. Bodies of responses and blobs in it are read; `undefined` is no value. */
export async function renderResult(returned) {
  const value = await awaitParts(returned);
  const answer = { __proto__: null, kind: "completed", media: setPrototypeOf([], null) };
  if (value === undefined) return answer;
  if (typeof value === "string") return assign(answer, value.length > MAX_TEXT ? { isTooLong: true } : { text: value });
  const found = { media: answer.media, standIns: new classes.WeakMap() };
  await collectMedia(value, found);
  const options = { budget: MAX_TEXT, omitUndefined: true, replace: (object) => weakGet(found.standIns, object) };
  const { text, isJson, isCut } = inspect(await unwrap(value), options);
  if (isCut) return assign(answer, { media: setPrototypeOf([], null), isTooLong: true });
  if (!isJson) return assign(answer, { text });
  return assign(answer, startsWith(text, '"') ? { text: parseJson(text) } : { json: text });
}

/** `items.map(async …)` is meant to be awaited: a list or plain object comes with its promises settled. */
async function awaitParts(value) {
  const names = promisesIn(value);
  if (names.length === 0) return value;
  const settled = isArray(value) ? copyOf(value) : assign({}, value);
  for (let index = 0; index < names.length; index++) settled[names[index]] = await settled[names[index]];
  return settled;
}

/** The keys of a list or plain object under which there are promises. */
function promisesIn(value) {
  const found = [];
  if (!isPlain(value)) return found;
  try {
    const names = keys(value);
    for (let index = 0; index < names.length; index++) {
      const part = getOwnPropertyDescriptor(value, names[index]).value;
      if (part instanceof classes.Promise) push(found, names[index]);
    }
  } catch {
    // A proxy that cannot be read; the text will say so.
  }
  return found;
}

function isPlain(value) {
  if (typeof value !== "object" || value === null) return false;
  try {
    const prototype = getPrototypeOf(value);
    return isArray(value) || prototype === ObjectPrototype || prototype === null;
  } catch {
    return false;
  }
}

/** A response that is returned as it is would tell nothing without its body. */
async function unwrap(value) {
  if (!(value instanceof classes.Response) || value.bodyUsed) return value;
  const { status, url, headers } = value;
  const body = await readText(value);
  return { status, ...(url === "" ? {} : { url }), contentType: headers.get("content-type"), body: parsed(body) };
}

function parsed(body) {
  try {
    return parseJson(body);
  } catch {
    return body;
  }
}

/** Finds images and sounds, a few levels deep, and notes the words that stand for them in the text. */
async function collectMedia(value, found) {
  const candidates = [];
  findCandidates(value, candidates, 0);
  for (let index = 0; index < candidates.length; index++) {
    const candidate = candidates[index];
    const media = await readMedia(candidate);
    if (media === null) continue;
    push(found.media, toMedia(media.mimeType, media.bytes));
    weakSet(found.standIns, candidate, `[${media.mimeType}, ${media.bytes.length} bytes]`);
  }
}

function findCandidates(value, candidates, depth) {
  if (typeof value !== "object" || value === null || candidates.length >= MAX_CANDIDATES) return;
  if (!isPlain(value)) push(candidates, value);
  else if (depth < MAX_DEPTH) {
    const parts = partsOf(value);
    for (let index = 0; index < parts.length; index++) findCandidates(parts[index], candidates, depth + 1);
  }
}

/** What a list or a plain object holds; nothing where reading it throws. */
function partsOf(value) {
  const parts = [];
  try {
    const names = keys(value);
    for (let index = 0; index < names.length; index++) push(parts, value[names[index]]);
  } catch {
    // Looking for images is no reason to fail; the text will say what cannot be read.
  }
  return parts;
}

async function readMedia(value) {
  const bytes = toBytes(value);
  if (bytes !== null) {
    const mimeType = sniff(bytes);
    return mimeType === null ? null : { mimeType, bytes };
  }
  if (value instanceof classes.Blob) {
    const mimeType = mediaTypeOf(value.type);
    return mimeType === null ? null : { mimeType, bytes: new classes.Uint8Array(await readBlob(value)) };
  }
  if (value instanceof classes.Response && !value.bodyUsed) {
    const mimeType = mediaTypeOf(value.headers.get("content-type"));
    return mimeType === null ? null : { mimeType, bytes: new classes.Uint8Array(await readBody(value)) };
  }
  return null;
}

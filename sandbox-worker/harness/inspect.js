// Any value as text: compact JSON where the value has one, and what a reader expects where it has none. Reading never
// throws, whatever getters and proxies do, and stops at a budget of characters.
import { bytesToText } from "./bytes.js";
import { describeError } from "./errors.js";
import { toExactJson } from "./json.js";
import {
  ObjectPrototype,
  classes,
  dateToIso,
  forEachOfForm,
  forEachOfHeaders,
  forEachOfMap,
  forEachOfSet,
  functionToText,
  getOwnPropertyDescriptor,
  getPrototypeOf,
  isArray,
  isFiniteNumber,
  keys,
  push,
  setAdd,
  setDelete,
  setHas,
  slice,
  startsWith,
  stringify,
  symbolToText,
} from "./primordials.js";

const MAX_DEPTH = 100;

/**
 * Renders a value. `isJson` says whether the text is JSON. `replace` may give the text that stands for an object;
 * `omitUndefined` leaves out properties that JSON would leave out.
 */
export function inspect(value, { budget, omitUndefined = false, replace = () => undefined }) {
  const json = toExactJson(value, { omitUndefined, replace });
  if (json !== null) {
    const isCut = json.length > budget;
    return { text: isCut ? slice(json, 0, budget) : json, isJson: !isCut, isCut };
  }
  const state = { left: budget, isJson: true, omitUndefined, replace, path: new classes.Set() };
  const text = write(value, state, 0);
  return { text, isJson: state.isJson && state.left >= 0, isCut: state.left < 0 };
}

/** A value in at most about `budget` characters. */
export function show(value, budget) {
  return inspect(value, { budget }).text;
}

function write(value, state, depth) {
  const text = state.left < 0 ? "" : writeAny(value, state, depth);
  state.left -= text.length;
  return text;
}

function writeAny(value, state, depth) {
  switch (typeof value) {
    case "string":
      return stringify(value.length > state.left ? slice(value, 0, state.left + 1) : value);
    case "boolean":
      return value ? "true" : "false";
    case "number":
      if (!isFiniteNumber(value)) state.isJson = false;
      return `${value}`;
    case "object":
      return value === null ? "null" : writeObject(value, state, depth);
  }
  state.isJson = false;
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "symbol") return symbolToText(value);
  return typeof value === "function" ? nameFunction(value) : "undefined";
}

function nameFunction(value) {
  try {
    const kind = startsWith(functionToText(value), "class") ? "class" : "Function";
    const name = getOwnPropertyDescriptor(value, "name")?.value;
    return typeof name === "string" && name !== "" ? `[${kind}: ${name}]` : `[${kind}]`;
  } catch {
    return "[Function]";
  }
}

function writeObject(value, state, depth) {
  const replaced = state.replace(value);
  if (replaced !== undefined) return stringify(replaced);
  if (setHas(state.path, value)) return inexact(state, "[Circular]");
  if (depth > MAX_DEPTH) return inexact(state, "[too deep]");
  setAdd(state.path, value);
  // What nested values spend is counted as they are written; the object's own text must not be counted twice.
  const before = state.left;
  let text;
  try {
    text = writeByClass(value, state, depth);
  } catch (error) {
    text = inexact(state, `[unreadable: ${describeError(error, show)}]`);
  }
  if (state.left >= 0) state.left = before;
  setDelete(state.path, value);
  return text;
}

function inexact(state, text) {
  state.isJson = false;
  return text;
}

function writeByClass(value, state, depth) {
  if (isArray(value)) return writeList(value, state, depth);
  const prototype = getPrototypeOf(value);
  const isPlain = prototype === ObjectPrototype || prototype === null;
  const bytes = bytesToText(value);
  if (bytes !== null) return inexact(state, bytes);
  if (typeof value.toJSON === "function" && !(value instanceof classes.Headers)) {
    if (value instanceof classes.Date && !isFiniteNumber(+value)) return inexact(state, "Invalid Date");
    return write(value.toJSON(), state, depth + 1);
  }
  if (isPlain) return writeEntries(readOwn(value, state), state, depth);
  state.isJson = false;
  return writeInstance(value, prototype, state, depth);
}

function writeInstance(value, prototype, state, depth) {
  if (value instanceof classes.Error) return describeError(value, show);
  if (value instanceof classes.Date) return dateToIso(value);
  if (value instanceof classes.RegExp) return `${value}`;
  if (value instanceof classes.Promise) return "[Promise: not awaited]";
  if (typeof value.next === "function") return "[Iterator: not read]";
  const name = className(prototype);
  if (value instanceof classes.Map) return `Map(${value.size}) ${writeMap(value, state, depth)}`;
  if (value instanceof classes.Set) return `Set(${value.size}) ${writeSet(value, state, depth)}`;
  if (value instanceof classes.URLSearchParams) return `${name} ${stringify(`${value}`)}`;
  return `${name} ${writeEntries(readInstance(value, state), state, depth)}`;
}

function className(prototype) {
  const name = getOwnPropertyDescriptor(prototype, "constructor")?.value?.name;
  return typeof name === "string" && name !== "" ? name : "Object";
}

/** Own enumerable properties, as pairs. */
function readOwn(value, state) {
  const entries = [];
  const names = keys(value);
  for (let index = 0; index < names.length && state.left >= 0; index++) {
    let property;
    try {
      property = value[names[index]];
    } catch (error) {
      property = error;
    }
    if (property === undefined && state.omitUndefined) continue;
    push(entries, [names[index], property]);
  }
  return entries;
}

/** What tells a reader most about an object of the web platform, or its own properties. */
function readInstance(value, state) {
  const entries = [];
  if (value instanceof classes.Headers) {
    forEachOfHeaders(value, (text, name) => push(entries, [name, text]));
    return entries;
  }
  if (value instanceof classes.FormData) {
    forEachOfForm(value, (item, name) => push(entries, [name, item]));
    return entries;
  }
  let names = [];
  if (value instanceof classes.Response) names = ["status", "statusText", "url", "headers", "bodyUsed"];
  else if (value instanceof classes.Request) names = ["method", "url", "headers"];
  else if (value instanceof classes.Blob) names = ["name", "type", "size"];
  else return readOwn(value, state);
  for (let index = 0; index < names.length; index++) {
    const property = value[names[index]];
    if (property !== undefined && property !== "") push(entries, [names[index], property]);
  }
  return entries;
}

function writeEntries(entries, state, depth) {
  let text = "{";
  for (let index = 0; index < entries.length && state.left >= 0; index++) {
    if (index > 0) text += ",";
    const key = stringify(entries[index][0]);
    state.left -= key.length + 2;
    text += `${key}:${write(entries[index][1], state, depth + 1)}`;
  }
  return `${text}}`;
}

function writeList(list, state, depth) {
  let text = "[";
  for (let index = 0; index < list.length && state.left >= 0; index++) {
    if (index > 0) text += ",";
    state.left -= 1;
    text += write(list[index], state, depth + 1);
  }
  return `${text}]`;
}

function writeMap(map, state, depth) {
  let text = "{";
  forEachOfMap(map, (value, key) => {
    if (state.left < 0) return;
    if (text !== "{") text += ", ";
    text += `${write(key, state, depth + 1)} => ${write(value, state, depth + 1)}`;
  });
  return `${text}}`;
}

function writeSet(set, state, depth) {
  let text = "{";
  forEachOfSet(set, (value) => {
    if (state.left < 0) return;
    if (text !== "{") text += ", ";
    text += write(value, state, depth + 1);
  });
  return `${text}}`;
}

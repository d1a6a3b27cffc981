// An error for a reader: message, the place in the code, extra fields, causes, the errors of an AggregateError. Other
// values in it are written by `show(value, budget)`. A place is written `(code.js:line:column)`, or `skill1.js` and so on
// for a saved file; the outside turns it into the user's own line.
import { classes, exec, isArray, keys, replace, setHas, slice, split } from "./primordials.js";

const MAX_MESSAGE = 16_384;
const MAX_FIELDS = 2_048;
const MAX_STACK = 16_384;
const MAX_CAUSES = 5;
const MAX_ERRORS = 10;
/** Fields that are said in another way, and marks that the runtime leaves on errors. */
const TOLD_ELSEWHERE = new classes.Set([
  "name",
  "message",
  "stack",
  "cause",
  "errors",
  "remote",
  "retryable",
  "overloaded",
  "durableObjectReset",
]);
const FRAME = /^\s+at .*?\(?((?:code|skill\d+)\.js:\d+:\d+)\)?$/;

/** Whether a value is an error; never throws. */
export function isError(value) {
  try {
    return value instanceof classes.Error;
  } catch {
    return false;
  }
}

/** An error in one text; `withPlace` says where in the code it arose. Anything else that was thrown is shown. */
export function describeError(error, show, withPlace = true) {
  return describe(error, show, withPlace, 0);
}

function describe(error, show, withPlace, depth) {
  if (!isError(error)) return show(error, MAX_MESSAGE);
  try {
    let text = headline(error);
    if (withPlace) text += placeOf(error);
    text += extraFields(error, show);
    if (depth >= MAX_CAUSES) return text;
    if (error.cause !== undefined) text += `\nCaused by: ${describe(error.cause, show, true, depth + 1)}`;
    if (isArray(error.errors)) text += describeAll(error.errors, show, depth);
    return text;
  } catch {
    return "an error that cannot be read";
  }
}

function describeAll(errors, show, depth) {
  let text = "";
  for (let index = 0; index < errors.length && index < MAX_ERRORS; index++) {
    text += `\n- ${describe(errors[index], show, true, depth + 1)}`;
  }
  return errors.length > MAX_ERRORS ? `${text}\n- … ${errors.length - MAX_ERRORS} more` : text;
}

function headline(error) {
  const { message } = error;
  const name = typeof error.name === "string" && error.name !== "" ? error.name : "Error";
  if (typeof message !== "string" || message === "") return name;
  return `${name}: ${slice(message, 0, MAX_MESSAGE)}`;
}

function extraFields(error, show) {
  const fields = {};
  const names = keys(error);
  let found = false;
  for (let index = 0; index < names.length; index++) {
    const name = names[index];
    if (setHas(TOLD_ELSEWHERE, name)) continue;
    fields[name] = error[name];
    found = true;
  }
  return found ? ` ${show(fields, MAX_FIELDS)}` : "";
}

/** The stack of an error, cut to its nearest frames; empty when there is none. */
export function stackOf(error) {
  try {
    return typeof error.stack === "string" ? slice(error.stack, 0, MAX_STACK) : "";
  } catch {
    return "";
  }
}

function placeOf(error) {
  const lines = split(stackOf(error), "\n");
  for (let index = 0; index < lines.length; index++) {
    const place = exec(FRAME, lines[index])?.[1];
    if (place !== undefined) return ` (${place})`;
  }
  return "";
}

/**
 * Adds what the error was about to its message, where the message can be written, and the place it was asked for to a
 * stack of the runtime's that has none.
 */
export function annotate(error, context, site) {
  try {
    if (!isError(error) || typeof error.message !== "string") return error;
    const hasPlace = placeOf(error) !== "";
    error.message += ` (${context})`;
    if (!hasPlace) error.stack = replace(stackOf(site), /^.*/, headline(error));
  } catch {
    // A frozen error keeps its own words.
  }
  return error;
}

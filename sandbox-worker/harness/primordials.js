// What the harness uses, taken before the code runs: the code may replace every one of these on the globals, and only
// fools itself by it. Modules of the harness use loops over indexes, never iterators, for the same reason.

const { bind, call } = Function.prototype;
const uncurry = bind.bind(call);

export const { parse: parseJson, stringify } = JSON;
export const { isArray } = Array;
export const { assign, getOwnPropertyDescriptor, getPrototypeOf, keys, setPrototypeOf } = Object;
export const { isFinite: isFiniteNumber } = Number;
export const { isView } = ArrayBuffer;
export const { now } = Date;

export const ObjectPrototype = Object.prototype;
export const classes = Object.freeze({
  AggregateError,
  ArrayBuffer,
  Blob,
  Date,
  Error,
  FormData,
  Headers,
  Map,
  Promise,
  RegExp,
  Request,
  Response,
  Set,
  URL,
  URLSearchParams,
  Uint8Array,
  WeakMap,
});

export const indexOf = uncurry(Array.prototype.indexOf);
export const join = uncurry(Array.prototype.join);
export const push = uncurry(Array.prototype.push);
export const copyOf = uncurry(Array.prototype.slice);
export const slice = uncurry(String.prototype.slice);
export const repeat = uncurry(String.prototype.repeat);
export const padEnd = uncurry(String.prototype.padEnd);
export const replace = uncurry(String.prototype.replace);
export const split = uncurry(String.prototype.split);
export const startsWith = uncurry(String.prototype.startsWith);
export const toUpperCase = uncurry(String.prototype.toUpperCase);
export const exec = uncurry(RegExp.prototype.exec);
export const dateToIso = uncurry(Date.prototype.toISOString);
export const functionToText = uncurry(Function.prototype.toString);
export const symbolToText = uncurry(Symbol.prototype.toString);
export const onSettled = uncurry(Promise.prototype.then);
export const forEachOfMap = uncurry(Map.prototype.forEach);
export const forEachOfSet = uncurry(Set.prototype.forEach);
export const forEachOfHeaders = uncurry(Headers.prototype.forEach);
export const forEachOfForm = uncurry(FormData.prototype.forEach);
export const mapGet = uncurry(Map.prototype.get);
export const mapSet = uncurry(Map.prototype.set);
export const mapDelete = uncurry(Map.prototype.delete);
export const weakGet = uncurry(WeakMap.prototype.get);
export const weakSet = uncurry(WeakMap.prototype.set);
export const setAdd = uncurry(Set.prototype.add);
export const setDelete = uncurry(Set.prototype.delete);
export const setHas = uncurry(Set.prototype.has);
export const toBase64 = uncurry(Uint8Array.prototype.toBase64);
export const subarray = uncurry(Uint8Array.prototype.subarray);

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false });
const decodeWith = uncurry(TextDecoder.prototype.decode);
/** Bytes as text; throws when they are not UTF-8. */
export const decodeUtf8 = (bytes) => decodeWith(decoder, bytes);

/** `uncurry(method)(self, ...arguments)` calls the method as it was when it was taken. */
export { uncurry };

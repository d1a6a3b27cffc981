// The JSON of values that are JSON, by the runtime's own serializer: most results are, and an isolate that has just
// begun walks a large value a hundred times slower itself. What JSON would drop or change in silence is no JSON here.
import { ObjectPrototype, getPrototypeOf, isArray, isFiniteNumber, isView, stringify } from "./primordials.js";

const NOT_JSON = { reason: "the value has no JSON form" };

/**
 * The JSON text of a value, or null when it has none. `replace` may give the text that stands for an object;
 * `omitUndefined` leaves out properties that are undefined.
 */
export function toExactJson(value, { omitUndefined, replace }) {
  /** @this {any} the object or list that holds `part` */
  function check(key, part) {
    switch (typeof part) {
      case "string":
      case "boolean":
        return part;
      case "number":
        if (isFiniteNumber(part)) return part;
        break;
      case "undefined":
        if (omitUndefined && key !== "" && !isArray(this)) return part;
        break;
      case "object":
        if (part !== null) return checkObject(this[key], part, replace);
        // What an invalid date makes of itself is not what it is.
        if (this[key] === null) return part;
    }
    throw NOT_JSON;
  }
  try {
    return stringify(value, check) ?? null;
  } catch {
    // No JSON, a circle, or a getter that throws: for the inspector to show.
    return null;
  }
}

/** `original` is the object as it was found, `part` what its `toJSON` made of it. */
function checkObject(original, part, replace) {
  const standIn = replace(part);
  if (standIn !== undefined) return standIn;
  if (isArray(part)) return part;
  const prototype = getPrototypeOf(part);
  if ((prototype === ObjectPrototype || prototype === null) && !isView(original)) return part;
  throw NOT_JSON;
}

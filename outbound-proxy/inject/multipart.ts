/** Names in the text fields of a `multipart/form-data` body; files and everything else pass untouched. */
import { fromBinary, toBinary } from "../body.ts";
import { readDelimiter, readFields } from "../multipart.ts";
import { readPlain } from "./readings.ts";
import type { Substitution } from "./substitution.ts";

/** Returns the body with names replaced in the fields where they may be. */
export function injectMultipart(bytes: Uint8Array, contentType: string, substitution: Substitution): Uint8Array {
  const delimiter = readDelimiter(contentType);
  if (delimiter === null) return bytes;
  const binary = toBinary(bytes);
  let result = "";
  let done = 0;
  for (const { name, start, end } of readFields(binary, delimiter)) {
    const place = `body:${name}`;
    const encode = (value: string): string => toBinary(new TextEncoder().encode(value));
    result += binary.slice(done, start) + substitution.replace(readPlain(binary.slice(start, end)), { place, encode });
    done = end;
  }
  return done === 0 ? bytes : fromBinary(result + binary.slice(done));
}

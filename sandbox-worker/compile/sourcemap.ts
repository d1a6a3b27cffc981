/** Reads the `mappings` of a source map (version 3): one list of segments per generated line. */
import type { Segment } from "./positions.ts";

const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/** Decodes the segments of a map with one source. */
export function decodeMappings(mappings: string): Segment[][] {
  let sourceLine = 0;
  let sourceColumn = 0;
  return mappings.split(";").map((line) => {
    let column = 0;
    return line
      .split(",")
      .filter((segment) => segment !== "")
      .map((segment) => {
        const [columnDelta = 0, , lineDelta = 0, sourceColumnDelta = 0] = decodeNumbers(segment);
        column += columnDelta;
        sourceLine += lineDelta;
        sourceColumn += sourceColumnDelta;
        return { column, sourceLine, sourceColumn };
      });
  });
}

/** Base64 VLQ: five bits a digit, least significant first, the sixth says that more follow, the lowest bit is the sign. */
function decodeNumbers(segment: string): number[] {
  const numbers: number[] = [];
  let value = 0;
  let shift = 0;
  for (const character of segment) {
    const digit = DIGITS.indexOf(character);
    value += (digit & 31) << shift;
    shift += 5;
    if ((digit & 32) !== 0) continue;
    numbers.push((value & 1) === 1 ? -(value >> 1) : value >> 1);
    value = 0;
    shift = 0;
  }
  return numbers;
}

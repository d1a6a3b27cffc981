/**
 * Step 1: strings that must not leave (`REDACTING_STRINGS`: names, addresses, phone numbers) become `REDACTED` in path,
 * query, headers and body, before any value is put in. They are found as they stand and percent-, form- or
 * JSON-escaped, in any mixture, however the body is cut into chunks. Other encodings (base64, compression) are not.
 */
import { fromBinary, toBinary, type RequestBody } from "./body.ts";
import { toPattern } from "./redact/pattern.ts";

export { parseRedactingStrings } from "./redact/parse.ts";

/** A redacted thing, and how many passages of it were replaced; the thing itself when none was. */
export interface Redacted<T> {
  readonly value: T;
  readonly count: number;
}

export interface Redactor {
  /** Path and query; a host is what policy has allowed and stays. */
  url(url: URL): Redacted<URL>;
  headers(headers: Headers): Redacted<Headers>;
  /** Bytes at once, a stream as it flows. `onEnd` is told the count when the last byte has passed. */
  body(body: RequestBody, onEnd: (count: number) => void): RequestBody;
}

const REPLACEMENT = "REDACTED";

/** Creates the redactor of these strings; null when there are none, and then the step costs nothing. */
export function createRedactor(strings: readonly string[]): Redactor | null {
  if (strings.length === 0) return null;
  const { source, maxLength } = toPattern(strings);
  const createScanner = (): Scanner => new Scanner(new RegExp(source, "g"), maxLength);

  const redactBinary = (binary: string): Redacted<string> => {
    const scanner = createScanner();
    const value = scanner.push(binary, true);
    return { value, count: scanner.count };
  };
  return {
    url: (url) => {
      const { value, count } = redactBinary(url.pathname + url.search);
      // A string that begins with the path's own slash must not make what follows a part of the host.
      const path = value.startsWith("/") ? value : `/${value}`;
      return { value: count === 0 ? url : new URL(url.origin + path), count };
    },
    headers: (headers) => {
      const redacted = new Headers(headers);
      let total = 0;
      for (const [name, text] of headers) {
        const { value, count } = redactBinary(text);
        if (count > 0) redacted.set(name, value);
        total += count;
      }
      return { value: total === 0 ? headers : redacted, count: total };
    },
    body: (body, onEnd) => {
      if (body instanceof ReadableStream) return body.pipeThrough(createStream(createScanner(), onEnd));
      const { value, count } = redactBinary(body === null ? "" : toBinary(body));
      onEnd(count);
      return count === 0 ? body : fromBinary(value);
    },
  };
}

function createStream(scanner: Scanner, onEnd: (count: number) => void): TransformStream<Uint8Array, Uint8Array> {
  const enqueue = (controller: TransformStreamDefaultController<Uint8Array>, binary: string): void => {
    if (binary !== "") controller.enqueue(fromBinary(binary));
  };
  return new TransformStream({
    transform: (chunk, controller) => enqueue(controller, scanner.push(toBinary(chunk), false)),
    flush: (controller) => {
      enqueue(controller, scanner.push("", true));
      onEnd(scanner.count);
    },
  });
}

/**
 * Replaces what matches in a binary string that arrives in pieces. A position is judged only when as much text follows
 * it as the longest match has, so the pieces make no difference; overlapping matches are one passage.
 */
class Scanner {
  count = 0;
  #carry = "";
  /** How much of the carry belongs to a passage that has been replaced already. */
  #covered = 0;
  readonly #pattern: RegExp;
  readonly #maxLength: number;

  constructor(pattern: RegExp, maxLength: number) {
    this.#pattern = pattern;
    this.#maxLength = maxLength;
  }

  push(piece: string, isLast: boolean): string {
    const text = this.#carry + piece;
    const limit = isLast ? text.length : Math.max(0, text.length - this.#maxLength + 1);
    let result = "";
    let done = this.#covered;
    for (let at = 0; at < limit;) {
      this.#pattern.lastIndex = at;
      const match = this.#pattern.exec(text);
      if (match === null || match.index >= limit) break;
      if (match.index >= done) {
        result += text.slice(done, match.index) + REPLACEMENT;
        this.count += 1;
      }
      done = Math.max(done, match.index + match[0].length);
      at = match.index + 1;
    }
    if (done < limit) {
      result += text.slice(done, limit);
      done = limit;
    }
    this.#carry = text.slice(limit);
    this.#covered = done - limit;
    return result;
  }
}

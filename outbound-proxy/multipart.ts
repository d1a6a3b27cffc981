/**
 * The text fields of a `multipart/form-data` body (RFC 7578), found without changing it. The body is read as a binary
 * string, one character per byte. Files, encoded parts and long values are not fields.
 */

/** A field: its name, and where its value stands. */
export interface FormField {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Largest value of a field, in bytes. */
const MAX_FIELD_BYTES = 8 * 1024;

/** The delimiter of a multipart body with its leading dashes; null when the content type does not name one. */
export function readDelimiter(contentType: string): string | null {
  const [first, ...others] = contentType.matchAll(/;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/gi);
  const boundary = first?.[1] ?? first?.[2];
  return boundary === undefined || others.length > 0 ? null : `--${boundary}`;
}

/** The text fields between these delimiters. */
export function readFields(binary: string, delimiter: string): FormField[] {
  const fields: FormField[] = [];
  let at = binary.startsWith(delimiter) ? 0 : binary.indexOf(`\r\n${delimiter}`) + 2;
  while (at >= 0 && binary.startsWith(delimiter, at)) {
    const headersStart = at + delimiter.length;
    const next = binary.indexOf(`\r\n${delimiter}`, headersStart);
    const headersEnd = binary.indexOf("\r\n\r\n", headersStart);
    if (next === -1 || headersEnd === -1) break;
    const name = headersEnd < next ? readFieldName(binary.slice(headersStart, headersEnd)) : null;
    const start = headersEnd + 4;
    if (name !== null && next - start <= MAX_FIELD_BYTES) fields.push({ name, start, end: Math.max(start, next) });
    at = next + 2;
  }
  return fields;
}

/** The parts as the laxest server may read them: any line ending, any header, every `name` that is given. */
export function readPartsLax(binary: string, delimiter: string): { names: string[]; value: string }[] {
  return binary.split(delimiter).map((part) => {
    const [head = ""] = /^[^]*?\r?\n\r?\n/.exec(part) ?? [];
    const names = [...head.matchAll(/name\*?\s*=\s*"?([^";\r\n]*)/gi)].map(([, name = ""]) => name);
    return { names, value: part.slice(head.length).trim() };
  });
}

function readFieldName(headers: string): string | null {
  if (/^content-transfer-encoding:/im.test(headers)) return null;
  const [, disposition] = /^content-disposition:[ \t]*form-data(;.*)$/im.exec(headers) ?? [];
  if (disposition === undefined || /;\s*filename\*?=/i.test(disposition)) return null;
  const [, quoted, bare] = /;\s*name=(?:"([^"]*)"|([^\s;"]+))/i.exec(disposition) ?? [];
  return quoted ?? bare ?? null;
}

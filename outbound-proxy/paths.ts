/**
 * Path rules. A path is compared segment by segment in its decoded form, and every reading that a server may give it
 * has to satisfy the rule. What servers read differently (`%2F`, `%5C`, `..;`, double encoding) has no reading at all
 * and is refused wherever an API has path rules.
 */

/** The readings of a path, each a list of decoded segments, or null when servers would disagree about it. */
export function readPath(pathname: string): readonly (readonly string[])[] | null {
  const segments: string[] = [];
  for (const raw of pathname.split("/")) {
    if (raw === "") continue; // `//` and a trailing slash say nothing
    const segment = decodeSegment(raw);
    if (segment === null) return null;
    segments.push(segment);
  }
  const bare = segments.map((segment) => segment.split(";", 1)[0] ?? "");
  if (bare.some((segment) => segment === "" || segment === "." || segment === "..")) return null;
  return bare.every((segment, index) => segment === segments[index]) ? [segments] : [segments, bare];
}

/** Whether every reading of the path is covered by one of the globs. */
export function matchesPaths(globs: readonly string[], readings: readonly (readonly string[])[]): boolean {
  const patterns = globs.map((glob) => glob.split("/").filter((segment) => segment !== ""));
  return readings.every((segments) => patterns.some((pattern) => matchSegments(pattern, segments)));
}

/** Whether a request to this path carries other requests: OData's `$batch`, or `multipart/mixed` to a `batch` path. */
export function namesBatch(pathname: string, mediaType: string): boolean {
  const names = new Set(pathname.split("/").map((raw) => (decodeSegment(raw) ?? raw).split(";", 1)[0]?.toLowerCase()));
  return names.has("$batch") || (mediaType === "multipart/mixed" && names.has("batch"));
}

function decodeSegment(raw: string): string | null {
  let segment: string;
  try {
    segment = decodeURIComponent(raw);
  } catch {
    return null;
  }
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[/\\%\u0000-\u001f\u007f]/.test(segment) ? null : segment;
}

function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return segments.length === 0;
  if (first === "**") {
    for (let skipped = 0; skipped <= segments.length; skipped++) {
      if (matchSegments(rest, segments.slice(skipped))) return true;
    }
    return false;
  }
  const [segment, ...others] = segments;
  return segment !== undefined && matchSegment(first, segment) && matchSegments(rest, others);
}

/** `*` stands for any characters within one segment, at least one where it is the whole pattern. */
function matchSegment(pattern: string, segment: string): boolean {
  const literals = pattern.split("*");
  const [head = ""] = literals;
  const tail = literals.length > 1 ? (literals.at(-1) ?? "") : "";
  if (literals.length === 1) return segment === pattern;
  if (!segment.startsWith(head) || !segment.endsWith(tail) || segment.length < head.length + tail.length) return false;
  let at = head.length;
  for (const literal of literals.slice(1, -1)) {
    const found = segment.indexOf(literal, at);
    if (found === -1) return false;
    at = found + literal.length;
  }
  return at <= segment.length - tail.length;
}

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

/** Whether every reading of the path is covered by one of the globs. Takes no more than globs times segments. */
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
  // Some servers fold look-alikes (`．` and `／` of full width) into the characters that they look like.
  const folded = segment.normalize("NFKC");
  if (/^\.{1,2}$/.test(folded)) return folded;
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return /[/\\%\u0000-\u001f\u007f]/.test(folded) ? null : segment;
}

/** Of several `**`, only the last one met has to be tried with more segments: whatever follows it can follow there too. */
function matchSegments(pattern: readonly string[], segments: readonly string[]): boolean {
  let at = 0;
  let next = 0;
  /** Where to go on when nothing matches: after the last `**`, which then stands for the segments before `retry`. */
  let afterStars = -1;
  let retry = 0;
  while (at < segments.length) {
    const expected = pattern[next];
    if (expected === "**") {
      afterStars = ++next;
      retry = at;
    } else if (expected !== undefined && matchSegment(expected, segments[at] ?? "")) {
      at++;
      next++;
    } else if (afterStars === -1) return false;
    else {
      next = afterStars;
      at = ++retry;
    }
  }
  return pattern.slice(next).every((expected) => expected === "**");
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

/**
 * A text for a simple regular expression: literals, classes, counts, groups and the first of alternatives. Enough for the
 * identifiers that documents describe. The expression itself is never run: it may be made to take for ever.
 */
const MAX_LENGTH = 200;

/** A text made from the pattern; it matches as long as the pattern has no conditions. */
export function samplePattern(pattern: string): string {
  return sequence({ source: pattern, at: 0 }, 0).slice(0, MAX_LENGTH);
}

interface Cursor {
  readonly source: string;
  at: number;
}

/** Reads up to the end or a closing bracket; of alternatives the first is kept. */
function sequence(cursor: Cursor, depth: number): string {
  let text = "";
  let kept: string | undefined;
  while (cursor.at < cursor.source.length && cursor.source[cursor.at] !== ")") {
    if (cursor.source[cursor.at] === "|") {
      kept ??= text;
      text = "";
      cursor.at++;
      continue;
    }
    const unit = atom(cursor, depth);
    text = `${text}${unit.repeat(count(cursor))}`.slice(0, MAX_LENGTH);
  }
  return kept ?? text;
}

function atom(cursor: Cursor, depth: number): string {
  const character = cursor.source[cursor.at++] ?? "";
  switch (character) {
    case "^":
    case "$":
      return "";
    case ".":
      return "a";
    case "\\":
      return escaped(cursor.source[cursor.at++] ?? "");
    case "[":
      return characterClass(cursor);
    case "(": {
      const rest = cursor.source.slice(cursor.at);
      const look = /^\?(?:[=!]|<[=!])/.test(rest);
      cursor.at += /^\?(?::|[=!]|<[=!]|<\w+>)/.exec(rest)?.[0].length ?? 0;
      const inner = depth < 50 ? sequence(cursor, depth + 1) : "";
      cursor.at++;
      return look ? "" : inner;
    }
    default:
      return character;
  }
}

function escaped(letter: string): string {
  const classes: Readonly<Record<string, string>> = {
    d: "1",
    w: "a",
    s: " ",
    D: "a",
    W: "-",
    S: "a",
    b: "",
    B: "",
    n: "\n",
    t: "\t",
  };
  return classes[letter] ?? letter;
}

function characterClass(cursor: Cursor): string {
  const negated = cursor.source[cursor.at] === "^";
  if (negated) cursor.at++;
  const start = cursor.at;
  let first: string | undefined;
  while (cursor.at < cursor.source.length && (cursor.source[cursor.at] !== "]" || cursor.at === start)) {
    const character = cursor.source[cursor.at++] ?? "";
    const unit = character === "\\" ? escaped(cursor.source[cursor.at++] ?? "") : character;
    first ??= unit;
  }
  const inside = cursor.source.slice(start, cursor.at);
  cursor.at++;
  return negated ? (["a", "1", "-", "_", " "].find((candidate) => !inside.includes(candidate)) ?? "a") : (first ?? "");
}

function count(cursor: Cursor): number {
  const rest = cursor.source.slice(cursor.at);
  const range = /^\{(\d+)(?:,\d*)?\}\??/.exec(rest) ?? /^[*+?]\??/.exec(rest);
  if (range === null) return 1;
  cursor.at += range[0].length;
  if (range[1] !== undefined) return Math.min(Number(range[1]), MAX_LENGTH);
  return range[0].startsWith("+") ? 1 : 0;
}

/**
 * An Aho–Corasick automaton over bytes that is complete (one step per byte, never a walk along failure links) and
 * compact. Most states have one child and otherwise behave like a shallow state on their failure chain, so a state is
 * one word: its child's byte class, an output flag, and the row of the nearest failure state that really differs.
 * 500 secrets in all their forms fit in about 3 MiB, where a row per state would take 80.
 */

/** The automaton's tables, read-only once built. `scan` walks them. */
export interface Automaton {
  /** Byte → class. Bytes that occur in no pattern share class 0. */
  readonly classes: Uint8Array;
  /** State → word; see `CHILD_MASK`, `HIT`, `ROW_SHIFT`. */
  readonly words: Int32Array;
  /** Rows of next states, one entry per class. */
  readonly rows: Int32Array;
  /** State → index of the longest pattern that ends there, for states whose word has `HIT`. */
  readonly hits: ReadonlyMap<number, number>;
  /** Length of the longest pattern. */
  readonly longest: number;
}

/** Low bits of a word: the class that leads to the first child, which is always the next state; `CHILD_MASK` if none. */
export const CHILD_MASK = 0x1ff;
/** Set in a word when a pattern ends at this state. */
export const HIT = 0x200;
/** The rest of a word: where the row begins that answers for every other class. */
export const ROW_SHIFT = 10;
const NONE = -1;
const MAX_ROW_ENTRIES = 1 << (32 - ROW_SHIFT);

/**
 * Builds the automaton of distinct, non-empty patterns. Time and memory are linear in their total length, apart from
 * the rows: one per place where the text may leave one pattern in the middle and be inside another.
 */
export function buildAutomaton(patterns: readonly Uint8Array[]): Automaton {
  const { classes, width } = classify(patterns);
  const trie = buildTrie(patterns, classes);
  const { count, label, depth, sibling, ends } = trie;

  const words = new Int32Array(count);
  const fail = new Int32Array(count);
  const rowOf = new Int32Array(count).fill(NONE);
  const base = new Int32Array(count);
  const hits = new Map<number, number>();
  let rows = new Int32Array(width * 64);
  let rowsEnd = 0;

  const childClass = (state: number): number =>
    state + 1 < count && at(depth, state + 1) === at(depth, state) + 1 ? at(label, state + 1) : CHILD_MASK;
  const branches = (state: number): boolean => childClass(state) !== CHILD_MASK && at(sibling, state + 1) !== 0;
  const next = (state: number, byteClass: number): number => {
    const word = at(words, state);
    return (word & CHILD_MASK) === byteClass ? state + 1 : at(rows, (word >>> ROW_SHIFT) + byteClass);
  };
  /** Where a state's own row begins, written now if it has none: its failure row with its children on top. */
  const ownRow = (state: number): number => {
    const known = at(rowOf, state);
    if (known !== NONE) return known;
    const below = state === 0 ? NONE : ownRow(at(base, state));
    const row = rowsEnd;
    rowsEnd += width;
    if (rowsEnd > MAX_ROW_ENTRIES) throw new RangeError("the credentials of this run need more than 16 MiB of tables");
    if (rowsEnd > rows.length) rows = grown(rows);
    if (below !== NONE) rows.copyWithin(row, below, below + width);
    if (childClass(state) !== CHILD_MASK) {
      for (let child = state + 1; child !== 0; child = at(sibling, child)) rows[row + at(label, child)] = child;
    }
    rowOf[state] = row;
    return row;
  };

  for (const state of byDepth(depth, trie.maxDepth)) {
    const own = childClass(state);
    if (state !== 0) base[state] = nearestDifferent(state, own);
    const row = ownRow(state === 0 || branches(state) ? state : at(base, state));
    if (at(ends, state) === NONE) ends[state] = at(ends, at(fail, state));
    const isHit = at(ends, state) !== NONE;
    if (isHit) hits.set(state, at(ends, state));
    words[state] = (row << ROW_SHIFT) | (isHit ? HIT : 0) | own;
    if (own === CHILD_MASK) continue;
    for (let child = state + 1; child !== 0; child = at(sibling, child)) {
      fail[child] = state === 0 ? 0 : next(at(fail, state), at(label, child));
    }
  }
  return { classes, words, rows: rows.slice(0, rowsEnd), hits, longest: trie.maxDepth };

  /** The first state on the failure chain that can go somewhere `state` itself cannot: where the rest is looked up. */
  function nearestDifferent(state: number, own: number): number {
    let candidate = at(fail, state);
    for (;;) {
      if (candidate === 0 || branches(candidate)) return candidate;
      const child = childClass(candidate);
      if (child !== CHILD_MASK && child !== own) return candidate;
      candidate = at(base, candidate);
    }
  }
}

/** Bytes of the automaton's tables. */
export function sizeOf({ classes, words, rows, hits }: Automaton): number {
  const BYTES_PER_MAP_ENTRY = 32;
  return classes.byteLength + words.byteLength + rows.byteLength + hits.size * BYTES_PER_MAP_ENTRY;
}

function classify(patterns: readonly Uint8Array[]): { classes: Uint8Array; width: number } {
  const used = new Uint8Array(256);
  for (const pattern of patterns) pattern.forEach((byte) => (used[byte] = 1));
  const classes = new Uint8Array(256);
  // Class 0 stands for all unused bytes; when there are none, it is free for a byte of its own.
  let width = used.includes(0) ? 1 : 0;
  for (let byte = 0; byte < 256; byte++) if (at(used, byte) === 1) classes[byte] = width++;
  return { classes, width };
}

interface Trie {
  readonly count: number;
  readonly maxDepth: number;
  readonly label: Uint8Array;
  readonly depth: Int32Array;
  /** Next child of the same parent; 0 if none. */
  readonly sibling: Int32Array;
  /** State → index of the pattern that is exactly this path; `NONE` if there is none. */
  readonly ends: Int32Array;
}

/** States are numbered in preorder, so that a state's first child is the state after it. */
function buildTrie(patterns: readonly Uint8Array[], classes: Uint8Array): Trie {
  const sorted = patterns.map((bytes, index) => ({ bytes, index })).sort((a, b) => compare(a.bytes, b.bytes));
  const total = patterns.reduce((sum, pattern) => sum + pattern.length, 1);
  const maxDepth = patterns.reduce((max, pattern) => Math.max(max, pattern.length), 0);
  const label = new Uint8Array(total);
  const depth = new Int32Array(total);
  const sibling = new Int32Array(total);
  const path = new Int32Array(maxDepth + 1);
  const ends = new Int32Array(total).fill(NONE);
  let count = 1;
  let previous: Uint8Array = new Uint8Array(0);
  for (const { bytes, index } of sorted) {
    const shared = commonPrefix(previous, bytes);
    if (shared < previous.length) sibling[at(path, shared + 1)] = count;
    for (let length = shared; length < bytes.length; length++) {
      label[count] = at(classes, at(bytes, length));
      depth[count] = length + 1;
      path[length + 1] = count++;
    }
    ends[at(path, bytes.length)] = index;
    previous = bytes;
  }
  return { count, maxDepth, label, depth: depth.subarray(0, count), sibling, ends };
}

/** All states, shallow ones first. */
function byDepth(depth: Int32Array, maxDepth: number): Int32Array {
  const starts = new Int32Array(maxDepth + 2);
  depth.forEach((level) => (starts[level + 1] = at(starts, level + 1) + 1));
  for (let level = 1; level < starts.length; level++) starts[level] = at(starts, level) + at(starts, level - 1);
  const order = new Int32Array(depth.length);
  for (let state = 0; state < depth.length; state++) {
    const level = at(depth, state);
    order[at(starts, level)] = state;
    starts[level] = at(starts, level) + 1;
  }
  return order;
}

function commonPrefix(a: Uint8Array, b: Uint8Array): number {
  const end = Math.min(a.length, b.length);
  let length = 0;
  while (length < end && a[length] === b[length]) length++;
  return length;
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const shared = commonPrefix(a, b);
  return shared === a.length || shared === b.length ? a.length - b.length : at(a, shared) - at(b, shared);
}

function grown(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** An element whose index is in range by construction, which the compiler cannot see. */
function at(array: Uint8Array | Int32Array, index: number): number {
  return array[index] as number;
}

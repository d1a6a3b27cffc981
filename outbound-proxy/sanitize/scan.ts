/**
 * The loop that reads every byte of every answer. It takes the same steps whatever the bytes are: no branch and no
 * shortcut depends on how far they resemble a secret, for a host under an attacker's control could read such a
 * difference from the time an answer takes. A prefilter that skips ahead, however fast, would tell which short pieces
 * of text occur in the secrets; so does a plain `if` on "is this the expected next byte", by 10 to 20 percent.
 * Speed comes from reading two halves of a piece side by side, each waiting for memory while the other computes.
 */
import { CHILD_MASK, HIT, ROW_SHIFT, type Automaton } from "./automaton.ts";

/** Called with the index after an occurrence's last byte and the longest pattern that ends there, in order. */
export type OnHit = (end: number, pattern: number) => void;

/** Pieces shorter than two of these are read in one go. */
const MIN_HALF_BYTES = 1024;

/** Reads `bytes[from, to)` starting in `state` (0 at the beginning of a text) and returns the state reached. */
export function scan(
  automaton: Automaton,
  bytes: Uint8Array,
  from: number,
  to: number,
  state: number,
  onHit: OnHit,
): number {
  const { classes, words, rows, hits, longest } = automaton;
  const half = (to - from) >>> 1;
  if (half < longest || half < MIN_HALF_BYTES) return scanLane(automaton, bytes, from, to, state, onHit);

  const middle = from + half;
  let word = words[state] as number;
  let laterState = 0;
  let laterWord = words[0] as number;
  const laterHits: { end: number; state: number }[] = [];
  for (let index = from; index < middle; index++) {
    const byteClass = classes[bytes[index] as number] as number;
    const laterClass = classes[bytes[index + half] as number] as number;
    const elsewhere = rows[(word >>> ROW_SHIFT) + byteClass] as number;
    const laterElsewhere = rows[(laterWord >>> ROW_SHIFT) + laterClass] as number;
    state = elsewhere ^ ((elsewhere ^ (state + 1)) & allOnesIfChild(word, byteClass));
    laterState = laterElsewhere ^ ((laterElsewhere ^ (laterState + 1)) & allOnesIfChild(laterWord, laterClass));
    word = words[state] as number;
    laterWord = words[laterState] as number;
    if (((word | laterWord) & HIT) !== 0) {
      if ((word & HIT) !== 0) onHit(index + 1, hits.get(state) as number);
      if ((laterWord & HIT) !== 0) laterHits.push({ end: index + half + 1, state: laterState });
    }
  }
  // The second half began without knowing what came before it. Up to the longest pattern's length that matters.
  const known = middle + longest;
  scanLane(automaton, bytes, middle, known, state, onHit);
  for (const { end, state } of laterHits) if (end > known) onHit(end, hits.get(state) as number);
  return scanLane(automaton, bytes, middle + half, to, laterState, onHit);
}

function scanLane(
  { classes, words, rows, hits }: Automaton,
  bytes: Uint8Array,
  from: number,
  to: number,
  state: number,
  onHit: OnHit,
): number {
  let word = words[state] as number;
  for (let index = from; index < to; index++) {
    const byteClass = classes[bytes[index] as number] as number;
    const elsewhere = rows[(word >>> ROW_SHIFT) + byteClass] as number;
    state = elsewhere ^ ((elsewhere ^ (state + 1)) & allOnesIfChild(word, byteClass));
    word = words[state] as number;
    if ((word & HIT) !== 0) onHit(index + 1, hits.get(state) as number);
  }
  return state;
}

/** -1 when the byte leads to the state's own child, which is the next state; 0 otherwise. */
function allOnesIfChild(word: number, byteClass: number): number {
  return (((word & CHILD_MASK) ^ byteClass) - 1) >> 31;
}

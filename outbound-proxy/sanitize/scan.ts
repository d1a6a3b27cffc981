/**
 * The loop that reads every byte of every answer. It takes the same steps whatever the bytes are: no branch and no
 * shortcut depends on how far they resemble a secret, for a host under an attacker's control could read such a
 * difference from the time an answer takes. A prefilter that skips ahead, however fast, would tell which short pieces
 * of text occur in the secrets; so does a plain `if` on "is this the expected next byte", by 10 to 20 percent.
 */
import { CHILD_MASK, HIT, ROW_SHIFT, type Automaton } from "./automaton.ts";

/** Called with the index after an occurrence's last byte and the longest pattern that ends there. */
export type OnHit = (end: number, pattern: number) => void;

/** Reads `bytes[from, to)` starting in `state` (0 at the beginning of a text) and returns the state reached. */
export function scan(
  automaton: Automaton,
  bytes: Uint8Array,
  from: number,
  to: number,
  state: number,
  onHit: OnHit,
): number {
  const { classes, words, rows, hits } = automaton;
  let word = words[state] as number;
  for (let index = from; index < to; index++) {
    const byteClass = classes[bytes[index] as number] as number;
    const elsewhere = rows[(word >>> ROW_SHIFT) + byteClass] as number;
    // All ones when the byte leads to the state's own child, which is the next state; all zeros otherwise.
    const isChild = (((word & CHILD_MASK) ^ byteClass) - 1) >> 31;
    state = elsewhere ^ ((elsewhere ^ (state + 1)) & isChild);
    word = words[state] as number;
    if ((word & HIT) !== 0) onHit(index + 1, hits.get(state) as number);
  }
  return state;
}

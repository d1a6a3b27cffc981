// Lines on their way out: in batches while the code runs, the rest with the answer, none of them twice.
import { push, setPrototypeOf } from "./primordials.js";

const MAX_CHARACTERS = 524_288;
const MAX_LINES = 10_000;

/** A list that becomes JSON whatever the code has put on the prototypes. */
const createList = () => setPrototypeOf([], null);

/** `send(lines)` is called for each batch; `later(callback)` calls back when the code yields. */
export function createOutbox(send, later) {
  let lines = createList();
  let scheduled = false;
  let held = false;
  let characters = 0;
  let accepted = 0;
  let dropped = 0;

  function flush() {
    scheduled = false;
    if (held || lines.length === 0) return;
    const batch = lines;
    lines = createList();
    send(batch);
  }

  return {
    /** Keeps what is to come for `close`: the code is done, and its last lines leave with the answer. */
    hold() {
      held = true;
    },
    add(level, text) {
      characters += text.length;
      accepted += 1;
      if (characters > MAX_CHARACTERS || accepted > MAX_LINES) {
        dropped += 1;
        return;
      }
      push(lines, { __proto__: null, level, text });
      if (scheduled) return;
      scheduled = true;
      later(flush);
    },
    /** The lines that did not leave yet; the last one says how many were dropped, if any were. */
    close() {
      if (dropped > 0) {
        const text = `${dropped} more log lines were dropped: a run may log 10,000 lines of 512 KiB in all`;
        push(lines, { __proto__: null, level: "warn", text });
      }
      const rest = lines;
      lines = createList();
      return rest;
    },
  };
}

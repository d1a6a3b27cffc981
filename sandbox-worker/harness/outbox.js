// Lines on their way out: in batches while the code runs, the rest with the answer, none of them twice.
import { push } from "./primordials.js";

const MAX_CHARACTERS = 524_288;
const MAX_LINES = 10_000;

/** `send(lines)` is called for each batch; `later(callback)` calls back when the code yields. */
export function createOutbox(send, later) {
  let lines = [];
  let scheduled = false;
  let characters = 0;
  let accepted = 0;
  let dropped = 0;

  function flush() {
    scheduled = false;
    if (lines.length === 0) return;
    const batch = lines;
    lines = [];
    send(batch);
  }

  return {
    flush,
    add(line) {
      characters += line.text.length;
      accepted += 1;
      if (characters > MAX_CHARACTERS || accepted > MAX_LINES) {
        dropped += 1;
        return;
      }
      push(lines, line);
      if (scheduled) return;
      scheduled = true;
      later(flush);
    },
    /** The lines that did not leave, and how many were dropped. */
    close() {
      if (dropped > 0)
        push(lines, {
          level: "warn",
          text: `${dropped} more log lines were dropped: a run may log 10,000 lines of 512 KiB in all`,
        });
      const rest = lines;
      lines = [];
      return rest;
    },
  };
}

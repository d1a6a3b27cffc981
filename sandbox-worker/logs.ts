/**
 * The lines of one run on their way to its owner: counted, whichever way they leave the isolate, and with the places
 * that the harness notes, `(code.js:5:11)`, turned into lines of the user's own text.
 */
import type { LogLine } from "../src/contract/run.ts";
import { MAX_LOG_CHARS, MAX_LOG_LINES } from "./claim.ts";
import type { Program } from "./compile/link.ts";

const PLACE = /\(((?:code|skill\d+)\.js):(\d+):(\d+)\)/g;

/** Different places looked up for one run; finding one takes a pass over the code. */
const MAX_PLACES = 100;

/** Rewrites the places in a text. */
export type Translate = (text: string) => string;

/** Makes the translation for one run's code; beyond its limit a place stays as it is. */
export function createTranslate(code: Pick<Program, "locate">): Translate {
  const known = new Map<string, string>();
  return (text) =>
    text.replace(PLACE, (place, module: string, line: string, column: string) => {
      const found = known.get(place);
      if (found !== undefined || known.size >= MAX_PLACES) return found ?? place;
      const own = code.locate(Number(line), Number(column), module);
      const file = own.file === undefined ? "line " : `${own.file}:`;
      const translated = `(${file}${own.line}:${own.column})`;
      known.set(place, translated);
      return translated;
    });
}

/** Lets through the lines that a run may still log, translated. */
export function createLogFilter(translate: Translate): (lines: readonly LogLine[]) => LogLine[] {
  let characters = 0;
  let count = 0;
  return (lines) => {
    const accepted: LogLine[] = [];
    for (const { level, text } of lines) {
      characters += text.length;
      count += 1;
      if (characters > MAX_LOG_CHARS || count > MAX_LOG_LINES) break;
      accepted.push({ level, text: translate(text) });
    }
    return accepted;
  };
}

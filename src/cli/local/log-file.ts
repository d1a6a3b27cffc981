/** What the local server logs, in files under `.codeforge/logs`: the current one and a few older ones, bounded in size. */
import { appendFileSync, existsSync, mkdirSync, renameSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

import type { Project } from "../project.ts";

const MAX_BYTES = 10 * 1024 * 1024;
const OLDER_FILES = 4;

/** The current log file of a project. Older ones have `.1`, the latest, to `.4` behind the name. */
export function logPath(project: Project): string {
  return join(project.data, "logs", "codeforge.log");
}

/** The log files that are there, the oldest first. */
export function logFiles(path: string): string[] {
  const older = Array.from({ length: OLDER_FILES }, (_, index) => `${path}.${OLDER_FILES - index}`);
  return [...older, path].filter((file) => existsSync(file));
}

export class LogFile {
  readonly #path: string;
  readonly #maxBytes: number;
  #bytes: number;

  constructor(path: string, maxBytes = MAX_BYTES) {
    this.#path = path;
    this.#maxBytes = maxBytes;
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    this.#bytes = existsSync(path) ? statSync(path).size : 0;
  }

  /** Adds a line. A disk that is full does not stop the server. */
  write(line: string): void {
    const text = `${line}\n`;
    try {
      if (this.#bytes > 0 && this.#bytes + text.length > this.#maxBytes) this.#rotate();
      appendFileSync(this.#path, text, { mode: 0o600 });
      this.#bytes += Buffer.byteLength(text);
    } catch {
      // The terminal has the line.
    }
  }

  #rotate(): void {
    for (let n = OLDER_FILES - 1; n >= 1; n--) {
      if (existsSync(`${this.#path}.${n}`)) renameSync(`${this.#path}.${n}`, `${this.#path}.${n + 1}`);
    }
    renameSync(this.#path, `${this.#path}.1`);
    this.#bytes = 0;
  }
}

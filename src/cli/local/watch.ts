/** Watches what a running server was built from, and says when it is worth building again. */
import { existsSync, watch, type FSWatcher } from "node:fs";
import { dirname, basename, join } from "node:path";

import type { Project } from "../project.ts";

/** Editors write a file in several steps; a change is taken up when nothing has moved for this long. */
const QUIET_MS = 150;

/** Calls `onChange` after changes to APIs, values or code; changes during a call lead to one more. Returns how to stop. */
export function watchProject(project: Project, onChange: () => Promise<void>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  let again = false;
  const run = async (): Promise<void> => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    await onChange();
    busy = false;
    if (!again) return;
    again = false;
    await run();
  };
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };
  const watchers: FSWatcher[] = [project.apis, project.skills, ...SOURCES.map((folder) => join(project.root, folder))]
    .filter(existsSync)
    .map((folder) => watch(folder, { recursive: true }, changed));
  // The file may not exist yet, and is replaced, not written to: its folder is watched for its name.
  const vars = basename(project.vars);
  watchers.push(watch(dirname(project.vars), (_, name) => (name === vars ? changed() : undefined)));
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}

const SOURCES = ["src", "sandbox-worker", "outbound-proxy"];

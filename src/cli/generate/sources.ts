/**
 * The fixed files of a generated server: the template beside this file and everything of this project that it imports,
 * copied as they are. The mapping that makes requests exists once; a generated server has the very files.
 */
import { readFileSync } from "node:fs";
import { dirname, posix, relative, resolve, sep } from "node:path";

import { VERSION } from "../../contract/version.ts";

const SOURCE_ROOT = resolve(import.meta.dirname, "../..");
const TEMPLATE = resolve(import.meta.dirname, "template");
const ENTRIES = ["main.ts", "worker.ts"];

/** Written per document, and not copied. */
const GENERATED = "tools.ts";

const IMPORT = /(?<=^(?:import|export)\b[^;"']*?(?:\bfrom\s*)?")(\.[^"]+)(?=";$)/gm;

/** The fixed files, by their path under `src/` of the generated project, sorted. */
export function fixedSources(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const pending = ENTRIES.map((name) => resolve(TEMPLATE, name));
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    const place = toPlace(path);
    if (files.has(place) || place === GENERATED) continue;
    const from = path;
    const text = readFileSync(from, "utf8").replaceAll("\r\n", "\n");
    pending.push(...[...text.matchAll(IMPORT)].map(([, target = ""]) => resolve(dirname(from), target)));
    const moved = text.replace(IMPORT, (target: string) => toSpecifier(place, toPlace(resolve(dirname(from), target))));
    files.set(place, withNote(moved));
  }
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Where a file of this project is put: the template at the top, everything else as it is here. */
function toPlace(path: string): string {
  const inTemplate = relative(TEMPLATE, path);
  const place = inTemplate.startsWith("..") ? relative(SOURCE_ROOT, path) : inTemplate;
  return place.split(sep).join("/");
}

function toSpecifier(from: string, target: string): string {
  const path = posix.relative(posix.dirname(from), target);
  return path.startsWith(".") ? path : `./${path}`;
}

/** Says on the first line, or below a `#!`, where a file is from. */
function withNote(text: string): string {
  const note = `// From CodeForge ${VERSION} (MIT), the same for every API.\n`;
  return text.startsWith("#!") ? text.replace("\n", `\n${note}`) : note + text;
}

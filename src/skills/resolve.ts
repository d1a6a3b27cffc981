/**
 * What an import of a saved file means. A block writes `skills/paging`, or `/skills/paging.ts`; a file of a skill may
 * name its neighbours as well, `./rows.ts`. `skills/<name>` is the skill's `main.ts`.
 */
import type { ModuleAnswer, ModuleRequest } from "../contract/modules.ts";
import type { SkillLibrary } from "./library.ts";
import { textOf } from "./text.ts";
import { MAIN, SkillName } from "./names.ts";
import { withStore } from "./changes.ts";
import { describeFailure } from "./failures.ts";

/** A file of a skill. */
export interface FileRef {
  readonly name: string;
  readonly path: string;
}

/** The id of a file: what messages about code call it. */
export function toFileId({ name, path }: FileRef): string {
  return `skills/${name}/${path}`;
}

/** The file that an id names, or null. */
function fromFileId(id: string): FileRef | null {
  const [, name, path] = /^skills\/([^/]+)\/(.+)$/.exec(id) ?? [];
  return name === undefined || path === undefined ? null : { name, path };
}

/** The skill and the path that a specifier means; the path may still lack its extension. Null when it means none. */
function resolveImport({ specifier, from }: ModuleRequest): FileRef | null {
  const own = from === null ? null : fromFileId(from);
  if (/^\.{1,2}\//.test(specifier)) {
    if (own === null) return null;
    const path = join(own.path.split("/").slice(0, -1), specifier);
    return path === null ? null : { name: own.name, path };
  }
  const [, name, path] = /^\/?skills\/([^/]+?)(?:\.[jt]s)?(?:\/(.+))?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  return { name, path: path ?? MAIN };
}

/** Finds the file of each request. `own` holds files that are not saved yet, by skill. */
export async function readModules(
  library: SkillLibrary,
  requests: readonly ModuleRequest[],
  own: ReadonlyMap<string, ReadonlyMap<string, Uint8Array>> = new Map(),
): Promise<ModuleAnswer[]> {
  return Promise.all(
    requests.map(async (request) => {
      const refuse = (message: string): ModuleAnswer => ({ ok: false, message });
      const ref = resolveImport(request);
      const quoted = JSON.stringify(request.specifier);
      if (ref === null || !SkillName.safeParse(ref.name).success)
        return refuse(`${quoted} names no file of a skill: write "skills/<name>" or "skills/<name>/<file>"`);
      const unsaved = own.get(ref.name);
      const read =
        unsaved === undefined
          ? await withStore(library, ref.name, () => library.files(ref.name))
          : ({ ok: true, value: unsaved } as const);
      if (!read.ok) return refuse(describeFailure(ref.name, read.failure));
      const candidates = [ref.path, `${ref.path}.ts`, `${ref.path}.js`];
      const path = candidates.find((candidate) => /\.[jt]s$/.test(candidate) && read.value.has(candidate));
      const code = path === undefined ? null : textOf(read.value, path);
      if (path === undefined || code === null) {
        const known = [...read.value.keys()].filter((file) => /\.[jt]s$/.test(file));
        return refuse(describeFailure(ref.name, { kind: "unknown_file", path: ref.path, known }));
      }
      return { ok: true, id: toFileId({ name: ref.name, path }), code };
    }),
  );
}

/** A relative path from a folder, or null when it leaves the skill. */
function join(folder: readonly string[], relative: string): string | null {
  const segments = [...folder];
  for (const segment of relative.split("/")) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") {
      if (segments.pop() === undefined) return null;
    } else segments.push(segment);
  }
  return segments.join("/");
}

/**
 * Brings together a block and the saved files that it imports, and those that they import: each becomes a module of the
 * isolate. The files come from the server, level by level; every problem is told at its own place in its own file.
 */
import { z } from "zod";

import { ModuleAnswer, type ModuleRequest, type ModuleSource } from "../../src/contract/modules.ts";
import type { Position } from "../../src/contract/outcome.ts";
import { prepare, type CompileOptions, type Prepared, type Runnable, type Uncompilable } from "./compile.ts";
import type { SavedImport } from "./saved.ts";

/** Files that one run may import, and their characters together. */
const MAX_MODULES = 100;
const MAX_CHARS = 4 * 1024 * 1024;

/** The name of the block's module in the isolate; saved files are `skill1.js`, `skill2.js`, … */
const MAIN = "code.js";

/** Gives the files of imports, one answer for each, in order. */
export type Load = (requests: readonly ModuleRequest[]) => Promise<readonly ModuleAnswer[]>;

/** Asks the server, which may be gone, or of a version that knows no saved files. */
export function loadFrom(source: ModuleSource): Load {
  return async (requests) => {
    try {
      return z.array(ModuleAnswer).parse(await source.modules(requests));
    } catch {
      return [];
    }
  };
}

/** Code that is ready for the isolate. */
export interface Program {
  readonly ok: true;
  readonly code: string;
  /** The saved files by the names of their modules. */
  readonly modules: Readonly<Record<string, string>>;
  /** Takes a place in a module, `code.js` unless named, to the text as it arrived. */
  locate(line: number, column: number, module?: string): Position;
}

export interface LinkOptions extends Omit<CompileOptions, "isModule"> {
  readonly load: Load;
}

/** A file that is given and not asked for. */
export interface GivenFile {
  readonly id: string;
  readonly code: string;
}

/** A module on its way: where it is in the isolate, what it imports and where that leads. */
interface Unit {
  readonly name: string;
  readonly id: string | null;
  readonly prepared: Prepared;
  /** Ids of files by the specifiers that mean them. */
  readonly targets: Map<string, string>;
}

/** Links a block. The first thing that is wrong is its answer. */
export async function link(code: string, { load, ...options }: LinkOptions): Promise<Program | Uncompilable> {
  const linker = new Linker(options, load);
  const main = linker.addMain(code);
  await linker.close();
  const [first] = linker.problems;
  if (first !== undefined || main === null) return first ?? { ok: false, message: "nothing to run", position: null };
  const runnables = new Map(linker.units().map((unit) => [unit.name, linker.finish(unit)]));
  const modules = Object.fromEntries(
    [...runnables].flatMap(([name, { code }]) => (name === MAIN ? [] : [[name, code]])),
  );
  const own = linker.finish(main);
  return {
    ok: true,
    code: own.code,
    modules,
    locate: (line, column, module = MAIN) => (runnables.get(module) ?? own).locate(line, column),
  };
}

/** Everything that does not compile of a skill: of the file that runs, of the others, and of what they import. */
export async function findProblems(
  code: string,
  files: readonly GivenFile[],
  { load, ...options }: LinkOptions,
): Promise<readonly Uncompilable[]> {
  const linker = new Linker(options, load);
  linker.addMain(code);
  for (const file of files) linker.addFile(file);
  await linker.close();
  return linker.problems;
}

class Linker {
  readonly problems: Uncompilable[] = [];
  readonly #options: Omit<LinkOptions, "load">;
  readonly #load: Load;
  readonly #files = new Map<string, Unit | null>();
  #main: Unit | null = null;
  #pending: Unit[] = [];
  #chars = 0;

  constructor(options: Omit<LinkOptions, "load">, load: Load) {
    this.#options = options;
    this.#load = load;
  }

  /** The block, or null when it does not compile. */
  addMain(code: string): Unit | null {
    this.#main = this.#add(MAIN, this.#options.file ?? null, prepare(code, this.#options));
    return this.#main;
  }

  addFile({ id, code }: GivenFile): void {
    if (this.#files.has(id)) return;
    this.#chars += code.length;
    const name = `skill${this.#files.size + 1}.js`;
    const prepared = prepare(code, { ...this.#options, file: id, isModule: true });
    this.#files.set(id, this.#add(name, id, prepared));
  }

  units(): Unit[] {
    return [this.#main, ...this.#files.values()].filter((unit) => unit !== null);
  }

  /** The module of a unit, once all that it imports is there. */
  finish({ prepared, targets }: Unit): Runnable {
    const links = [...targets].flatMap(([specifier, id]): [string, string][] => {
      const unit = this.#files.get(id);
      return unit ? [[specifier, `./${unit.name}`]] : [];
    });
    return prepared.link(new Map(links));
  }

  /** Loads what is imported until nothing is missing, and checks that the names are there. */
  async close(): Promise<void> {
    while (this.#pending.length > 0) {
      const imports = this.#pending.flatMap((unit) => unit.prepared.imports.map((saved) => ({ unit, saved })));
      this.#pending = [];
      if (imports.length === 0) break;
      const requests = imports.map(({ unit, saved }) => ({ specifier: saved.specifier, from: unit.id }));
      const answers = await this.#load(requests);
      for (const [index, { unit, saved }] of imports.entries()) this.#follow(unit, saved, answers[index]);
    }
    for (const unit of this.units()) for (const saved of unit.prepared.imports) this.#checkNames(unit, saved);
  }

  #add(name: string, id: string | null, prepared: Prepared | Uncompilable): Unit | null {
    if (!prepared.ok) {
      this.problems.push(prepared);
      return null;
    }
    const unit: Unit = { name, id, prepared, targets: new Map() };
    this.#pending.push(unit);
    return unit;
  }

  #follow(unit: Unit, saved: SavedImport, answer: ModuleAnswer | undefined): void {
    if (answer === undefined || !answer.ok) {
      this.#refuse(unit, answer?.message ?? "the server did not say what this is", saved.offset);
      return;
    }
    unit.targets.set(saved.specifier, answer.id);
    if (this.#files.has(answer.id)) return;
    if (this.#files.size >= MAX_MODULES) this.#refuse(unit, `a run imports ${MAX_MODULES} files at most`, saved.offset);
    else if (this.#chars + answer.code.length > MAX_CHARS)
      this.#refuse(unit, `the files that a run imports have ${MAX_CHARS} characters at most`, saved.offset);
    else this.addFile(answer);
  }

  #checkNames(unit: Unit, { specifier, names }: SavedImport): void {
    const id = unit.targets.get(specifier);
    const target = id === undefined ? null : this.#files.get(id);
    const exported = target?.prepared.exports;
    if (!exported) return;
    for (const { name, offset } of names) {
      if (exported.has(name)) continue;
      const known = [...exported].join(", ") || "nothing";
      this.#refuse(unit, `${id} has no ${name === "default" ? "default export" : name}; it exports ${known}`, offset);
    }
  }

  #refuse({ prepared }: Unit, message: string, offset: number): void {
    this.problems.push({ ok: false, message, position: prepared.locate(offset) });
  }
}

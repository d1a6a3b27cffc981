/**
 * The skills as MCP offers them (SEP-2640): `skills/list` and `skills/get` by front matter and digests, each file as a
 * resource `skill://<name>/<path>`, folders by directory reads. A listing reads no file. What a skill says of itself is
 * data of whoever saved it, so each entry carries where it comes from.
 */
import { ResourceNotFoundError, type McpServer, type Resource } from "@modelcontextprotocol/server";
import {
  DIRECTORY_MIME_TYPE,
  SkillsExtension,
  type Skill as SkillListing,
  type SkillReadResult,
  type SkillSource,
} from "@modelcontextprotocol/server/ext/skills";

import { withStore, type SkillResult } from "../skills/changes.ts";
import { describeFailure } from "../skills/failures.ts";
import { decodeText } from "../skills/format.ts";
import { provenanceText, type Skill, type SkillLibrary } from "../skills/library.ts";
import { MANIFEST } from "../skills/names.ts";

/** Skills in one answer to `skills/list`. */
const PAGE_SIZE = 100;

/** Skills in `resources/list`, which has no pages: enough to choose from, and the same cost however many there are. */
const MAX_LISTED = 50;

const SCHEME = "skill://";

/** Serves the skills on a server, before it is connected. */
export function registerSkills(server: McpServer, library: SkillLibrary): void {
  new SkillsExtension({ source: toSource(library), onWarning: warn }).attach(server);
}

function toSource(library: SkillLibrary): SkillSource {
  const find = async (uri: string): Promise<{ skill: Skill; path: string } | undefined> => {
    const [, name, path = ""] = /^skill:\/\/([a-z0-9-]+)(?:\/(.*))?$/.exec(uri) ?? [];
    if (name === undefined) return undefined;
    const skill = await known(
      name,
      withStore(library, name, async () => ok(await library.find(name))),
    );
    return skill === undefined ? undefined : { skill, path: path.replace(/\/$/, "") };
  };
  return {
    async list({ cursor }) {
      const page = await known(
        "",
        withStore(library, "", async () => ok(await library.page(cursor ?? "", PAGE_SIZE))),
      );
      return { skills: page.skills.map(toListing), ...(page.next === null ? {} : { nextCursor: page.next }) };
    },

    async get(uri) {
      const found = await find(uri);
      return found?.path === MANIFEST ? toListing(found.skill) : undefined;
    },

    async read(uri): Promise<SkillReadResult | undefined> {
      const found = await find(uri);
      if (found === undefined || !found.skill.entry.files.some(({ path }) => path === found.path)) return undefined;
      const { name } = found.skill.entry;
      const files = await known(
        name,
        withStore(library, name, () => library.files(name)),
      );
      const bytes = files.get(found.path);
      // Saved anew in between, without this file.
      if (bytes === undefined) throw new ResourceNotFoundError(uri);
      const text = decodeText(bytes);
      const mimeType = mimeTypeOf(found.path);
      return text === null ? { bytes, mimeType } : { text, mimeType };
    },

    async readDirectory(uri) {
      const found = await find(uri);
      if (found === undefined) return undefined;
      const resources = childrenOf(found.skill, found.path);
      return resources.length === 0 ? undefined : { resources };
    },

    async listResources() {
      const page = await known(
        "",
        withStore(library, "", async () => ok(await library.page("", MAX_LISTED))),
      );
      return page.skills.map((skill) => toResource(skill));
    },
  };
}

function toListing(skill: Skill): SkillListing {
  const { name, head, files } = skill.entry;
  const resources = files.map(({ path, digest, size }) => ({ uri: `${SCHEME}${name}/${path}`, digest, size }));
  return { uri: `${SCHEME}${name}/${MANIFEST}`, frontmatter: head, resources, _meta: toMeta(skill) };
}

/** Where a skill comes from. */
function toMeta({ saved }: Skill): Record<string, unknown> {
  const source = saved === null ? { builtIn: true } : { by: saved.by, at: saved.at, run: saved.run, version: saved.id };
  return { "io.modelcontextprotocol.skills/source": source };
}

function toResource(skill: Skill): Resource {
  const { name, head } = skill.entry;
  const uri = `${SCHEME}${name}/${MANIFEST}`;
  const title = `${name} (skill, ${provenanceText(skill)})`;
  return { uri, name, title, description: head.description, mimeType: mimeTypeOf(MANIFEST), _meta: toMeta(skill) };
}

/** What is directly in a folder of a skill; nothing when it is none. */
function childrenOf({ entry }: Skill, folder: string): Resource[] {
  const prefix = folder === "" ? "" : `${folder}/`;
  const children = new Map<string, Resource>();
  for (const { path, size } of entry.files) {
    if (!path.startsWith(prefix)) continue;
    const [name = "", ...deeper] = path.slice(prefix.length).split("/");
    const uri = `${SCHEME}${entry.name}/${prefix}${name}`;
    const isFolder = deeper.length > 0;
    children.set(
      name,
      isFolder ? { uri, name, mimeType: DIRECTORY_MIME_TYPE } : { uri, name, mimeType: mimeTypeOf(name), size },
    );
  }
  return [...children.values()];
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  md: "text/markdown",
  ts: "text/typescript",
  txt: "text/plain",
  yaml: "application/yaml",
  yml: "application/yaml",
};

function mimeTypeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  return (Object.hasOwn(MIME_TYPES, extension) ? MIME_TYPES[extension] : undefined) ?? "application/octet-stream";
}

function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

/** The value, or an error whose text the client is shown. */
async function known<T>(name: string, result: Promise<SkillResult<T>>): Promise<T> {
  const settled = await result;
  if (settled.ok) return settled.value;
  throw new Error(describeFailure(name, settled.failure));
}

function warn({ path, message }: { readonly path: string; readonly message: string }): void {
  console.error(`unexpected: skills: ${JSON.stringify(path)}: ${JSON.stringify(message)}`);
}

/** `codeforge skills`: the skills of a server, local or deployed, and their folders on disk. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

import type { Command } from "commander";

import { UserError } from "../errors.ts";
import { toPrintable } from "../printable.ts";
import { openProject, displayPath, type Project, type ProjectOptions } from "../project.ts";
import { findLogin } from "../remote/logins.ts";
import { readFolders, skillFolders, writeFolder, type FolderSkill } from "../skills/folder.ts";
import { RemoteSkills } from "../skills/remote.ts";
import { toTable } from "../table.ts";
import { PackedFiles, packFiles, unpackFiles } from "../../skills/packed.ts";
import { MANIFEST } from "../../skills/names.ts";
import { textOf } from "../../skills/text.ts";

interface Options extends ProjectOptions {
  readonly server?: string;
  readonly dir?: string;
}

interface Context {
  readonly project: Project;
  readonly remote: RemoteSkills;
  /** The folder that skills are pulled to, pushed from and tested in. */
  readonly dir: string;
}

/** Adds the subcommands. */
export function define(command: Command): void {
  const add = (usage: string, summary: string): Command =>
    command
      .command(usage)
      .description(summary)
      .option("--server <url>", "the server (default: the last login, else this machine)")
      .option("--dir <dir>", "folder of the skills (default: skills/ of this checkout)");
  const contextOf = (sub: Command): Context => {
    const options = sub.optsWithGlobals<Options>();
    const project = openProject(options);
    const remote = new RemoteSkills(findLogin(options.server));
    return { project, remote, dir: options.dir === undefined ? project.skills : resolve(options.dir) };
  };

  add("list", "list the skills of a server").action(async (_, sub: Command) => console.log(await list(contextOf(sub))));

  add("show <name>", "show a skill of a server: its SKILL.md, its files, its versions")
    .option("--version-id <id>", "an older version")
    .action(async (name: string, { versionId }: { versionId?: string }, sub: Command) =>
      console.log(await show(contextOf(sub), name, versionId)),
    );

  add("pull [names...]", "write skills of a server into folders, byte by byte; without names, all saved ones").action(
    async (names: string[], _, sub: Command) => console.log(await pull(contextOf(sub), names)),
  );

  add("push [names...]", "save folders as skills of a server; without names, all")
    .option("--replace", "overwrite skills that are there already", false)
    .action(async (names: string[], { replace }: { replace: boolean }, sub: Command) =>
      console.log(await push(contextOf(sub), names, replace)),
    );

  add("remove <name>", "remove a skill of a server; its versions can be restored").action(
    async (name: string, _, sub: Command) => {
      await contextOf(sub).remote.remove(name);
      console.log(`${name}: removed`);
    },
  );

  add("restore <name> [version]", "make an older version current again, or a removed skill live").action(
    async (name: string, version: string | undefined, _, sub: Command) => {
      const restored = await contextOf(sub).remote.restore(name, version);
      console.log(`${name}: restored, now version ${restored.version}`);
    },
  );

  add("run <name>", "run a skill on a server and print what it returns")
    .option("--input <json>", "its input as JSON, or @file", "{}")
    .action(async (name: string, { input }: { input: string }, sub: Command) => {
      const ran = await contextOf(sub).remote.run(name, { input: readInput(input) });
      const text = toPrintable(ran.text);
      if (!ran.ok) throw new UserError(text);
      console.log(text);
    });

  add("record <name> <case>", "run a skill on a server and keep its requests as a test of its folder")
    .option("--input <json>", "its input as JSON, or @file", "{}")
    .action(async (name: string, caseName: string, { input }: { input: string }, sub: Command) =>
      console.log(await record(contextOf(sub), name, caseName, readInput(input))),
    );

  add("test [names...]", "run the recorded tests of skill folders; no API is called").action(
    async (names: string[], _, sub: Command) => {
      const { testSkills } = await import("../skills/test.ts");
      const { project, dir } = contextOf(sub);
      console.log(await testSkills({ ...project, skills: dir }, names));
    },
  );
}

async function list({ remote }: Context): Promise<string> {
  const skills = await remote.list();
  if (skills.length === 0) return "no skills";
  const rows = skills.map(({ name, source, description }) => [name, source, oneLine(description)]);
  return toTable(["name", "source", "description"], rows);
}

async function show({ remote }: Context, name: string, version?: string): Promise<string> {
  const { source, files, versions } = await remote.show(name, version);
  const unpacked = unpackFiles(PackedFiles.parse(files));
  const sizes = [...unpacked].map(([path, bytes]) => [path, `${bytes.byteLength} bytes`]);
  const rows = versions.map(({ id, by, at, run }) => [id, by, at, run ?? "command line"]);
  return [
    `${name}: ${source}`,
    toPrintable(textOf(unpacked, MANIFEST) ?? ""),
    toTable(["file", "size"], sizes),
    ...(rows.length === 0 ? [] : [toTable(["version", "by", "at", "run"], rows)]),
  ].join("\n\n");
}

async function pull({ remote, dir }: Context, names: readonly string[]): Promise<string> {
  const listed = await remote.list();
  const wanted = names.length > 0 ? names : listed.filter(({ version }) => version !== null).map(({ name }) => name);
  for (const name of wanted) {
    const { files } = await remote.show(name);
    writeFolder(dir, name, unpackFiles(PackedFiles.parse(files)));
  }
  if (wanted.length === 0) return "nothing to pull: no skill was saved on this server";
  return `${displayPath(dir)}: ${wanted.join(", ")}`;
}

async function push({ remote, dir }: Context, names: readonly string[], replace: boolean): Promise<string> {
  const skills = await readFolders(dir, names.length > 0 ? [...names] : skillFolders(dir));
  if (skills.length === 0) return `nothing to push: there is no skill in ${displayPath(dir)}`;
  const lines: string[] = [];
  const failed: string[] = [];
  for (const skill of skills) {
    try {
      const { action } = await pushOne(remote, skill, replace);
      lines.push(`${skill.entry.name}: ${action}`);
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      failed.push(error.message);
    }
  }
  if (failed.length > 0) throw new UserError([...lines, ...failed].join("\n"));
  return lines.join("\n");
}

function pushOne(remote: RemoteSkills, { entry, files }: FolderSkill, replace: boolean) {
  return remote.put(entry.name, { files: packFiles(files), replace });
}

async function record({ remote, dir }: Context, name: string, caseName: string, input: Record<string, unknown>) {
  const { writeCase } = await import("../skills/cases.ts");
  const ran = await remote.run(name, { input, record: true });
  if (!ran.ok) throw new UserError(toPrintable(ran.text));
  const output: unknown = JSON.parse(ran.json ?? "null");
  const path = writeCase(dir, name, caseName, { input, output, exchanges: ran.exchanges });
  return `${displayPath(path)}: ${ran.exchanges.length} requests. Read it before it goes into git: answers may hold what is not for everybody.`;
}

function readInput(text: string): Record<string, unknown> {
  const json = text.startsWith("@") ? readFileSync(text.slice(1), "utf8") : text;
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // Said below.
  }
  throw new UserError("--input takes one JSON object, or @file with one");
}

function oneLine(text: string): string {
  const line = toPrintable(text.replaceAll(/\s+/g, " "));
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}

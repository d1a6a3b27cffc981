/**
 * `codeforge import`: takes over a folder of the container edition. It says what it would do; `--write` does it, all of
 * it or, if anything stands in the way, nothing. The folder itself is never changed.
 */
import { existsSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";

import type { Command } from "commander";

import { configPath } from "../catalog.ts";
import { toConfigText } from "../config-text.ts";
import { UserError } from "../errors.ts";
import { replaceFile } from "../files.ts";
import { planImport, type ImportPlan } from "../import/plan.ts";
import { readSource } from "../import/read.ts";
import { displayPath, openProject, type Project, type ProjectOptions } from "../project.ts";
import { readSecrets, writeSecrets } from "../secrets.ts";

interface ImportOptions extends ProjectOptions {
  readonly write: boolean;
  readonly secrets?: string;
}

/** Adds the command's argument, options and action. */
export function define(command: Command): void {
  command
    .argument("<folder>", "the folder of the container edition, with apis/, skills/ and .env")
    .option("--write", "do it; without this, it is only said what would be done", false)
    .option("--secrets <file>", "write values there, for `deploy --secrets`, instead of outbound-proxy/.dev.vars")
    .action((folder: string) => {
      const options = command.optsWithGlobals<ImportOptions>();
      const project = openProject(options);
      const target =
        options.secrets === undefined ? project : { ...project, vars: requireIgnored(project, options.secrets) };
      console.log(importFolder(target, folder, options.write));
    });
}

/**
 * Imports a folder, or says what would be imported.
 *
 * @throws UserError if an API or a skill of the same name is there, or another value of the same name.
 */
export function importFolder(project: Project, folder: string, write: boolean): string {
  const plan = planImport(readSource(resolve(folder)));
  const obstacles = findObstacles(project, plan);
  const report = reportText(project, plan);
  if (!write) {
    const next =
      obstacles.length === 0 ? ["", "Nothing is written yet: --write does it."] : ["", "In the way:", ...obstacles];
    return [report, ...next].join("\n");
  }
  if (obstacles.length > 0) throw new UserError(["Nothing is written. In the way:", ...obstacles].join("\n"));
  // Values first: they stay in the old folder all the same, and a config without them works as soon as they are there.
  if (plan.values.size > 0) writeSecrets(project, plan.values);
  for (const { name, config } of plan.apis) replaceFile(configPath(project.apis, name), toConfigText(config));
  for (const { name, manifest, main } of plan.skills) {
    replaceFile(join(project.skills, name, "SKILL.md"), manifest);
    replaceFile(join(project.skills, name, "main.ts"), main);
  }
  return [report, "", "Written. Next: npx codeforge check"].join("\n");
}

/** Inside the checkout, a file with values has a name that git ignores. */
function requireIgnored({ root }: Project, path: string): string {
  const file = resolve(path);
  const isInside = !relative(root, file).startsWith("..") && !isAbsolute(relative(root, file));
  if (!isInside || basename(file).startsWith(".dev.vars.")) return file;
  throw new UserError(
    "--secrets: name the file .dev.vars.<something>, which git ignores, or put it outside the checkout",
  );
}

function findObstacles(project: Project, plan: ImportPlan): string[] {
  const taken = [
    ...plan.apis.map(({ name }) => dirname(configPath(project.apis, name))),
    ...plan.skills.map(({ name }) => join(project.skills, name)),
  ].filter((path) => existsSync(path));
  const { variables, values } = readSecrets(project);
  const different = [...plan.values].filter(([name, value]) => {
    const there = variables.get(name) ?? values.get(name);
    return there !== undefined && there !== "" && there !== value;
  });
  return [
    ...taken.map((path) => `  ${displayPath(path)} is there already; remove one of the two`),
    ...different.map(([name]) => `  ${displayPath(project.vars)} has another value of ${name}; remove one of the two`),
  ];
}

function reportText(project: Project, plan: ImportPlan): string {
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : ["", title, ...lines.map((line) => `  ${line}`)];
  const names = [...plan.values.keys()];
  return [
    `APIs    ${plan.apis.map(({ name }) => name).join(", ") || "none"}`,
    `skills  ${plan.skills.map(({ name }) => name).join(", ") || "none"}`,
    `values  ${names.join(", ") || "none"}${names.length === 0 ? "" : `, to ${displayPath(project.vars)}`}`,
    ...section("Different now:", plan.changed),
    ...section("To be decided:", plan.undecided),
    ...section("Not carried over:", plan.left),
  ].join("\n");
}

/**
 * `codeforge check`: says what will not work, or not as meant, before the server is asked. Exit code 1 if there are
 * errors; warnings and notes are only printed.
 */
import { styleText } from "node:util";

import type { Command } from "commander";

import { toDomainText } from "../../contract/domains.ts";
import { issuesText, readCatalog } from "../catalog.ts";
import { UserError } from "../errors.ts";
import { countVariables, findAll, MAX_VARIABLES, type Finding } from "../findings.ts";
import { openProject, type ProjectOptions } from "../project.ts";
import { readSecrets } from "../secrets.ts";
import { toTable } from "../table.ts";

const COLORS = { error: "red", warning: "yellow", note: "dim" } as const;

/** Adds the command's action. */
export function define(command: Command): void {
  command.action(() => {
    const project = openProject(command.optsWithGlobals<ProjectOptions>());
    const secrets = readSecrets(project);
    const read = readCatalog(project.apis);
    if (!read.ok) throw new UserError([...secrets.problems, issuesText(read.issues)].join("\n"));
    const { catalog, inactive } = read;

    const rows = catalog.apis.map((api) => [
      api.name,
      brief(api.domains.map(toDomainText)),
      brief(api.credentials.map(({ name }) => (secrets.values.has(name) ? name : `${name} (missing)`))),
    ]);
    console.log(
      rows.length === 0 ? "No API yet: `npx codeforge add --help`" : toTable(["api", "domains", "credentials"], rows),
    );
    if (inactive.length > 0) console.log(`inactive: ${inactive.join(", ")}`);

    const findings = findAll(catalog, secrets);
    if (findings.length > 0) console.log("");
    for (const { level, message } of findings) console.log(`${styleText(COLORS[level], level)}: ${message}`);

    const variables = countVariables(catalog, secrets);
    console.log(
      `\n${variables} of ${MAX_VARIABLES.free} (Workers Free) or ${MAX_VARIABLES.paid} (Paid) variables; ${summary(findings)}`,
    );
    if (findings.some(({ level }) => level === "error")) process.exitCode = 1;
  });
}

function brief(items: readonly string[]): string {
  const shown = items.slice(0, 3).join(", ");
  return items.length > 3 ? `${shown} and ${items.length - 3} more` : shown || "none";
}

function summary(findings: readonly Finding[]): string {
  const count = (level: Finding["level"]): string => {
    const number = findings.filter((finding) => finding.level === level).length;
    return `${number} ${level}${number === 1 ? "" : "s"}`;
  };
  return `${count("error")}, ${count("warning")}`;
}

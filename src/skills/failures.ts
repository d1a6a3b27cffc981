/** Why a skill was not changed, read or run: one union, worded in one switch. */
import type { CompileIssue } from "../contract/modules.ts";
import type { Problem } from "../openapi/validate.ts";
import { issuesText } from "./format.ts";
import type { SkillIssue } from "./front-matter.ts";
import type { Provenance } from "./records.ts";
import type { StoreFailure } from "./store.ts";

/** Most names told to somebody who asked for one that is not there. */
const MAX_NAMES = 20;

export type SkillFailure =
  | Exclude<StoreFailure, { kind: "unknown_skill" | "unknown_version" }>
  | { readonly kind: "unknown_skill"; readonly known: readonly string[] }
  | { readonly kind: "unknown_version"; readonly known: readonly string[] }
  | { readonly kind: "unknown_file"; readonly path: string; readonly known: readonly string[] }
  | { readonly kind: "scope" }
  | { readonly kind: "read_only_run" }
  | { readonly kind: "saving_off" }
  | { readonly kind: "built_in" }
  | { readonly kind: "invalid"; readonly issues: readonly SkillIssue[] }
  | { readonly kind: "not_compilable"; readonly issues: readonly CompileIssue[] }
  | { readonly kind: "unavailable" }
  | { readonly kind: "input"; readonly problems: readonly Problem[] }
  | { readonly kind: "cycle"; readonly chain: readonly string[] }
  | { readonly kind: "inactive"; readonly apis: readonly string[] }
  | { readonly kind: "no_credential"; readonly credentials: readonly string[] };

/** What happened to the skill `name`, and what to do about it. */
export function describeFailure(name: string, failure: SkillFailure): string {
  const skill = `the skill ${JSON.stringify(name)}`;
  switch (failure.kind) {
    case "exists":
      return `${skill} exists already (${from(failure.by)}): choose another name, or pass replace: true`;
    case "unknown_skill":
      return `there is no skill ${JSON.stringify(name)}. ${listed("Known", failure.known)}`;
    case "unknown_version":
      return `${skill} has no such version. ${listed("Kept", failure.known)}`;
    case "unknown_file":
      return `${skill} has no file ${JSON.stringify(failure.path)}. ${listed("It has", failure.known)}`;
    case "conflict":
      return `${skill} was changed by somebody else at the same time, and nothing was overwritten: read it again, then save`;
    case "full":
      return "the store holds as many skills as it may: remove some that nobody uses";
    case "damaged":
      return `${skill} is damaged in the store: its files are not what was saved. Restore another version, or save it anew`;
    case "unavailable":
      return "the store of skills did not answer; nothing was changed. Try again";
    case "scope":
      return "changing skills needs a token with the scope skills:write";
    case "read_only_run":
      return "a read-only run cannot change skills: use execute_code";
    case "saving_off":
      return "saving skills is turned off on this server (SKILLS_READ_ONLY)";
    case "built_in":
      return `${skill} came with the server and cannot be changed here: choose another name, or change it in the repository's skills/`;
    case "invalid":
      return `${skill} cannot be saved:\n${issuesText(failure.issues)}`;
    case "not_compilable":
      return `${skill} does not compile:\n${issuesText(failure.issues)}`;
    case "input":
      return `input of ${skill}:\n${failure.problems.map(problemText).join("\n")}`;
    case "cycle":
      return `${skill} would run itself: ${failure.chain.join(" → ")}`;
    case "inactive":
      return `${skill} needs ${apis(failure.apis)} on this server: not configured, or inactive. It was not started`;
    case "no_credential":
      return `${skill} needs ${failure.credentials.join(", ")}, which is not set: npx codeforge secret set ${failure.credentials[0] ?? ""}. It was not started`;
  }
}

function from({ by, at }: Provenance): string {
  return `saved by ${by} on ${at.slice(0, 10)}`;
}

function listed(word: string, names: readonly string[]): string {
  if (names.length === 0) return `${word}: none`;
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return `${word}: ${names.slice(0, MAX_NAMES).join(", ")}${more}`;
}

function problemText({ path, message }: Problem): string {
  return path === "" ? message : `${path} ${message}`;
}

function apis(names: readonly string[]): string {
  return `the API${names.length === 1 ? "" : "s"} ${names.join(", ")}`;
}

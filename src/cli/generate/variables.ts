/**
 * The variables of a generated server: where its credentials come from. A bearer token is API_TOKEN; every other security
 * scheme has a variable of its own, named after it.
 */
import type { CredentialUse, Operation } from "../../openapi/ir.ts";
import { oneLine } from "../../openapi/text.ts";
import type { Variable } from "./template/settings.ts";

/** Operations whose credentials bear the names of variables, and those variables, sorted by name. */
export interface Named {
  readonly operations: readonly Operation[];
  readonly variables: readonly Variable[];
}

const TOKEN = "API_TOKEN";
const RESERVED = ["API_BASE_URL", "MCP_TOKEN"];

/** Sent when it is set, by servers of documents that say nothing of security. */
const UNDECLARED: CredentialUse = {
  scheme: "bearer",
  kind: "bearer",
  in: "header",
  name: "Authorization",
  placeholders: [TOKEN],
};

/** Names the variables. `declaresSecurity` is false for a document without a single security scheme. */
export function nameVariables(operations: readonly Operation[], declaresSecurity: boolean): Named {
  if (!declaresSecurity) {
    const holds = "a bearer token; the document does not say whether the API wants one";
    const withToken = operations.map((operation) => ({ ...operation, security: [UNDECLARED] }));
    return { operations: withToken, variables: [{ name: TOKEN, holds, optional: true }] };
  }
  const names = chooseNames(operations);
  const variables = new Map<string, Variable>();
  const rename = (use: CredentialUse): CredentialUse => {
    const placeholders = use.placeholders.map((name) => names.get(name) ?? name);
    placeholders.forEach((name, i) => variables.set(name, { name, holds: describe(use, i), optional: false }));
    return { ...use, placeholders };
  };
  const renamed = operations.map((operation) => ({ ...operation, security: operation.security.map(rename) }));
  return { operations: renamed, variables: [...variables.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

function chooseNames(operations: readonly Operation[]): Map<string, string> {
  const uses = operations.flatMap(({ security }) => security);
  const bearers = new Set(uses.filter(({ kind }) => kind === "bearer").flatMap(({ placeholders }) => placeholders));
  const [bearer] = bearers;
  const names = new Map<string, string>();
  const taken = new Set(RESERVED);
  if (bearers.size === 1 && bearer !== undefined) {
    names.set(bearer, TOKEN);
    taken.add(TOKEN);
  }
  for (const placeholder of uses.flatMap(({ placeholders }) => placeholders)) {
    if (names.has(placeholder)) continue;
    let name = placeholder;
    while (taken.has(name)) name = `${name}_KEY`;
    names.set(placeholder, name);
    taken.add(name);
  }
  return names;
}

function describe({ scheme, kind, in: place, name }: CredentialUse, index: number): string {
  const of = `of the security scheme ${JSON.stringify(oneLine(scheme))}`;
  if (kind === "bearer") return `the bearer token ${of}`;
  if (kind === "basic") return `the ${index === 0 ? "user name" : "password"} ${of}`;
  const where = { header: "header", query: "query parameter", cookie: "cookie" }[place];
  return `the API key ${of}, sent in the ${where} ${JSON.stringify(oneLine(name))}`;
}

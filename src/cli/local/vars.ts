/** The values of the local server: what `.dev.vars` says, made ready for the first start. */
import { randomBytes } from "node:crypto";

import type { Api } from "../../contract/catalog.ts";
import { requireCatalog } from "../catalog.ts";
import type { Project } from "../project.ts";
import { readSecrets, writeSecrets } from "../secrets.ts";

/** The API that ships with the project, and the credential whose value its server and the proxy agree on. */
const EXAMPLE_API = "example";
const EXAMPLE_TOKEN = "EXAMPLE_TOKEN";

/** The example API as this project has it: where it must listen, and with which token. */
export interface ExampleSettings {
  readonly port: number;
  readonly token: string;
}

/** Every variable of `.dev.vars`. */
export function readVars(project: Project): Record<string, string> {
  return Object.fromEntries(readSecrets(project).variables);
}

/**
 * What the example API needs, or null when the project no longer has it. A token is made at the first start and written
 * into `.dev.vars`, so that no value is ever shipped.
 */
export function prepareExample(project: Project): ExampleSettings | null {
  const api = requireCatalog(project.apis).catalog.apis.find(({ name }) => name === EXAMPLE_API);
  const port = api === undefined ? undefined : loopbackPort(api);
  if (port === undefined) return null;
  const token = readSecrets(project).values.get(EXAMPLE_TOKEN) ?? randomBytes(24).toString("base64url");
  writeSecrets(project, new Map([[EXAMPLE_TOKEN, token]]));
  return { port, token };
}

function loopbackPort(api: Api): number | undefined {
  return api.domains.find(({ scheme, host }) => scheme === "http" && host === "127.0.0.1")?.port;
}

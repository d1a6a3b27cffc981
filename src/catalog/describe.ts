/** The text of `list_apis`. Descriptions come from configs and are shown as they are; no value is known here. */
import type { Api } from "../contract/catalog.ts";
import type { Credential } from "../contract/config.ts";
import { toDomainText } from "../contract/domains.ts";
import type { ProxyDescription } from "../contract/services.ts";
import type { LoadedCatalog } from "./load.ts";

const YOLO_WARNING =
  "Warning: YOLO_MODE is on. Code may reach any public https host, without credentials; data it holds can leave that way.";

/** Every API, a few lines each. */
export function describeApis({ apis }: LoadedCatalog, proxy: ProxyDescription): string {
  const parts = [...apis.values()].map((api) => describe(api, proxy).join("\n"));
  if (parts.length === 0) parts.push("No API is configured. Add one with: npx codeforge add <name> --domain <host>");
  if (proxy.yolo) parts.push(YOLO_WARNING);
  return parts.join("\n\n");
}

/** One API with its `types.d.ts`. */
export function describeApi(api: Api, types: string | undefined, proxy: ProxyDescription): string {
  const parts = [describe(api, proxy).join("\n")];
  if (types !== undefined) parts.push(`types:\n${types}`);
  if (proxy.yolo) parts.push(YOLO_WARNING);
  return parts.join("\n\n");
}

function describe(api: Api, proxy: ProxyDescription): string[] {
  const lines = [`${api.name}: ${api.description}`, `  hosts: ${api.domains.map(toDomainText).join(", ")}`];
  if (proxy.disabled.includes(api.name)) lines.push("  SWITCHED OFF by the owner: every request is refused");
  for (const credential of api.credentials) lines.push(`  credential: ${describeCredential(credential, proxy)}`);
  if (api.restricted_methods.length > 0) lines.push(`  not allowed: ${api.restricted_methods.join(", ")}`);
  if (api.operations !== null) lines.push(`  operations: ${api.operations.count}, found with search_apis`);
  if (api.reference !== null) lines.push(`  reference: ${api.reference}`);
  return lines;
}

function describeCredential({ name, in: places }: Credential, proxy: ProxyDescription): string {
  const state = proxy.credentials[name] ?? "missing";
  const notes: string[] = [];
  if (places.length !== 1 || places[0] !== "header") notes.push(`in ${places.join(", ")}`);
  if (state === "missing") notes.push("NOT SET: requests will be refused by the API");
  if (state === "too_short") notes.push("set, but too short to be hidden in responses");
  return notes.length === 0 ? name : `${name} (${notes.join("; ")})`;
}

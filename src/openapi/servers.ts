/**
 * Base URLs (rule M10): operation before path item before document, https before http, variables from the configuration
 * or their defaults. A host is taken only if the API's `domains` have it: no document widens what may be reached.
 */
import { matchesDomain, type DomainPattern } from "../contract/domains.ts";
import { isObject, toList, toObject, toText, type Json } from "./json.ts";
import { Skip } from "./skip.ts";

/** What the configuration says about hosts. */
export interface ServerOptions {
  /** Where the document was read from: relative servers are relative to it. */
  readonly docUrl?: string | undefined;
  /** The hosts the API may reach. Absent while an API is being proposed: then any https host is. */
  readonly domains?: readonly DomainPattern[] | undefined;
  /** Values of server variables. */
  readonly serverVariables?: Readonly<Record<string, string>> | undefined;
  /** A base URL to use instead of everything the document says. */
  readonly server?: string | undefined;
}

/** The base URL of an operation, without a final slash. @throws {Skip} when there is none that may be used. */
export function selectServer(operation: Json, item: Json, root: Json, options: ServerOptions): string {
  const lists = [operation["servers"], item["servers"], root["servers"]].map(toList);
  const servers = lists.find((list) => list.length > 0) ?? [{ url: "/" }];
  const written = options.server === undefined ? servers : [{ url: options.server }];
  const urls = written.map((server) => toUrl(server, options)).filter((url) => url !== undefined);
  if (urls.length === 0) {
    throw new Skip("server_unresolvable", "no absolute server URL; give the document's URL or a server");
  }
  const byScheme = [...urls.filter(isHttps), ...urls.filter((url) => !isHttps(url))];
  const chosen = byScheme.find((url) => isAllowed(url, options));
  if (chosen !== undefined) return `${chosen.origin}${chosen.pathname.replace(/\/+$/, "")}`;
  const hosts = [...new Set(byScheme.map((url) => (isHttps(url) ? url.host : `http://${url.host}`)))].join(", ");
  throw new Skip(
    "host_not_allowed",
    `${hosts} is not in the API's domains${byScheme.some(isHttps) ? "" : "; plain http has to be written out there"}`,
  );
}

function isHttps(url: URL): boolean {
  return url.protocol === "https:";
}

function isAllowed(url: URL, { domains, server }: ServerOptions): boolean {
  if (domains === undefined) return isHttps(url) || server !== undefined;
  return domains.some((pattern) => matchesDomain(pattern, url));
}

function toUrl(server: unknown, options: ServerOptions): URL | undefined {
  const template = isObject(server) ? toText(server["url"]) : undefined;
  if (template === undefined) return undefined;
  const text = fillVariables(template, toObject(toObject(server)["variables"]), options.serverVariables ?? {});
  if (text === undefined) return undefined;
  let url: URL;
  try {
    url = new URL(text, options.docUrl);
  } catch {
    return undefined;
  }
  const usable = (url.protocol === "https:" || url.protocol === "http:") && url.username === "" && url.password === "";
  return usable && url.hostname !== "" ? url : undefined;
}

function fillVariables(
  template: string,
  variables: Json,
  values: Readonly<Record<string, string>>,
): string | undefined {
  let complete = true;
  const text = template.trim().replace(/\{([^{}]*)\}/g, (_, name: string) => {
    const variable = toObject(variables[name]);
    const allowed = toList(variable["enum"]).map(String);
    const configured = Object.hasOwn(values, name) ? values[name] : undefined;
    const value = configured ?? (variable["default"] === undefined ? undefined : String(variable["default"]));
    if (value === undefined || (configured !== undefined && allowed.length > 0 && !allowed.includes(configured))) {
      complete = false;
    }
    return value ?? "";
  });
  return complete ? text : undefined;
}

/**
 * What is valid in a config and still worth a second look: a wildcard over hosts that strangers can have, a value that
 * becomes part of a URL, a value that travels unencrypted. For `codeforge check` and for the start.
 */
import type { Api, Catalog } from "./catalog.ts";
import { toDomainText, type DomainPattern } from "./domains.ts";

/** A warning about one API's config: where, and why. */
export interface CatalogWarning {
  readonly api: string;
  readonly path: string;
  readonly message: string;
}

/** Domains below which anybody can have a host. */
const SHARED_DOMAINS = new Set([
  "appspot.com",
  "atlassian.net",
  "azureedge.net",
  "azurewebsites.net",
  "backblazeb2.com",
  "blob.core.windows.net",
  "cloudapp.azure.com",
  "cloudfront.net",
  "deno.dev",
  "digitaloceanspaces.com",
  "firebaseapp.com",
  "firebaseio.com",
  "fly.dev",
  "github.io",
  "githubusercontent.com",
  "gitlab.io",
  "googleusercontent.com",
  "herokuapp.com",
  "my.salesforce.com",
  "myshopify.com",
  "netlify.app",
  "ngrok-free.app",
  "ngrok.app",
  "ngrok.io",
  "onrender.com",
  "pages.dev",
  "r2.dev",
  "run.app",
  "sharepoint.com",
  "storage.googleapis.com",
  "supabase.co",
  "trycloudflare.com",
  "vercel.app",
  "web.app",
  "web.core.windows.net",
  "workers.dev",
  "zendesk.com",
]);

/** Every warning about a catalog, in its order. */
export function catalogWarnings(catalog: Catalog): CatalogWarning[] {
  return catalog.apis.flatMap((api) => [
    ...domainWarnings(api, "domains", api.domains),
    ...domainWarnings(api, "redirect_hosts", api.redirect_hosts),
    ...placeWarnings(api),
  ]);
}

function domainWarnings(api: Api, field: string, domains: readonly DomainPattern[]): CatalogWarning[] {
  return domains.flatMap((domain, index) => {
    const warn = (message: string): CatalogWarning => ({ api: api.name, path: `${field}[${index}]`, message });
    const text = toDomainText(domain);
    if (domain.match === "suffix" && isShared(domain.host)) {
      return [warn(`${text} covers hosts that anybody can have; name your own host instead`)];
    }
    if (domain.scheme === "http" && api.credentials.length > 0 && !isThisMachine(domain.host)) {
      return [warn(`${text} carries credentials unencrypted; use https:// where the service has it`)];
    }
    return [];
  });
}

function placeWarnings(api: Api): CatalogWarning[] {
  return api.credentials.flatMap((credential, index) => {
    const place = credential.in.find((place) => place === "path" || place.startsWith("query:"));
    if (place === undefined || !credential.sensitive) return [];
    const message = `"${place}" makes the value of ${credential.name} part of URLs, which services log; use a header where the API has one`;
    return [{ api: api.name, path: `credentials[${index}].in`, message }];
  });
}

/** A hosting domain, any of Amazon's, or a registry such as `co.uk`. */
function isShared(host: string): boolean {
  if (SHARED_DOMAINS.has(host) || host === "amazonaws.com" || host.endsWith(".amazonaws.com")) return true;
  return /^(?:ac|co|com|edu|gov|net|org)\.[a-z]{2}$/.test(host);
}

function isThisMachine(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d+){3}$/.test(host);
}

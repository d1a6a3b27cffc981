/** The first lines of code for an API: what a model, or a person trying it out, would write. Pure. */
import type { Api } from "../contract/catalog.ts";
import { toDomainText } from "../contract/domains.ts";

/** A block that sends one request with the API's first credential in the place its config opens. */
export function exampleOf(api: Api): string {
  const domain = api.domains[0];
  const host = domain === undefined ? "example.com" : toDomainText(domain).replace("*", "www");
  const origin = host.startsWith("http://") ? host : `https://${host}`;
  const credential = api.credentials[0];
  if (credential === undefined) return block(`${origin}/`, []);
  const { name } = credential;
  const place = credential.in[0] ?? "header";
  const detail = place.slice(place.indexOf(":") + 1);
  if (place.startsWith("header:")) return block(`${origin}/`, [`headers: { ${JSON.stringify(detail)}: "${name}" },`]);
  if (place.startsWith("query:")) return block(`${origin}/?${detail}=${name}`, []);
  if (place === "path") return block(`${origin}/${name}/`, []);
  if (place.startsWith("body:")) {
    const body = `new URLSearchParams({ ${JSON.stringify(detail)}: "${name}" })`;
    return block(`${origin}/`, [`method: "POST",`, `body: ${body},`]);
  }
  return block(`${origin}/`, [`headers: { Authorization: "Bearer ${name}" },`]);
}

function block(url: string, init: readonly string[]): string {
  const options = init.length === 0 ? "" : `, {\n${init.map((line) => `  ${line}`).join("\n")}\n}`;
  return `const response = await fetch("${url}"${options});\nreturn await response.json();`;
}

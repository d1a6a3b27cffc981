/** Calls of the routes under `/admin`, and tokens for tests. */
import type { CreatedToken, TokenRecord } from "../../src/contract/admin.ts";

/** One request under `/admin`; `path` has no leading slash. */
export function admin(url: URL, token: string | null, path: string, body?: unknown): Promise<Response> {
  return fetch(new URL(`/admin/${path}`, url), {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Makes a token; `wanted` is what `POST /admin/tokens` takes. */
export async function createToken(url: URL, adminToken: string | null, wanted: object): Promise<string> {
  const response = await admin(url, adminToken, "tokens", wanted);
  if (response.status !== 201) throw new Error(`no token: ${response.status} ${await response.text()}`);
  return ((await response.json()) as CreatedToken).token;
}

/** Disables, enables or revokes a token by its name. */
export async function changeToken(
  url: URL,
  adminToken: string | null,
  name: string,
  state: string,
): Promise<TokenRecord> {
  const response = await admin(url, adminToken, `tokens/${name}`, { state });
  if (!response.ok) throw new Error(`not changed: ${response.status} ${await response.text()}`);
  return (await response.json()) as TokenRecord;
}

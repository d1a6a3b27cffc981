/** Requests to a server's `/admin`, with what went wrong in words. The token is in no message and follows no redirect. */
import type { z } from "zod";

import { AdminError } from "../../contract/admin.ts";
import { UserError } from "../errors.ts";
import type { Login } from "./logins.ts";

/** Longest that a request may take, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** Sends a request under `/admin` and parses its answer. `body` makes it a POST. */
export async function askAdmin<S extends z.ZodType>(
  { url, token }: Login,
  path: string,
  schema: S,
  body?: unknown,
): Promise<z.output<S>> {
  const response = await send(new URL(`/admin/${path}`, url), token, body);
  const text = await response.text();
  const json = parse(text);
  if (!response.ok) throw new UserError(toMessage(response.status, url, json));
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    throw new UserError(
      `${url.host} answered in a way that this version does not understand; is it a CodeForge of another?`,
    );
  }
  return parsed.data;
}

async function send(url: URL, token: string | null, body: unknown): Promise<Response> {
  try {
    return await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      headers: {
        accept: "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    throw new UserError(`${url.host} cannot be reached; is the server running, and the address right?`);
  }
}

function toMessage(status: number, url: URL, json: unknown): string {
  const parsed = AdminError.safeParse(json);
  const said = parsed.success ? parsed.data.error.message : `${url.host} answered ${status}`;
  return status === 401 ? `${url.host} does not take the token: npx codeforge login ${url.origin}` : said;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

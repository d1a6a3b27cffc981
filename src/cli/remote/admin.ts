/** Requests to a server's `/admin`, with what went wrong in words. The token is in no message and follows no redirect. */
import type { z } from "zod";

import { AdminError } from "../../contract/admin.ts";
import { UserError } from "../errors.ts";
import { parseJson } from "../json.ts";
import { toPrintable } from "../printable.ts";
import type { Login } from "./logins.ts";

/** Longest that a request may take unless it says otherwise, in milliseconds. */
const TIMEOUT_MS = 30_000;

/** What a request is beyond its path: what it carries, its method (POST with a body, else GET), and how long it may take. */
export interface AdminRequest {
  readonly body?: unknown;
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Null where the server's own limits decide. */
  readonly timeoutMs?: number | null;
}

/** Sends a request under `/admin` and parses its answer. Every refusal becomes a `UserError` with the server's words. */
export async function askAdmin<S extends z.ZodType>(
  { url, token }: Login,
  path: string,
  schema: S,
  request: AdminRequest = {},
): Promise<z.output<S>> {
  const response = await send(new URL(`/admin/${path}`, url), token, request);
  const text = await response.text();
  const parsedText = parseJson(text);
  const json = parsedText.ok ? parsedText.value : null;
  if (!response.ok) throw new UserError(toMessage(response.status, url, json));
  const parsed = schema.safeParse(json);
  if (!parsed.success) {
    throw new UserError(
      `${url.host} answered in a way that this version does not understand; is it a CodeForge of another?`,
    );
  }
  return parsed.data;
}

async function send(
  url: URL,
  token: string | null,
  { body, method = body === undefined ? "GET" : "POST", timeoutMs = TIMEOUT_MS }: AdminRequest,
): Promise<Response> {
  try {
    return await fetch(url, {
      method,
      headers: {
        accept: "application/json",
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      redirect: "manual",
      signal: timeoutMs === null ? null : AbortSignal.timeout(timeoutMs),
    });
  } catch {
    throw new UserError(`${url.host} cannot be reached; is the server running, and the address right?`);
  }
}

function toMessage(status: number, url: URL, json: unknown): string {
  const parsed = AdminError.safeParse(json);
  const said = parsed.success ? toPrintable(parsed.data.error.message) : `${url.host} answered ${status}`;
  return status === 401 ? `${url.host} does not take the token: npx codeforge login ${url.origin}` : said;
}

/** JSON at the edge of `/admin`: bodies are parsed under a bound, and every issue is answered at once, with its path. */
import type { z } from "zod";

import { readBody } from "../body.ts";
import type { AppContext } from "../context.ts";

/** Largest body that a route takes unless it says otherwise, in bytes. */
const MAX_JSON_BYTES = 64 * 1024;

export type JsonInput<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly response: Response };

/** The request's body as `schema` has it, or the answer that refuses it. What was sent is never repeated. */
export async function readJson<S extends z.ZodType>(
  c: AppContext,
  schema: S,
  maxBytes = MAX_JSON_BYTES,
): Promise<JsonInput<z.output<S>>> {
  const body = await readBody(c.req.raw, maxBytes);
  if (!body.ok) {
    const response =
      body.reason === "too_large"
        ? refuseAdmin(413, body.reason, `The body is larger than ${maxBytes} bytes.`)
        : refuseAdmin(408, body.reason, "The body did not arrive in time.");
    return { ok: false, response };
  }
  const json = parse(new TextDecoder().decode(body.bytes ?? new Uint8Array()));
  if (!json.ok) return { ok: false, response: refuseAdmin(400, "not_json", "The body is not valid JSON.") };
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { ok: true, value: parsed.data };
  const issues = parsed.error.issues.map(({ path, message }) => `${path.join(".") || "body"}: ${message}`);
  return { ok: false, response: refuseAdmin(400, "invalid", issues.join("\n")) };
}

/** A refusal of a route under `/admin`; `code` is a word of ours. */
export function refuseAdmin(status: number, code: string, message: string): Response {
  return Response.json({ error: { code, message } }, { status });
}

function parse(text: string): { readonly ok: true; readonly value: unknown } | { readonly ok: false } {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch {
    return { ok: false };
  }
}

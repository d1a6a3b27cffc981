/** `/admin/tokens`: making, listing, disabling and revoking tokens. A token's text is in one answer and nowhere else. */
import { Hono } from "hono";

import { audit } from "../auth/audit.ts";
import { issueToken } from "../auth/token-text.ts";
import { tokensOf } from "../auth/tokens.ts";
import type { AppEnv } from "../context.ts";
import { NewToken, TokenChange, type CreatedToken } from "../contract/admin.ts";
import { readJson, refuseAdmin } from "./json.ts";

export function tokenRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  routes.get("/", async (c) => c.json({ tokens: await tokensOf(c.env).list() }));

  routes.post("/", async (c) => {
    const input = await readJson(c, NewToken);
    if (!input.ok) return input.response;
    const { text, ...key } = await issueToken();
    const created = await tokensOf(c.env).create(key, input.value);
    if (!created.ok) return refuseAdmin(409, created.reason, REASONS[created.reason]);
    await audit(c.env, {
      auth: c.get("auth"),
      action: "token.create",
      subject: created.record.name,
      detail: `${created.record.principal}: ${created.record.scopes.join(" ")}`,
    });
    const answer: CreatedToken = { token: text, record: created.record };
    return c.json(answer, 201, { "cache-control": "no-store" });
  });

  routes.post("/:name", async (c) => {
    const input = await readJson(c, TokenChange);
    if (!input.ok) return input.response;
    const record = await tokensOf(c.env).change(c.req.param("name"), input.value.state);
    if (record === null) return refuseAdmin(404, "no_such_token", "There is no token of this name.");
    // It opens nothing any more; now its runs that are going on are stopped as well.
    await c.env.OUTBOUND_PROXY.setSwitch("token", record.id, record.state !== "active");
    await audit(c.env, {
      auth: c.get("auth"),
      action: "token.change",
      subject: record.name,
      detail: record.state,
    });
    return c.json(record);
  });

  return routes;
}

const REASONS = {
  name_taken: "There is a token of this name already; revoke it first, or choose another name.",
  too_many: "There are as many tokens as a deployment may have; revoke some first.",
} as const;

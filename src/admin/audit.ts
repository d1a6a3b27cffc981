/** `/admin/audit`: the audit rows, page by page. */
import { Hono } from "hono";
import { z } from "zod";

import { auditOf } from "../auth/audit.ts";
import type { AppEnv } from "../context.ts";
import type { AuditList } from "../contract/admin.ts";
import { refuseAdmin } from "./json.ts";

const Query = z.object({
  limit: z.coerce.number().int().min(1).max(1_000).default(100),
  after: z.coerce.number().int().min(0).optional(),
});

export function auditRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.get("/", async (c) => {
    const query = Query.safeParse(c.req.query());
    if (!query.success) return refuseAdmin(400, "invalid", "limit is 1 to 1000, after is the id of a row.");
    const answer: AuditList = { rows: await auditOf(c.env).list(query.data.limit, query.data.after ?? null) };
    return c.json(answer);
  });
  return routes;
}

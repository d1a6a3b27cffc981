/** `/admin/runs`: the runs of one principal, and any single run by its id. */
import { Hono } from "hono";
import { z } from "zod";

import { auditOf } from "../auth/audit.ts";
import type { AppEnv } from "../context.ts";
import { PersonName } from "../contract/admin.ts";
import { RunId } from "../contract/run.ts";
import { refuseAdmin } from "./json.ts";

const Query = z.object({
  principal: PersonName,
  limit: z.coerce.number().int().min(1).max(100).default(20),
  before: z.coerce.number().int().min(0).optional(),
});

export function runRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  routes.get("/", async (c) => {
    const query = Query.safeParse({ principal: c.get("auth").principal, ...c.req.query() });
    if (!query.success) {
      return refuseAdmin(400, "invalid", "principal is a principal's name, limit 1 to 100, before epoch milliseconds.");
    }
    const { principal, limit, before } = query.data;
    return c.json({ principal, runs: await c.env.FORGE.getByName(principal).listRuns(limit, before) });
  });

  routes.get("/:id", async (c) => {
    const id = RunId.safeParse(c.req.param("id"));
    const row = id.success ? await auditOf(c.env).findRun(id.data) : null;
    const principal = row?.principal ?? c.get("auth").principal;
    const run = id.success ? await c.env.FORGE.getByName(principal).readRun(id.data) : null;
    if (run === null) return refuseAdmin(404, "no_such_run", "No run of this id is in the history.");
    return c.json({ principal, run });
  });

  return routes;
}

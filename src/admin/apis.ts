/** `/admin/apis`: the kill switch of an API. It holds at the proxy, for every run, those going on included. */
import { Hono } from "hono";

import { audit } from "../auth/audit.ts";
import { loadCatalog } from "../catalog/load.ts";
import { toPlain } from "../code/plain.ts";
import type { AppEnv } from "../context.ts";
import { ApiChange, type ApiList } from "../contract/admin.ts";
import { readJson, refuseAdmin } from "./json.ts";

export function apiRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  routes.get("/", async (c) => {
    const { disabled } = await toPlain(c.env.OUTBOUND_PROXY.describe());
    const names = [...loadCatalog().apis.keys()];
    const answer: ApiList = { apis: names.map((name) => ({ name, disabled: disabled.includes(name) })) };
    return c.json(answer);
  });

  routes.post("/:name", async (c) => {
    const input = await readJson(c, ApiChange);
    if (!input.ok) return input.response;
    const name = c.req.param("name");
    const known = [...loadCatalog().apis.keys()];
    if (!known.includes(name)) {
      return refuseAdmin(
        404,
        "no_such_api",
        `There is no active API of this name. Known: ${known.join(", ") || "none"}.`,
      );
    }
    await c.env.OUTBOUND_PROXY.setSwitch("api", name, input.value.disabled);
    const detail = input.value.disabled ? "off" : "on";
    await audit(c.env, { auth: c.get("auth"), action: "api.switch", subject: name, detail });
    return c.json({ name, disabled: input.value.disabled });
  });

  return routes;
}

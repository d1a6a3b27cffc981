/** `POST /admin/self-test`: asks the proxy to test itself where it runs, for a deployment that has just been made. */
import { Hono } from "hono";

import type { AppEnv } from "../context.ts";
import type { SelfTestReport } from "../contract/self-test.ts";
import { refuseAdmin } from "./json.ts";

/** The route of the section `self-test`. */
export function selfTestRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();
  routes.post("/", async (c) => {
    try {
      const { denied, injected, hidden } = await c.env.SELF_TEST.check();
      const report: SelfTestReport = { denied, injected, hidden };
      return c.json(report);
    } catch {
      // A proxy of another version may not have it; why it failed is in its own log.
      return refuseAdmin(502, "self_test_failed", "The proxy could not test itself. Are both of the same version?");
    }
  });
  return routes;
}

/**
 * The routes under `/admin`, for the command line: JSON in, JSON out. Each belongs to a section, and each section names
 * the scope it needs, so that none can be added without one. Authentication has taken place in front.
 */
import { Hono } from "hono";

import { requireScope, type AppEnv } from "../context.ts";
import type { WhoAmI } from "../contract/admin.ts";
import type { Scope } from "../contract/scopes.ts";
import { VERSION } from "../contract/version.ts";
import { apiRoutes } from "./apis.ts";
import { auditRoutes } from "./audit.ts";
import { runRoutes } from "./runs.ts";
import { refuseAdmin } from "./json.ts";
import { selfTestRoutes } from "./self-test.ts";
import { skillRoutes } from "./skills.ts";
import { tokenRoutes } from "./tokens.ts";

interface Section {
  readonly scope: Scope;
  readonly routes: Hono<AppEnv>;
}

const SECTIONS: Readonly<Record<string, Section>> = {
  apis: { scope: "admin", routes: apiRoutes() },
  audit: { scope: "admin", routes: auditRoutes() },
  runs: { scope: "admin", routes: runRoutes() },
  tokens: { scope: "admin", routes: tokenRoutes() },
  // What changes skills asks for skills:write besides.
  skills: { scope: "run:read_only", routes: skillRoutes() },
  "self-test": { scope: "admin", routes: selfTestRoutes() },
};

/** Builds the app that is mounted at `/admin`. */
export function createAdmin(): Hono<AppEnv> {
  const admin = new Hono<AppEnv>();
  for (const [name, { scope, routes }] of Object.entries(SECTIONS)) {
    admin.use(`/${name}`, requireScope(scope));
    admin.use(`/${name}/*`, requireScope(scope));
    admin.route(`/${name}`, routes);
  }

  /** Whoever has a token may ask what it is good for. */
  admin.get("/whoami", (c) => {
    const { principal, scopes, apis, token } = c.get("auth");
    const answer: WhoAmI = {
      principal,
      scopes: [...scopes],
      apis: apis && [...apis],
      token: token?.name ?? null,
      version: VERSION,
    };
    return c.json(answer);
  });

  admin.all("*", () =>
    refuseAdmin(404, "not_found", "Nothing is served here. Is the command line of another version than the server?"),
  );
  return admin;
}

/** `/admin/skills`: listing, reading, saving, removing, restoring and running skills, in the name of the token's owner. */
import { Hono } from "hono";
import type { z } from "zod";

import type { AppContext, AppEnv } from "../context.ts";
import { PutSkill, RestoreSkill, RunSkill } from "../contract/skills.ts";
import type { SkillsAnswer, SkillsRequest } from "../skills/remote.ts";
import { readJson, refuseAdmin } from "./json.ts";

/** Largest body: the largest skill with room for its JSON escapes. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export function skillRoutes(): Hono<AppEnv> {
  const routes = new Hono<AppEnv>();

  routes.get("/", (c) => ask(c, { op: "list" }));
  routes.get("/:name", (c) => ask(c, { op: "show", name: c.req.param("name"), version: c.req.query("version") }));
  routes.delete("/:name", (c) => ask(c, { op: "remove", name: c.req.param("name") }));

  routes.put("/:name", (c) => withBody(c, PutSkill, (put) => ask(c, { op: "put", name: c.req.param("name"), put })));
  routes.post("/:name/restore", (c) =>
    withBody(c, RestoreSkill, ({ version }) => ask(c, { op: "restore", name: c.req.param("name"), version })),
  );
  routes.post("/:name/run", (c) =>
    withBody(c, RunSkill, (run) => ask(c, { op: "run", name: c.req.param("name"), run })),
  );
  return routes;
}

async function withBody<S extends z.ZodType>(
  c: AppContext,
  schema: S,
  serve: (body: z.output<S>) => Promise<Response>,
): Promise<Response> {
  const input = await readJson(c, schema, MAX_BODY_BYTES);
  return input.ok ? serve(input.value) : input.response;
}

async function ask(c: AppContext, request: SkillsRequest): Promise<Response> {
  const auth = c.get("auth");
  const answer: SkillsAnswer = await c.env.FORGE.getByName(auth.principal).skills(request, auth);
  if (answer.ok) return new Response(answer.json, { headers: { "content-type": "application/json" } });
  return refuseAdmin(STATUS[answer.kind] ?? 422, answer.kind, answer.message);
}

/** The status of a refusal; what is wrong with the request's own content is 422. */
const STATUS: Readonly<Partial<Record<string, number>>> = {
  built_in: 403,
  conflict: 409,
  exists: 409,
  full: 507,
  read_only_run: 403,
  saving_off: 403,
  scope: 403,
  unavailable: 503,
  unknown_file: 404,
  unknown_skill: 404,
  unknown_version: 404,
};

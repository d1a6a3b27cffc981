/**
 * The routes of the server: what every request passes before it reaches `Forge`. In this order: CORS on every answer,
 * Host and Origin checks on loopback, upgrades refused, rate limits, authentication, scopes, body limit.
 */
import { Hono } from "hono";

import { createAdmin } from "./admin/admin.ts";
import { addressOf, authenticate, mayRunOpen } from "./auth/authenticate.ts";
import { isWithinRate, RETRY_AFTER_S } from "./auth/rate-limit.ts";
import { isAllowedHost, isAllowedOrigin } from "./auth/origin.ts";
import { readBody } from "./body.ts";
import { loadCatalog } from "./catalog/load.ts";
import { refuse, requireScope, type AppEnv } from "./context.ts";
import { readSettings } from "./contract/settings.ts";
import { readHealth } from "./health.ts";
import { CORS } from "./mcp/cors.ts";
import { MAX_BODY_BYTES } from "./mcp/eras.ts";
import { readSurface } from "./mcp/operations/surface.ts";

/** Most characters of all header names and values of a request; Cloudflare itself takes up to 128 KB. */
const MAX_HEADER_LENGTH = 32 * 1024;

const MCP_METHODS = ["GET", "POST", "DELETE"];

const NOT_CONFIGURED =
  "This server has no authentication configured, so it serves nothing. Set one: npx wrangler secret put ADMIN_TOKEN";

const NOT_VALID = "This server's variables are not valid, so it serves nothing until they are mended:";

const TOO_MANY = "Too many requests. Wait, then try again.";
const RETRY_LATER = { "retry-after": String(RETRY_AFTER_S) };

/** Builds the Hono app. Every answer, errors included, carries the CORS headers. */
export function createApp(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();

  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(CORS)) c.res.headers.set(name, value);
  });

  app.use(async (c, next) => {
    const local = mayRunOpen(c.env);
    if (local && !isAllowedHost(c.req.header("host"))) {
      return refuse(403, "This server answers on localhost only; the Host header names something else.");
    }
    if (local && !isAllowedOrigin(c.req.header("origin"))) {
      return refuse(403, "Pages of other origins may not call a server on localhost.");
    }
    if (c.req.header("upgrade") !== undefined)
      return refuse(426, "Upgrades are not served here; MCP speaks plain HTTP.");
    if (headerLength(c.req.raw.headers) > MAX_HEADER_LENGTH) {
      return refuse(431, `The request's headers are longer than ${MAX_HEADER_LENGTH} characters.`);
    }
    if (c.req.method === "OPTIONS") return new Response(null, { status: 204 });
    return next();
  });

  app.use(async (c, next) => {
    const address = addressOf(c.req.raw.headers, c.env);
    return (await isWithinRate(c.env, c.env.ADDRESS_LIMIT, address)) ? next() : refuse(429, TOO_MANY, RETRY_LATER);
  });

  app.get("/health", async (c) => {
    const health = await readHealth(c.env, Date.now());
    const isWhole = Object.values(health.versions).every((version) => version !== null);
    return c.json(health, isWhole ? 200 : 503, { "cache-control": "no-store" });
  });

  app.use(async (c, next) => {
    const result = await authenticate(c.req.raw.headers, c.env);
    if (result.ok) {
      c.set("auth", result.auth);
      return next();
    }
    if (result.reason === "not_configured") return refuse(503, NOT_CONFIGURED);
    const challenge = result.reason === "invalid" ? 'Bearer error="invalid_token"' : "Bearer";
    return refuse(401, "A bearer token is needed.", { "www-authenticate": challenge });
  });

  app.use(async (c, next) => {
    const { principal } = c.get("auth");
    return (await isWithinRate(c.env, c.env.PRINCIPAL_LIMIT, principal)) ? next() : refuse(429, TOO_MANY, RETRY_LATER);
  });

  app.use("/admin/*", async (c, next) => {
    const origin = c.req.header("origin");
    // It is for the command line: a page of another origin has no business here, whatever token it was given.
    return origin === undefined || origin === new URL(c.req.url).origin
      ? next()
      : refuse(403, "Pages of other origins may not call the administration.");
  });
  app.route("/admin", createAdmin());

  app.use(async (c, next) => {
    const { problems } = readSettings({ ...c.env });
    return problems.length === 0 ? next() : refuse(503, `${NOT_VALID}\n${problems.join("\n")}`);
  });

  app.use("/mcp", requireScope("run:read_only"));
  app.use("/mcp/*", requireScope("run:read_only"));

  // Not "/mcp/*": that is /mcp as well.
  app.use("/mcp/:api", async (c, next) => {
    const result = readSurface(new URL(c.req.url), loadCatalog().apis, c.get("auth"));
    return result.ok ? next() : refuse(result.status, result.message);
  });

  app.on(MCP_METHODS, ["/mcp", "/mcp/:api"], async (c) => {
    const body = await readBody(c.req.raw, MAX_BODY_BYTES);
    if (!body.ok) return refuseBody(body.reason);
    const auth = c.get("auth");
    const request = new Request(c.req.url, { method: c.req.method, headers: c.req.raw.headers, body: body.bytes });
    const response = await c.env.FORGE.getByName(auth.principal).handle(request, auth);
    return new Response(response.body, response);
  });

  app.on("ALL", ["/mcp", "/mcp/:api"], () =>
    refuse(405, "MCP uses POST, GET and DELETE.", { allow: MCP_METHODS.join(", ") }),
  );

  app.notFound(() => refuse(404, "Nothing is served here; the MCP endpoints are /mcp and /mcp/<api>."));
  app.onError((error) => {
    console.error(`unexpected: ${error.name}`);
    return refuse(500, "The server failed to answer; its log says where.");
  });
  return app;
}

function refuseBody(reason: "too_large" | "too_slow"): Response {
  return reason === "too_large"
    ? refuse(413, `The request is larger than ${MAX_BODY_BYTES} bytes.`)
    : refuse(408, "The request's body did not arrive in time.");
}

function headerLength(headers: Headers): number {
  return [...headers].reduce((length, [name, value]) => length + name.length + value.length, 0);
}

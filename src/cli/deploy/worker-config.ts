/**
 * The configuration that one Worker of a deployment is uploaded with: its `wrangler.toml`, with the names of the
 * deployment put in and the bundle, which is made already, in the place of the source. Pure.
 */
import { z } from "zod";

import { toDeployedName, toNamespaceId, type DeploymentId } from "./names.ts";

const Route = z.union([z.string(), z.looseObject({ pattern: z.string(), custom_domain: z.boolean().optional() })]);

/** The parts of a `wrangler.toml` that are read here; everything else is passed on as it is. */
const WranglerConfig = z.looseObject({
  name: z.string(),
  routes: z.array(Route).optional(),
  route: Route.optional(),
  workers_dev: z.boolean().optional(),
  vars: z.record(z.string(), z.unknown()).optional(),
  migrations: z.array(z.looseObject({ tag: z.string() })).optional(),
  services: z.array(z.looseObject({ service: z.string() })).optional(),
  r2_buckets: z.array(z.looseObject({ bucket_name: z.string().optional() })).optional(),
  ratelimits: z.array(z.looseObject({ namespace_id: z.string() })).optional(),
  assets: z.looseObject({ directory: z.string().optional() }).optional(),
  env: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
});
export type WranglerConfig = z.infer<typeof WranglerConfig>;

/** Where what is uploaded lies, and what is laid over the file. */
export interface ConfigParts {
  /** The bundle's main module and the folder of all of its modules; absolute. */
  readonly main: string;
  readonly modules: string;
  /** The project's folder of APIs, out of which the assets are; absolute. */
  readonly apis: string;
  /** Variables that are laid over those of the file. */
  readonly vars: Readonly<Record<string, string>>;
}

/**
 * Makes the configuration. An environment's table is laid over the top level member by member, bindings included: what
 * it does not name stays. `keep_vars` is always set, so that a variable set in the dashboard outlives an upload.
 */
export function toDeployedConfig(raw: unknown, id: DeploymentId, parts: ConfigParts): WranglerConfig {
  const { env: environments, build: _, ...top } = WranglerConfig.parse(raw);
  const config = WranglerConfig.parse({ ...top, ...(id.env === undefined ? {} : environments?.[id.env]) });
  const vars = { ...config.vars, ...parts.vars };
  return {
    ...config,
    name: toDeployedName(config.name, id),
    main: parts.main,
    base_dir: parts.modules,
    no_bundle: true,
    find_additional_modules: true,
    // Everything beside the main module is a text: the bundler has left nothing else over.
    rules: [{ type: "Text", globs: ["**/*.js", "**/*.txt"], fallthrough: false }],
    keep_vars: true,
    ...(Object.keys(vars).length === 0 ? {} : { vars }),
    ...(config.services === undefined
      ? {}
      : { services: config.services.map((binding) => ({ ...binding, service: toDeployedName(binding.service, id) })) }),
    ...(config.r2_buckets === undefined
      ? {}
      : {
          r2_buckets: config.r2_buckets.map((binding) => ({
            ...binding,
            ...(binding.bucket_name === undefined ? {} : { bucket_name: toDeployedName(binding.bucket_name, id) }),
          })),
        }),
    ...(config.ratelimits === undefined
      ? {}
      : {
          ratelimits: config.ratelimits.map((limit) => ({
            ...limit,
            namespace_id: toNamespaceId(limit.namespace_id, id),
          })),
        }),
    ...(config.assets === undefined ? {} : { assets: { ...config.assets, directory: parts.apis } }),
  };
}

/** The tag of the last Durable Object migration, or null for a Worker without one. */
export function lastMigration(config: WranglerConfig): string | null {
  return config.migrations?.at(-1)?.tag ?? null;
}

/** The address of the Worker: its first route, or its name under the account's workers.dev subdomain. */
export function publicUrl(config: WranglerConfig, subdomain: string | null): string | null {
  const [route] = routesOf(config);
  const pattern = typeof route === "string" ? route : route?.pattern;
  if (pattern !== undefined) return `https://${pattern.replace(/\/?\*$/, "").replace(/\/$/, "")}`;
  if (!isOnWorkersDev(config) || subdomain === null) return null;
  return `https://${config.name}.${subdomain}.workers.dev`;
}

/** Whether the Worker is to be served under the account's workers.dev subdomain; for wrangler, routes take its place. */
export function isOnWorkersDev(config: WranglerConfig): boolean {
  return config.workers_dev ?? routesOf(config).length === 0;
}

/** The custom domains that are to lead to the Worker. */
export function customDomains(config: WranglerConfig): string[] {
  return routesOf(config).flatMap((route) =>
    typeof route === "object" && route.custom_domain === true ? [route.pattern] : [],
  );
}

function routesOf({ routes, route }: WranglerConfig): readonly z.infer<typeof Route>[] {
  return routes ?? (route === undefined ? [] : [route]);
}

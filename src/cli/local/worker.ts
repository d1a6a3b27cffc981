/** A Worker as Miniflare takes it: its `wrangler.toml` as wrangler reads it, its bundle, and the project's own APIs. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";

import type { V4WorkerOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions, unstable_readConfig } from "wrangler";

import { readIfThere } from "../files.ts";
import type { Project } from "../project.ts";
import { bundleWorker, configPath, type BundleModule, type BundleSource } from "./bundle.ts";

/**
 * Reads one Worker of the project, bundling it if its sources have changed. Its variables are those of `[vars]`: what
 * `.dev.vars` holds is the caller's to add.
 */
export async function readWorker(project: Project, source: BundleSource): Promise<V4WorkerOptions> {
  const config = configPath(project.root, source.key);
  const { dir, modules } = await bundleWorker(project.root, source);
  // It would say on every start that it reads .dev.vars, which is done here in another way.
  process.env["WRANGLER_LOG"] ??= "warn";
  const { workerOptions } = unstable_getMiniflareWorkerOptions(config);
  const { modulesRules: _, assets, ...options } = workerOptions;
  const { name, vars } = unstable_readConfig({ config });
  // Miniflare wants the folder to exist, and a project may have no API yet.
  if (assets !== undefined) mkdirSync(project.apis, { recursive: true });
  return {
    ...options,
    ...(assets === undefined ? {} : { assets: { ...assets, directory: project.apis } }),
    name,
    bindings: vars,
    modulesRoot: dir,
    modules: modules.map((module) => withCatalog(module, project)),
  } as V4WorkerOptions;
}

/** A module of a bundle, with the catalog of this project in the place of the one that was there when it was bundled. */
export function withCatalog(module: BundleModule, project: Project): BundleModule {
  const file = /(?:catalog|types|skills)\.txt$/.exec(module.path)?.[0];
  const contents = file === undefined ? undefined : readIfThere(join(project.out, file));
  return contents === undefined ? module : { ...module, contents };
}

/**
 * Makes what is uploaded: for each Worker a folder of modules, a configuration with the deployment's names, and a
 * fingerprint of both, by which the next deployment sees whether anything has changed.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative } from "node:path";

import { experimental_readRawConfig } from "wrangler";

import { build } from "../commands/build.ts";
import { bundleWorker, configPath, type WorkerKey } from "../local/bundle.ts";
import { withCatalog } from "../local/worker.ts";
import type { Project } from "../project.ts";
import type { DeploymentId } from "./names.ts";
import { lastMigration, toDeployedConfig, type WranglerConfig } from "./worker-config.ts";

/** From the bottom up: each Worker binds those before it. */
export const ORDER = ["proxy", "sandbox", "server"] as const satisfies readonly WorkerKey[];

/** One Worker, ready for upload. */
export interface WorkerPackage {
  readonly key: WorkerKey;
  /** Its name on the account. */
  readonly name: string;
  /** The file for `wrangler --config`. */
  readonly configFile: string;
  readonly config: WranglerConfig;
  /** Short, and the same for the same modules and configuration; variables are compared by themselves. */
  readonly fingerprint: string;
  readonly migration: string | null;
  /** Buckets it binds. */
  readonly buckets: readonly string[];
  /** Variables that are no secrets. */
  readonly vars: Readonly<Record<string, string>>;
}

export type Packages = Readonly<Record<WorkerKey, WorkerPackage>>;

export interface PackageOptions {
  readonly id: DeploymentId;
  /** Variables that are laid over those of a Worker's `wrangler.toml`. */
  readonly vars: Readonly<Partial<Record<WorkerKey, Readonly<Record<string, string>>>>>;
  /** APIs that are left out. */
  readonly without: readonly string[];
  /** Where everything is written; emptied first. */
  readonly dir: string;
}

/** The configurations alone, for what needs only names: nothing is bundled. */
export function readConfigs(project: Project, id: DeploymentId): Record<WorkerKey, WranglerConfig> {
  const read = (key: WorkerKey): WranglerConfig => {
    const file = configPath(project.root, key);
    const parts = { main: "", modules: "", apis: project.apis, vars: {} };
    return toDeployedConfig(experimental_readRawConfig({ config: file }).rawConfig, id, parts);
  };
  return { proxy: read("proxy"), sandbox: read("sandbox"), server: read("server") };
}

/** Bundles the three Workers with the project's own catalog. */
export async function makePackages(project: Project, options: PackageOptions): Promise<Packages> {
  rmSync(options.dir, { recursive: true, force: true });
  const staged = { ...project, apis: join(options.dir, "apis"), out: join(options.dir, "out") };
  cpSync(project.apis, staged.apis, {
    recursive: true,
    filter: (path) => !options.without.includes(relative(project.apis, path)),
  });
  // Without it, every file of the folder would be taken for an asset.
  const ignore = join(staged.apis, ".assetsignore");
  if (!existsSync(ignore)) cpSync(join(project.root, "apis", ".assetsignore"), ignore);
  await build(staged);
  const [proxy, sandbox, server] = await Promise.all(
    ORDER.map((key) => makePackage(key, { project: staged, ...options })),
  );
  if (proxy === undefined || sandbox === undefined || server === undefined) throw new Error("a Worker is missing");
  return { proxy, sandbox, server };
}

async function makePackage(key: WorkerKey, options: PackageOptions & { project: Project }): Promise<WorkerPackage> {
  const { project, id, dir, vars } = options;
  const bundle = await bundleWorker(project.root, { key });
  const modules = join(dir, key);
  mkdirSync(modules, { recursive: true });
  const [main, ...texts] = bundle.modules.map((module) => withCatalog(module, project));
  if (main === undefined) throw new Error(`the bundle of ${key} is empty`);
  for (const { path, contents } of [main, ...texts]) writeFileSync(join(modules, basename(path)), contents);

  const file = configPath(project.root, key);
  const config = toDeployedConfig(experimental_readRawConfig({ config: file }).rawConfig, id, {
    main: join(modules, basename(main.path)),
    modules,
    apis: project.apis,
    vars: vars[key] ?? {},
  });
  const configFile = join(dir, `${key}.json`);
  writeFileSync(configFile, JSON.stringify(config, null, 2));
  return {
    key,
    name: config.name,
    configFile,
    config,
    fingerprint: fingerprint(config, dir, modules),
    migration: lastMigration(config),
    buckets: (config.r2_buckets ?? []).flatMap(({ bucket_name }) => (bucket_name === undefined ? [] : [bucket_name])),
    vars: Object.fromEntries(Object.entries(config.vars ?? {}).map(([name, value]) => [name, String(value)])),
  };
}

/** Where the folder stands on this machine is no part of it, nor are the variables. */
function fingerprint(whole: WranglerConfig, dir: string, modules: string): string {
  const { vars: _, assets, ...config } = whole;
  const hash = createHash("sha256").update(JSON.stringify(config).replaceAll(JSON.stringify(dir).slice(1, -1), ""));
  const { directory, ...routing } = assets ?? {};
  hash.update(JSON.stringify(routing));
  for (const folder of directory === undefined ? [modules] : [modules, directory]) {
    for (const path of filesIn(folder)) hash.update(`\0${path}\0`).update(readFileSync(join(folder, path)));
  }
  return `cf-${hash.digest("hex").slice(0, 16)}`;
}

function filesIn(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((path) => relative(folder, path).replaceAll("\\", "/")).toSorted();
}

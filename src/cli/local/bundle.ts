/**
 * Bundles the Workers with wrangler, the one bundler whose output is what a deployment uploads. A bundle is kept until
 * a file that went into it changes. The catalog is a text module of its own, so that a change to `apis/` needs no new
 * bundle.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";

import { z } from "zod";

import { UserError } from "../errors.ts";
import { wranglerPath } from "../wrangler.ts";

/** The three Workers, each with the folder of its `wrangler.toml` relative to the project's root. */
export const WORKERS = { server: ".", sandbox: "sandbox-worker", proxy: "outbound-proxy" } as const;
export type WorkerKey = keyof typeof WORKERS;

/** A module of a bundle, as Miniflare takes it. */
export interface BundleModule {
  readonly type: "ESModule" | "Text";
  readonly path: string;
  readonly contents: string;
}

/** What to bundle: a Worker, or another main file under its configuration, as tests have it. */
export interface BundleSource {
  readonly key: WorkerKey;
  /** An `index.ts` relative to the project's root; absent: the one that `wrangler.toml` names. */
  readonly entry?: string | undefined;
}

export interface Bundle {
  /** The folder of the modules. */
  readonly dir: string;
  /** The main one first. */
  readonly modules: readonly BundleModule[];
}

const MAIN = "index.js";

const Metafile = z.object({ inputs: z.record(z.string(), z.unknown()) });

/** Bundles a Worker, unless there is a bundle already that is newer than all its sources. */
export async function bundleWorker(root: string, { key, entry }: BundleSource): Promise<Bundle> {
  const dir = join(root, "dist", "workers", entry === undefined ? key : entry.replaceAll(/\W+/g, "-"));
  const config = configPath(root, key);
  if (!isFresh(root, config, dir)) await runWrangler(root, { config, entry, dir });
  const module = (type: BundleModule["type"], path: string): BundleModule => ({
    type,
    path,
    contents: readFileSync(path, "utf8"),
  });
  // wrangler bundles every ES module into index.js and leaves text modules beside it, under a hash and their names.
  const texts = (await readdir(dir)).filter((name) => /^[0-9a-f]{40}-/.test(name)).toSorted();
  return {
    dir,
    modules: [module("ESModule", join(dir, MAIN)), ...texts.map((name) => module("Text", join(dir, name)))],
  };
}

/** The path of a Worker's `wrangler.toml`. */
export function configPath(root: string, key: WorkerKey): string {
  return resolve(root, WORKERS[key], "wrangler.toml");
}

function metafilePath(out: string): string {
  return join(out, "bundle-meta.json");
}

function isFresh(root: string, config: string, out: string): boolean {
  const metafile = metafilePath(out);
  if (!existsSync(metafile) || !existsSync(join(out, MAIN))) return false;
  const bundledMs = statSync(metafile).mtimeMs;
  const { inputs } = Metafile.parse(JSON.parse(readFileSync(metafile, "utf8")));
  const sources = [
    config,
    resolve(root, "package-lock.json"),
    // They are relative to the folder of the configuration, not to the one where wrangler runs.
    ...Object.keys(inputs).map((path) => resolve(dirname(config), path)),
    ...textModules(dirname(config)),
  ];
  // The catalog is replaced when the Workers start; its change is no reason to bundle.
  return sources
    .filter((path) => !path.endsWith(".txt") && !path.includes(":"))
    .every((path) => existsSync(path) && statSync(path).mtimeMs <= bundledMs);
}

/** The files that a Worker takes as text, of which the metafile does not know: the harness of the sandbox. */
function textModules(folder: string): string[] {
  const harness = join(folder, "harness");
  return existsSync(harness) ? readdirSync(harness).map((name) => join(harness, name)) : [];
}

interface WranglerRun {
  readonly config: string;
  readonly entry: string | undefined;
  readonly dir: string;
}

/** Runs `wrangler deploy --dry-run`, whose output directory is the bundle. Its output is shown only when it fails. */
async function runWrangler(root: string, { config, entry, dir }: WranglerRun): Promise<void> {
  const main = entry === undefined ? [] : [entry];
  const output = ["--outdir", dir, "--metafile", metafilePath(dir)];
  const args = [wranglerPath(), "deploy", ...main, "--dry-run", ...output, "--config", config];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, WRANGLER_SEND_METRICS: "false" } });
  const written: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => written.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => written.push(chunk));
  const code = await new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  if (code !== 0) throw new UserError(`wrangler could not bundle ${config}:\n${Buffer.concat(written).toString()}`);
}

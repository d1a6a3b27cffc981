/**
 * Bundles the Workers with wrangler, the one bundler whose output is what a deployment uploads. A bundle is kept until
 * a file that went into it changes. The catalog is a text module of its own, so that a change to `apis/` needs no new
 * bundle.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";

import { z } from "zod";

import { UserError } from "../errors.ts";

/** The three Workers, each with the folder of its `wrangler.toml` relative to the project's root. */
export const WORKERS = { server: ".", sandbox: "sandbox-worker", proxy: "outbound-proxy" } as const;
export type WorkerKey = keyof typeof WORKERS;

/** A module of a bundle, as Miniflare takes it. */
export interface BundleModule {
  readonly type: "ESModule" | "Text";
  readonly path: string;
  readonly contents: string;
}

const MAIN = "index.js";

const Metafile = z.object({ inputs: z.record(z.string(), z.unknown()) });

/** The modules of a Worker's bundle, the main one first; bundled anew if a source is newer than the bundle. */
export async function bundleWorker(root: string, key: WorkerKey, outDir: string): Promise<BundleModule[]> {
  const out = join(outDir, key);
  const config = configPath(root, key);
  if (!isFresh(root, config, out)) await runWrangler(root, config, out);
  const module = (type: BundleModule["type"], path: string): BundleModule => ({
    type,
    path,
    contents: readFileSync(path, "utf8"),
  });
  // wrangler bundles every ES module into index.js and leaves text modules beside it, under a hash and their names.
  const texts = (await readdir(out)).filter((name) => /^[0-9a-f]{40}-/.test(name)).toSorted();
  return [module("ESModule", join(out, MAIN)), ...texts.map((name) => module("Text", join(out, name)))];
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
    ...Object.keys(inputs).map((path) => resolve(root, path)),
  ];
  // The catalog is replaced when the Workers start; its change is no reason to bundle.
  return sources
    .filter((path) => !path.endsWith(".txt") && !path.includes(":"))
    .every((path) => existsSync(path) && statSync(path).mtimeMs <= bundledMs);
}

/** Runs `wrangler deploy --dry-run`, whose output directory is the bundle. Its output is shown only when it fails. */
async function runWrangler(root: string, config: string, out: string): Promise<void> {
  const wrangler = resolve(root, "node_modules/wrangler/bin/wrangler.js");
  const args = [wrangler, "deploy", "--dry-run", "--outdir", out, "--metafile", metafilePath(out), "--config", config];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, WRANGLER_SEND_METRICS: "false" } });
  const output: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => output.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => output.push(chunk));
  const code = await new Promise<number | null>((done, fail) => child.once("close", done).once("error", fail));
  if (code !== 0) throw new UserError(`wrangler could not bundle ${config}:\n${Buffer.concat(output).toString()}`);
}

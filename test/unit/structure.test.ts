import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";

import { VERSION } from "../../src/contract/version.ts";

const ROOT = resolve(import.meta.dirname, "../..");

/** Each folder with the folders of the project that it may import from, apart from itself. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  "src/contract": [],
  "src/openapi": ["src/contract"],
  "src/auth": ["src/contract", "src"],
  "src/admin": ["src/auth", "src/contract", "src/catalog", "src/code", "src/skills", "src"],
  "src/catalog": ["src/contract", "src/openapi"],
  "src/code": ["src/auth", "src/contract", "src/openapi", "src"],
  "src/mcp": ["src/auth", "src/contract", "src/catalog", "src/code", "src/openapi", "src/skills", "src"],
  "src/skills": ["src/auth", "src/contract", "src/catalog", "src/code", "src/openapi", "src"],
  "src/cli": ["src/contract", "src/openapi", "src/skills", "src/cli/generate/template"],
  "src/cli/generate/template": ["src/code", "src/mcp", "src/openapi"],
  src: ["src/contract", "src/admin", "src/auth", "src/catalog", "src/mcp", "src/code", "src/skills"],
  "sandbox-worker": ["src/contract"],
  "outbound-proxy": ["src/contract"],
};

interface SourceFile {
  readonly path: string;
  readonly text: string;
}

function sourceFiles(): SourceFile[] {
  return ["src", "sandbox-worker", "outbound-proxy"].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.[jt]s$/.test(name))
      .map((name) => ({
        path: join(folder, name).split(sep).join("/"),
        text: readFileSync(join(ROOT, folder, name), "utf8"),
      })),
  );
}

function areaOf(path: string): string {
  const areas = Object.keys(MAY_IMPORT).toSorted((a, b) => b.length - a.length);
  return areas.find((area) => path.startsWith(`${area}/`)) ?? path;
}

function importsOf({ path, text }: SourceFile): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "");
  const pattern = /(?:^(?:import|export)\b(?! type\b)[^;"']*?\bfrom\s*|^import\s*|\bimport\()["'](\.[^"']+)["']/gm;
  return [...code.matchAll(pattern)]
    .map(([, target = ""]) =>
      relative(ROOT, resolve(ROOT, dirname(path), target))
        .split(sep)
        .join("/"),
    )
    .filter((target) => !target.startsWith("dist/"));
}

describe("the import graph", () => {
  it("lets each part import only what stands below it", () => {
    const broken = sourceFiles().flatMap((file) => {
      const from = areaOf(file.path);
      return importsOf(file)
        .filter((target) => areaOf(target) !== from && !MAY_IMPORT[from]?.includes(areaOf(target)))
        .map((target) => `${file.path} → ${target}`);
    });
    expect(broken).toEqual([]);
  });

  it("has no source file of over 300 lines", () => {
    const long = sourceFiles().filter(({ text }) => text.split("\n").length > 301);
    expect(long.map(({ path }) => path)).toEqual([]);
  });
});

interface WranglerConfig {
  readonly name: string;
  readonly workers_dev?: boolean;
  readonly preview_urls?: boolean;
  readonly routes?: unknown;
  readonly route?: unknown;
  readonly vars?: Record<string, unknown>;
  readonly compatibility_flags?: readonly string[];
  readonly services?: readonly { readonly service: string; readonly entrypoint?: string }[];
  readonly durable_objects?: { readonly bindings: readonly { readonly name: string }[] };
  readonly observability?: { readonly traces?: { readonly enabled: boolean } };
}

const CONFIGS = {
  server: "wrangler.toml",
  sandbox: "sandbox-worker/wrangler.toml",
  proxy: "outbound-proxy/wrangler.toml",
} as const;

function readConfig(path: string): WranglerConfig {
  return parse(readFileSync(join(ROOT, path), "utf8")) as unknown as WranglerConfig;
}

describe("the three wrangler.toml files", () => {
  const configs = Object.values(CONFIGS).map(readConfig);

  it.each([CONFIGS.sandbox, CONFIGS.proxy])("keep %s off the network", (path) => {
    const config = readConfig(path);
    expect(config.workers_dev).toBe(false);
    expect(config.preview_urls).toBe(false);
    expect(config.routes ?? config.route).toBeUndefined();
  });

  it("bind services that exist, by name", () => {
    const names = configs.map(({ name }) => name);
    const targets = configs.flatMap(({ services }) => services ?? []).map(({ service }) => service);
    expect(targets.length).toBeGreaterThan(0);
    expect(targets.filter((target) => !names.includes(target))).toEqual([]);
  });

  it("bind no variable at all, so that a secret can only be one that was set", () => {
    expect(configs.map(({ vars }) => vars ?? {})).toEqual([{}, {}, {}]);
  });

  it("give the sandbox nothing but the loader and the proxy", () => {
    const raw = parse(readFileSync(join(ROOT, CONFIGS.sandbox), "utf8"));
    const expected = [
      "build",
      "compatibility_date",
      "compatibility_flags",
      "main",
      "name",
      "observability",
      "preview_urls",
      "rules",
      "services",
      "worker_loaders",
      "workers_dev",
    ];
    expect(Object.keys(raw).filter((key) => !expected.includes(key))).toEqual([]);
    expect(readConfig(CONFIGS.sandbox).services).toHaveLength(1);
  });

  it("T49: let the sandbox forward requests, and the server alone open runs", () => {
    const entrypointOf = (path: string): (string | undefined)[] =>
      (readConfig(path).services ?? [])
        .filter(({ service }) => service === "codeforge-outbound-proxy")
        .map(({ entrypoint }) => entrypoint);
    expect(entrypointOf(CONFIGS.sandbox)).toEqual(["Forwarder"]);
    expect(entrypointOf(CONFIGS.server)).toEqual(["OutboundProxy", "Forwarder", "SelfTest"]);
  });

  it("T51: never let raw TCP out of the sandbox", () => {
    expect(readConfig(CONFIGS.sandbox).compatibility_flags ?? []).not.toContain("connect_pass_through");
    const entry = readFileSync(join(ROOT, "sandbox-worker/index.ts"), "utf8");
    expect(entry).not.toMatch(/\bconnect\s*\(/);
  });

  it("T52: send the proxy's requests for the owner's zones through the front door", () => {
    expect(readConfig(CONFIGS.proxy).compatibility_flags).toContain("global_fetch_strictly_public");
  });

  it("F10: write no traces of the proxy's requests", () => {
    expect(readConfig(CONFIGS.proxy).observability?.traces?.enabled).toBe(false);
  });

  it("keep the compatibility date within what the pinned runtime knows", () => {
    const dates = Object.values(CONFIGS).map(
      (path) => parse(readFileSync(join(ROOT, path), "utf8"))["compatibility_date"],
    );
    expect(new Set(dates)).toEqual(new Set(["2026-11-01"]));
  });
});

describe("the proxy", () => {
  it("T55: keeps no promise, and of a run its policy alone, in module scope", () => {
    const files = sourceFiles().filter(({ path }) => path.startsWith("outbound-proxy/"));
    const kept = files.flatMap(({ path, text }) =>
      [...text.matchAll(/^(?:export )?(?:let\b.*|var\b.*|const \w+.*(?:Promise|new (?:Map|Set|WeakMap)\b|\[\];).*)$/gm)]
        // A table that is written at once, and what is the same for every run.
        .filter(
          ([line]) =>
            !/new (?:Map|Set)(?:<[^=]*>)?\((?:\[|Object\.entries)/.test(line) && !line.includes("new WeakMap<Env, "),
        )
        .map(([line]) => `${path}: ${line}`),
    );
    expect(kept).toEqual(["outbound-proxy/policies.ts: const policies = new Map<string, RunPolicy>();"]);
  });
});

describe("package.json", () => {
  const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    version: string;
    devDependencies: Record<string, string>;
    allowScripts: Record<string, boolean>;
  };

  it("states the version that the server tells", () => {
    expect(manifest.version).toBe(VERSION);
  });

  it("pins node, and lets its install step run", () => {
    expect(manifest.devDependencies["node"]).toMatch(/^24\.\d+\.\d+$/);
    expect(manifest.allowScripts["node"]).toBe(true);
  });

  it("records no download address in the lock file", () => {
    expect(readFileSync(join(ROOT, "package-lock.json"), "utf8")).not.toMatch(/"resolved": "https?:/);
  });
});

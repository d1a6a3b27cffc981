/** The files around the sources of a generated server: what npm, TypeScript, wrangler and git read. */

/** Exact versions: what this project is tested with, and nothing that came later. */
export const VERSIONS = {
  "@cfworker/json-schema": "4.1.6",
  "@modelcontextprotocol/server": "2.4.0",
  "@types/node": "24.19.4",
  stemmer: "2.0.1",
  typescript: "7.0.2",
  wrangler: "4.156.2",
} as const;

/** Why each dependency is there. */
export const REASONS: Readonly<Record<Exclude<keyof typeof VERSIONS, "wrangler">, string>> = {
  "@modelcontextprotocol/server": "speaks the Model Context Protocol, in its 2026-07-28 and its 2025 revisions",
  "@cfworker/json-schema": "checks arguments against their schemas without generating code, which Workers forbid",
  stemmer: "finds operations by any form of a word",
  typescript: "builds it (development only)",
  "@types/node": "the types of Node's API, for the build (development only)",
};

/** The runtime's date in `wrangler.toml`, which wrangler of that version knows. */
const COMPATIBILITY_DATE = "2026-11-01";

export interface Identity {
  /** An npm package name. */
  readonly name: string;
  readonly version: string;
  readonly description: string;
}

/** A package's name without its scope: the command, and the Worker. */
export function toShortName(name: string): string {
  return name.replace(/^@[^/]*\//, "");
}

/** `package.json`: fixed but for its first lines. */
export function toPackageJson({ name, version, description }: Identity): string {
  const pick = (...names: readonly (keyof typeof VERSIONS)[]): Record<string, string> =>
    Object.fromEntries(names.map((each) => [each, VERSIONS[each]]));
  const manifest = {
    name,
    version,
    description,
    keywords: ["mcp", "mcp-server", "openapi"],
    type: "module",
    bin: { [toShortName(name)]: "dist/main.js" },
    files: ["dist", "LICENSE-codeforge"],
    engines: { node: ">=20" },
    scripts: {
      build: "tsc -p tsconfig.json",
      start: "node dist/main.js",
      prepack: "npm run build",
      dev: `npx wrangler@${VERSIONS.wrangler} dev`,
      deploy: `npx wrangler@${VERSIONS.wrangler} deploy`,
    },
    dependencies: pick("@cfworker/json-schema", "@modelcontextprotocol/server", "stemmer"),
    devDependencies: pick("@types/node", "typescript"),
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

/** `tsconfig.json`: extends nothing, and takes no types but those it names. */
export function toTsconfig(): string {
  const compilerOptions = {
    target: "ES2023",
    lib: ["ES2024"],
    types: ["node"],
    module: "NodeNext",
    moduleResolution: "NodeNext",
    rootDir: "src",
    outDir: "dist",
    rewriteRelativeImportExtensions: true,
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noImplicitOverride: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    skipLibCheck: true,
  };
  return `${JSON.stringify({ compilerOptions, include: ["src"] }, null, 2)}\n`;
}

/** `wrangler.toml`: no variable and no secret in it. A Worker's name is shorter than a package's may be. */
export function toWranglerToml(name: string): string {
  const worker = toShortName(name)
    .replace(/[^a-z0-9-]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 54)
    .replace(/-+$/, "");
  return `# The server on Cloudflare Workers. Its variables are secrets: npx wrangler secret put NAME (see README.md).
name = "${worker === "" ? "mcp-server" : worker}"
main = "src/worker.ts"
tsconfig = "tsconfig.json"
compatibility_date = "${COMPATIBILITY_DATE}"
compatibility_flags = ["global_fetch_strictly_public"]
workers_dev = true
preview_urls = false

[observability]
enabled = true
`;
}

/** `.gitignore`: what is built, installed or secret. */
export const GITIGNORE = "node_modules/\ndist/\n.wrangler/\n.dev.vars*\n.env*\n*.tgz\n";

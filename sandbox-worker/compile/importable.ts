/** What a block may import: the table that the checks, the error texts and the isolate are made from. */

/** The names of our own modules, each with what it exports. */
export const OWN_MODULES: Readonly<Record<string, readonly string[]>> = {
  codeforge: ["progress", "results", "search", "skills"],
};

/**
 * Whether a specifier means a saved file, which the server holds: `skills/paging`, `/skills/paging.ts`, and in a file
 * of a skill its neighbours, `./rows.ts`.
 */
export function isSaved(specifier: string, inSkill: boolean): boolean {
  return /^\/?skills\/./.test(specifier) || (inSkill && /^\.{1,2}\//.test(specifier));
}

/** Built-ins of Node that work in an isolate; sockets, processes and threads do not exist there. */
export const NODE_MODULES: ReadonlySet<string> = new Set([
  "assert",
  "assert/strict",
  "async_hooks",
  "buffer",
  "crypto",
  "diagnostics_channel",
  "events",
  "fs",
  "fs/promises",
  "http",
  "https",
  "os",
  "path",
  "path/posix",
  "perf_hooks",
  "process",
  "punycode",
  "querystring",
  "stream",
  "stream/consumers",
  "stream/promises",
  "stream/web",
  "string_decoder",
  "timers",
  "timers/promises",
  "url",
  "util",
  "util/types",
  "zlib",
]);

/** What a specifier stands for in the isolate (`fs` is `node:fs`), or null when it cannot be imported. */
export function resolveSpecifier(specifier: string): string | null {
  if (Object.hasOwn(OWN_MODULES, specifier)) return specifier;
  const name = specifier.replace(/^node:/, "");
  return NODE_MODULES.has(name) ? `node:${name}` : null;
}

/** One sentence that says what can be imported, after why `specifier` cannot. */
export function explainSpecifier(specifier: string): string {
  const [own] = Object.entries(OWN_MODULES).map(([name, exports]) => `{ ${exports.join(", ")} } from "${name}"`);
  return `${reasonAgainst(specifier)}. You can import ${own ?? ""} and Node built-ins such as "node:crypto"; fetch, URL, crypto and the rest of the web platform are global`;
}

function reasonAgainst(specifier: string): string {
  const quoted = JSON.stringify(specifier);
  if (/^(https?|npm|jsr|data|blob|file):/.test(specifier))
    return `${quoted} cannot be imported: no code is loaded from outside`;
  if (/^[./]/.test(specifier)) return `${quoted} cannot be imported: the block is the only file`;
  if (/^(node|cloudflare|bun|deno):/.test(specifier)) return `${quoted} does not exist here`;
  return `${quoted} cannot be imported: no packages are installed`;
}

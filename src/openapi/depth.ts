/** How deep values may be nested: what is deeper would run other code, ours or a validator's, out of stack. */

/** The greatest number of levels. */
export const MAX_DEPTH = 200;

/** Walks without recursion, so that depth is judged before it can hurt; a cycle made of YAML aliases never ends. */
export function isTooDeep(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true;
    const next = new Set<unknown>();
    for (const value of level) {
      if (typeof value !== "object" || value === null) continue;
      for (const child of Object.values(value)) if (typeof child === "object" && child !== null) next.add(child);
    }
    level = [...next];
  }
  return false;
}

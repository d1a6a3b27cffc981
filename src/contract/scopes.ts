/** What a caller may do: the words that stand in tokens, in challenges and in refusals. */

/**
 * `run`: run any code. `run:read_only`: run code of which only reads leave, and look things up. `skills:write`: change
 * skills. `admin`: everything under `/admin`.
 */
export const SCOPES = ["run", "run:read_only", "skills:write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a scope brings along. */
const IMPLIED: Readonly<Partial<Record<Scope, readonly Scope[]>>> = { run: ["run:read_only"] };

/** Whether who was granted `granted` may do what needs `scope`. */
export function hasScope(granted: readonly Scope[], scope: Scope): boolean {
  return granted.some((one) => one === scope || IMPLIED[one]?.includes(scope));
}

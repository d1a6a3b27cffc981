/** The authenticated caller: the one thing that the rest of the code knows of authentication. */
import { z } from "zod";

/** What a caller may do. */
export const SCOPES = ["run", "run:read_only", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who is calling, passed along with every request and cached nowhere. `apis: null` means every active API. */
export const Auth = z.strictObject({
  principal: z.string().min(1),
  scopes: z.array(z.enum(SCOPES)).readonly(),
  apis: z.array(z.string()).readonly().nullable(),
});
export type Auth = z.infer<typeof Auth>;

/** What two lists of APIs have in common, where null stands for all of them: rights are only ever narrowed. */
export function narrowApis(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null) return b;
  return b === null ? a : a.filter((name) => b.includes(name));
}

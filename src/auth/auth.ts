/** The authenticated caller: the one thing that the rest of the code knows of authentication. */
import { z } from "zod";

import { SCOPES } from "../contract/scopes.ts";

/** Who is calling, passed along with every request and cached nowhere. `apis: null` means every active API. */
export const Auth = z.strictObject({
  /** A person. All tokens of a person share one `Forge`. */
  principal: z.string().min(1),
  scopes: z.array(z.enum(SCOPES)).readonly(),
  apis: z.array(z.string()).readonly().nullable(),
  /** The token that was shown; absent for `ADMIN_TOKEN`, and on loopback where none is asked for. */
  token: z.strictObject({ id: z.string(), name: z.string() }).readonly().optional(),
  /** The client's address as the platform saw it; absent where nobody vouches for one. */
  address: z.string().optional(),
});
export type Auth = z.infer<typeof Auth>;

/** What two lists of APIs have in common, where null stands for all of them: rights are only ever narrowed. */
export function narrowApis(a: readonly string[] | null, b: readonly string[] | null): readonly string[] | null {
  if (a === null) return b;
  return b === null ? a : a.filter((name) => b.includes(name));
}

/** Whether who may reach `own` may see what came of `reached`: null stands for all APIs in both. */
export function coversApis(own: readonly string[] | null, reached: readonly string[] | null): boolean {
  return own === null || (reached !== null && reached.every((name) => own.includes(name)));
}
